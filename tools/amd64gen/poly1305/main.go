// Command poly1305 writes the amd64 assembly of the Poly1305 kernels and of
// the ChaCha20-Poly1305 kernels.
//
//	go -C tools run ./amd64gen/poly1305 scalar ../backends/poly64/poly1305_amd64.s
package main

import (
	"log"
	"os"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 3 {
		log.Fatal("usage: poly1305 scalar|avx2|ifma|fused-avx512 FILE")
	}
	c := emit.NewContext()
	var header string
	switch os.Args[1] {
	case "scalar":
		header = scalarHeader
		mulxAbsorb(c)
		mulqAbsorb(c)
	case "avx2":
		header = avx2Header
		avx2Constants(c)
		avx2Absorb(c)
	case "ifma":
		header = ifmaHeader
		ifmaLaneOrder(c)
		for _, k := range []int{1, 2, 4} {
			ifmaSetup(c, k)
			ifmaAbsorb(c, k)
		}
	case "fused-avx512":
		header = fusedAVX512Header
		k := fusedAVX512{c}
		k.data()
		k.kernel("fusedSealX32", true)
		k.kernel("fusedOpenX32", false)
	default:
		log.Fatalf("poly1305: no such set of kernels: %s", os.Args[1])
	}
	if err := emit.WriteFile(c, os.Args[2], "./amd64gen/poly1305", header); err != nil {
		log.Fatal(err)
	}
}
