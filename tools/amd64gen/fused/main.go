// Command fused writes the amd64 assembly of the fused ChaCha20-Poly1305
// kernels.
//
//	go -C tools run ./amd64gen/fused ../backends/avx2/fused_amd64.s
package main

import (
	"log"
	"os"

	"github.com/quarterround/quarterround/tools/amd64gen/emit"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: fused FILE")
	}
	c := emit.NewContext()
	constants(c)
	avx2Kernel(c, "fusedSealX16", true)
	avx2Kernel(c, "fusedOpenX16", false)
	if err := emit.WriteFile(c, os.Args[1], "./amd64gen/fused", avx2Header); err != nil {
		log.Fatal(err)
	}
}
