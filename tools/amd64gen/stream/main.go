// Stream writes the ChaCha and Salsa20 kernels for amd64.
//
// A double round is first written down as straight-line code over variables
// (program.go), then given registers (allocate.go), and then framed by what
// loads the state, adds it again, transposes, and XORs (row.go, lane.go,
// scalar.go).
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("stream: ")
	flags := flag.NewFlagSet("stream", flag.ExitOnError)
	out := flags.String("out", "", "file to write")
	name := flags.String("backend", "", "avx512, avx2, avx2-fused, ssse3, ssse3-fused or amd64scalar")
	flags.Parse(os.Args[1:])
	text, err := generate(*name)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, text, 0o644); err != nil {
		log.Fatal(err)
	}
}

// generate returns the assembly file of a backend.
func generate(name string) ([]byte, error) {
	write, ok := backends[name]
	if !ok {
		return nil, fmt.Errorf("no backend %q", name)
	}
	g := &generator{
		Context:   build.NewContext(),
		constants: map[string]operand.Mem{},
		summaries: new([]summary),
	}
	g.ConstraintExpr("gc,!purego")
	write(g)
	f, err := g.Result()
	if err != nil {
		return nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, err
	}
	text, err := printer.NewGoAsm(printer.Config{
		Argv: []string{"go", "run", "./amd64gen/stream", "-backend", name},
	}).Print(f)
	if err != nil {
		return nil, err
	}
	header := g.header(name == "amd64scalar")
	switch name {
	case fusedSSSE3:
		header = g.fusedHeader()
	case fusedAVX2:
		header = g.fusedMulxHeader()
	}
	return insertHeader(text, header), nil
}

// path returns where the assembly file of a backend is, in the folder of backends.
func path(name string) string {
	switch name {
	case fusedSSSE3:
		return "ssse3/fused_amd64.s"
	case fusedAVX2:
		return "avx2/fused_amd64.s"
	}
	return name + "/stream_amd64.s"
}

// Names of the fused kernels of backends, which have files of their own.
const (
	fusedSSSE3 = "ssse3-fused"
	fusedAVX2  = "avx2-fused"
)

// backends maps the name of each backend to what writes it.
var backends = map[string]func(g *generator){
	"amd64scalar": func(g *generator) {
		for _, c := range ciphers {
			(&scalar{generator: g, cipher: c, registers: generalRegisters, base: operand.NewStackAddr(0)}).write()
		}
	},
	"ssse3": func(g *generator) {
		g.isa = sse
		g.data(16)
		g.zeros(256)
		for _, c := range ciphers {
			g.row(c, 16, 1)
			g.row(c, 16, 2)
			g.lane(c, 16, 1)
			g.lane(c, 16, 2)
			g.mixedRow(c, 16, 2, 1)
			g.mixedLane(c, 16, 1, 1)
			g.mixedLane(c, 16, 2, 1)
		}
		g.leadLane(&chacha, 16, 2, 0, 0)
		g.leadLane(&chacha, 16, 2, 0, 1)
	},
	fusedAVX2: func(g *generator) {
		g.isa, g.bytes = avx2, 32
		g.Package(registryPath)
		g.laneData()
		for _, groups := range []int{2, 3} {
			g.newFusedMulx(groups, true).write()
			g.newFusedMulx(groups, false).write()
		}
	},
	fusedSSSE3: func(g *generator) {
		g.isa, g.bytes = sse, 16
		g.Package(registryPath)
		g.laneData()
		for _, groups := range []int{1, 2} {
			g.newFused(groups, true).write()
			g.newFused(groups, false).write()
		}
	},
	"avx2": func(g *generator) {
		g.isa = avx2
		g.data(32)
		g.zeros(512)
		for _, c := range ciphers {
			g.row(c, 16, 1)
			g.row(c, 32, 2)
			g.row(c, 32, 3)
			g.row(c, 32, 4)
			g.lane(c, 32, 1)
			g.lane(c, 32, 2)
			g.mixedRow(c, 32, 4, 1)
			g.mixedLane(c, 32, 1, 1)
			g.mixedLane(c, 32, 2, 1)
			g.mixedLane(c, 32, 3, 1)
		}
		g.mixedRow(&chacha, 32, 4, 2)
		g.mixedLane(&chacha, 32, 1, 2)
		g.mixedLane(&chacha, 32, 2, 2)
		g.mixedLaneRows(&chacha, 32, 2, 2, 1)
		g.mixedLaneRows(&chacha, 32, 2, 3, 1)
		g.leadLane(&chacha, 32, 1, 0, 1)
		g.leadLane(&chacha, 32, 2, 0, 1)
		g.leadLane(&chacha, 32, 2, 2, 1)
		g.leadLane(&chacha, 32, 2, 3, 1)
		g.leadLane(&chacha, 32, 3, 0, 1)
		g.leadLane(&chacha, 32, 1, 0, 0)
		g.leadLane(&chacha, 32, 2, 0, 0)
	},
	"avx512": func(g *generator) {
		g.isa, g.bytes = evex, 64
		g.data(64)
		g.zeros(1024)
		for _, c := range ciphers {
			g.row(c, 16, 1)
			g.row(c, 32, 2)
			g.row(c, 64, 3)
			g.row(c, 64, 4)
			g.row(c, 64, 8)
			g.row(c, 64, 12)
			g.lane(c, 32, 1)
			g.lane(c, 64, 1)
			g.lane(c, 64, 2)
			g.mixedRow(c, 64, 4, 1)
			g.mixedRow(c, 64, 8, 1)
			g.mixedLane(c, 64, 1, 1)
		}
		for scalars := range 2 {
			g.leadRow(&chacha, 64, 8, scalars)
			g.leadLane(&chacha, 64, 1, 0, scalars)
		}
		g.leadRow(&chacha, 64, 12, 0)
		g.leadLane(&chacha, 64, 2, 0, 0)
	},
}

var ciphers = []*cipher{&chacha, &salsa}

// row writes a row kernel of the given vector length and number of blocks.
func (g *generator) row(c *cipher, bytes, blocks int) { g.newRow(c, bytes, blocks).write() }

func (g *generator) newRow(c *cipher, bytes, blocks int) *row {
	sized := *g
	sized.bytes = bytes
	inVector := bytes / 16
	sets := (blocks + inVector - 1) / inVector
	return &row{generator: &sized, cipher: c, sets: sets, unused: sets*inVector - blocks}
}

// lane writes a lane kernel of the given vector length.
func (g *generator) lane(c *cipher, bytes, groups int) { g.newLane(c, bytes, groups).write() }

func (g *generator) newLane(c *cipher, bytes, groups int) *lane {
	sized := *g
	sized.bytes = bytes
	return &lane{generator: &sized, cipher: c, groups: groups, frameBase: regScratch}
}

// mixedRow writes a row kernel with scalar blocks before it.
func (g *generator) mixedRow(c *cipher, bytes, blocks, scalars int) {
	r := g.newRow(c, bytes, blocks)
	r.first = scalars
	newMixed(g, c, r, scalars).write()
}

// mixedLane writes a lane kernel with scalar blocks before it.
func (g *generator) mixedLane(c *cipher, bytes, groups, scalars int) {
	g.mixedLaneRows(c, bytes, groups, 0, scalars)
}

// mixedLaneRows writes a kernel of lanes and sets of rows with scalar blocks before
// them.
func (g *generator) mixedLaneRows(c *cipher, bytes, groups, sets, scalars int) {
	l := g.newLane(c, bytes, groups)
	l.rows = sets
	l.first, l.scratch = scalars, mixedScratch
	newMixed(g, c, l, scalars).write()
}
