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
			kind := "stream"
			if !k.stream() {
				kind = "fused"
			}
			fmt.Fprintf(&prototypes, "%s_func %s;\n", kind, symbol)
			fmt.Fprintf(&table, "\t{\"%s/%s\", .%s = %s, .salsa = %d, .blocks = %d},\n", f.backend(), k.name, kind, symbol, b2i(k.cipher == "salsa"), k.blocks)
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

// cortexA9 is the core of that name as LLVM sees it: one vector instruction issues a
// cycle beside another one, in order, vector loads and stores cost no more than their
// issue, and integer instructions wait in a buffer.
var cortexA9 = machine{
	width: 2, vector: 1, result: 2, sooner: 1, load: 3, shift: 2,
	multiply: 5, multiplyBusy: 3, buffered: true,
}

// cortexA53 issues two instructions a cycle, one of them a vector one.
var cortexA53 = machine{width: 2, vector: 1, result: 4, load: 3, shift: 2}

// cortexA7 issues one instruction a cycle and 128-bit ones take two.
var cortexA7 = machine{width: 1, vector: 2, result: 5, load: 3, shift: 2}

// files lists everything that is generated.
func files() []*file {
	out := []*file{armScalar(), fusedFile()}
	for _, arch := range []gnuas.Arch{gnuas.ARM, gnuas.ARM64} {
		t := isa{arch}
		for blocks := 1; blocks <= 3; blocks++ {
			out = append(out, t.rowFile(blocks))
		}
		out = append(out, t.laneFile(), t.mixedFile())
	}
	return out
}

// newFile is the file of a backend for the architecture.
func (t isa) newFile(backend, doc string) *file {
	return &file{path: fmt.Sprintf("backends/%s/stream_%s.s", backend, t.arch.GOARCH()), arch: t.arch, doc: doc + arguments5 + byteOrders[t.arch]}
}

func armScalar() *file {
	t := isa{gnuas.ARM}
	f := t.newFile("armscalar", scalarLayout)
	f.kernels = []*kernel{t.scalarKernel("chacha", "chacha", cortexA7), t.scalarKernel("salsa", "salsa", cortexA7)}
	return f
}

func (t isa) rowFile(blocks int) *file {
	backend := [...]string{1: "neon1way", 2: "neon2core", 3: "neon3core"}[blocks]
	layout := salsaRowLayout
	if blocks == 2 {
		layout = salsaPairLayout
	}
	f := t.newFile(backend, rowLayout+layout)
	f.kernels = []*kernel{t.chachaRows("chacha", blocks, 0, dualIssue), t.salsaRows("salsa", blocks, dualIssue)}
	return f
}

func (t isa) laneFile() *file {
	chacha, salsa, model := laneOrder{inPairs, 10, 2}, laneOrder{oneByOne, 5, 2}, cortexA7
	if t.arch == gnuas.ARM64 {
		chacha, salsa, model = laneOrder{inFours, 14, 1}, laneOrder{inFours, 16, 1}, cortexA53
	}
	spilling := model // what is waited for is vectors from the frame, not words
	if t.arch == gnuas.ARM {
		spilling.load = 5
	}
	f := t.newFile("neon4core", laneLayout)
	f.kernels = []*kernel{
		t.laneKernel("chacha", "chacha", 1, 0, chacha, model),
		t.laneKernel("salsa", "salsa", 1, 0, salsa, spilling),
	}
	return f
}

func (t isa) mixedFile() *file {
	if t.arch == gnuas.ARM {
		f := t.newFile("neonmixed", scalarLayout+rowLayout+laneLayout)
		f.kernels = []*kernel{
			mixed(t.chachaRows("chachaX3S1", 3, 1, cortexA8), 1),
			pointed(mixed(t.laneKernel("chachaX4S1", "chacha", 1, 1, laneOrder{inPairs, 10, 2}, cortexA9), 1)),
			peeled(mixed(t.laneKernel("salsaX4S1", "salsa", 1, 1, laneOrder{outerPairs, 11, 1}, cortexA8), 1)),
			pointed(mixed(t.laneKernel("salsaX4S1A9", "salsa", 1, 1, laneOrder{salsaPairs, 10, 2}, cortexA9), 1)),
		}
		return f
	}
	f := t.newFile("neonmixed", scalarLayout+rowLayout+laneLayout)
	f.kernels = []*kernel{
		mixed(t.laneKernel("chachaX4S1", "chacha", 1, 1, laneOrder{inFours, 16, 1}, cortexA53), 1),
		mixed(t.chachaRows("chachaX6S2", 6, 2, cortexA53), 2),
		mixed(t.laneKernel("chachaX8S2", "chacha", 2, 2, laneOrder{inPairs, 14, 1}, cortexA53), 2),
		mixed(t.laneKernel("salsaX4S2", "salsa", 1, 2, laneOrder{inFours, 16, 1}, cortexA53), 2),
		mixed(t.laneKernel("salsaX8S2", "salsa", 2, 2, laneOrder{salsaPairs, 16, 1}, cortexA7), 2),
	}
	return f
}
