// Neongen generates the NEON and scalar ARM stream kernels.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("neongen: ")
	out := flag.String("out", "..", "`directory` of the library module")
	gnu := flag.String("gnu", "", "write GNU assembly sources and a table of them for a C program to this `directory` instead")
	arch := flag.String("arch", "arm", "with -gnu, the `GOARCH` to write")
	flag.Parse()
	if *gnu != "" {
		if err := writeGNU(*gnu, *arch); err != nil {
			log.Fatal(err)
		}
		return
	}
	for _, f := range files() {
		text, err := f.GoAssembly()
		if err != nil {
			log.Fatalf("%s: %v", f.path, err)
		}
		if err := os.WriteFile(filepath.Join(*out, filepath.FromSlash(f.path)), text, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// A file is one generated file and its path in the library module.
type file struct {
	path    string
	arch    gnuas.Arch
	doc     string
	kernels []*kernel
}

// backend is the name of the folder the file is in.
func (f *file) backend() string { return path.Base(path.Dir(f.path)) }

// assembly allocates and schedules the kernels of the file.
func (f *file) assembly() *gnuas.File {
	g := &gnuas.File{Arch: f.arch, Command: "neongen", Doc: f.doc}
	for _, k := range f.kernels {
		g.Funcs = append(g.Funcs, k.function())
	}
	return g
}

// GoAssembly returns the text of the file.
func (f *file) GoAssembly() ([]byte, error) { return f.assembly().GoAssembly() }

// writeGNU writes one .S file for each backend and kernels.h, the table of all
// kernels that testdata/harness.c includes.
func writeGNU(dir, goarch string) error {
	var prototypes, table strings.Builder
	for _, f := range files() {
		if f.arch.GOARCH() != goarch {
			continue
		}
		g := f.assembly()
		for i, k := range f.kernels {
			symbol := f.backend() + "_" + k.name
			g.Funcs[i].Name = symbol
			fmt.Fprintf(&prototypes, "kernel_func %s;\n", symbol)
			offset := "0"
			if k.bytes != nil {
				offset = "WORD_OFFSET"
			}
			fmt.Fprintf(&table, "\t{\"%s/%s\", %s, %d, %d, %s},\n", f.backend(), k.name, symbol, b2i(k.cipher == "salsa"), k.blocks, offset)
		}
		if err := os.WriteFile(filepath.Join(dir, f.backend()+".S"), []byte(g.GNU()), 0o666); err != nil {
			return err
		}
	}
	header := prototypes.String() + "static const struct kernel kernels[] = {\n" + table.String() + "\t{0},\n};\n"
	return os.WriteFile(filepath.Join(dir, "kernels.h"), []byte(header), 0o666)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// dualIssue is a processor of the Cortex-A8 kind with the vector latency of the
// Cortex-A7.
var dualIssue = machine{width: 2, vector: 1, result: 4, load: 3, shift: 2, insert: 1, permute: true}

// cortexA8 issues a vector instruction beside a load, store, permute or integer
// one.
var cortexA8 = machine{width: 2, vector: 1, result: 2, load: 3, shift: 1, insert: 1, permute: true}

// cortexA53 issues two instructions a cycle, one of them a vector one.
var cortexA53 = machine{width: 2, vector: 1, result: 3, load: 3, shift: 2}

// cortexA7 issues one instruction a cycle and 128-bit ones take two.
var cortexA7 = machine{width: 1, vector: 2, result: 5, load: 3, shift: 2}

// files lists everything that is generated.
func files() []*file {
	scalar := &file{path: "backends/armscalar/stream_arm.s", arch: gnuas.ARM}
	for _, cipher := range []string{"chacha", "salsa"} {
		scalar.kernels = append(scalar.kernels, isa{gnuas.ARM}.scalarKernel(cipher, cipher, cortexA7))
	}
	out := []*file{scalar}
	for _, arch := range []gnuas.Arch{gnuas.ARM, gnuas.ARM64} {
		t := isa{arch}
		for i, folder := range []string{"neon1way", "neon2core", "neon3core"} {
			out = append(out, &file{
				path: fmt.Sprintf("backends/%s/stream_%s.s", folder, arch.GOARCH()), arch: arch,
				kernels: []*kernel{t.chachaRows("chacha", i+1, 0, dualIssue), t.salsaRows("salsa", i+1, dualIssue)},
			})
		}
		chachaOrder, salsaOrder, model := laneOrder{inPairs, 10, 2}, laneOrder{salsaPairs, 10, 2}, cortexA7
		if arch == gnuas.ARM64 {
			chachaOrder, salsaOrder, model = laneOrder{inFours, 14, 1}, laneOrder{inFours, 16, 1}, cortexA53
		}
		out = append(out, &file{
			path: fmt.Sprintf("backends/neon4core/stream_%s.s", arch.GOARCH()), arch: arch,
			kernels: []*kernel{
				t.laneKernel("chacha", "chacha", 1, 0, chachaOrder, model),
				t.laneKernel("salsa", "salsa", 1, 0, salsaOrder, model),
			},
		})
		f := &file{path: fmt.Sprintf("backends/neonmixed/stream_%s.s", arch.GOARCH()), arch: arch}
		if arch == gnuas.ARM {
			f.kernels = append(f.kernels, mixed(t.chachaRows("chachaX3S1", 3, 1, cortexA8), 1))
		}
		for _, cipher := range []string{"chacha", "salsa"} {
			if arch == gnuas.ARM {
				order := laneOrder{inPairs, 10, 1}
				if cipher == "salsa" {
					order = laneOrder{salsaPairs, 10, 1}
				}
				f.kernels = append(f.kernels, mixed(t.laneKernel(cipher+"X4S1", cipher, 1, 1, order, cortexA8), 1))
				continue
			}
			order := laneOrder{inFours, 16, 1}
			order8 := laneOrder{inPairs, 14, 1}
			if cipher == "salsa" {
				order8 = laneOrder{salsaPairs, 16, 1}
			}
			f.kernels = append(f.kernels,
				mixed(t.laneKernel(cipher+"X4S1", cipher, 1, 1, order, cortexA53), 1),
				mixed(t.laneKernel(cipher+"X8S2", cipher, 2, 2, order8, cortexA53), 2))
		}
		out = append(out, f)
	}
	return out
}
