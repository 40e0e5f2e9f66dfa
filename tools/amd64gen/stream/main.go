package main

import (
	"flag"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	flags := flag.NewFlagSet("stream", flag.ExitOnError)
	out := flags.String("out", "", "file to write")
	name := flags.String("backend", "", "avx512, avx2, ssse3 or amd64scalar")
	flags.Parse(os.Args[1:])
	ctx := build.NewContext()
	ctx.ConstraintExpr("gc,!purego")
	backends[*name](&generator{Context: ctx, constants: map[string]operand.Mem{}})
	f, err := ctx.Result()
	if err != nil {
		log.Fatal(err)
	}
	if err := pass.Compile.Execute(f); err != nil {
		log.Fatal(err)
	}
	text, err := printer.NewGoAsm(printer.Config{Name: "amd64gen/stream", Argv: []string{"go", "run", "./amd64gen/stream"}}).Print(f)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, text, 0o644); err != nil {
		log.Fatal(err)
	}
}

// backends maps the name of each backend to what writes it.
var backends = map[string]func(g *generator){
	"amd64scalar": func(g *generator) {
		for _, c := range ciphers {
			(&scalar{generator: g, cipher: c}).write()
		}
	},
	"ssse3": func(g *generator) {
		g.isa = sse
		g.data(16)
		for _, c := range ciphers {
			g.row(c, 16, 1)
			g.row(c, 16, 2)
			g.lane(c, 16, 1)
		}
	},
	"avx2": func(g *generator) {
		g.isa = avx2
		g.data(32)
		for _, c := range ciphers {
			g.row(c, 16, 1)
			g.row(c, 32, 2)
			g.row(c, 32, 3)
			g.row(c, 32, 4)
			g.lane(c, 32, 1)
			g.lane(c, 32, 2)
		}
	},
	"avx512": func(g *generator) {
		g.isa, g.bytes = evex, 64
		g.data(64)
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
		}
	},
}

var ciphers = []*cipher{&chacha, &salsa}

// row writes a row kernel of the given vector length and number of blocks.
func (g *generator) row(c *cipher, bytes, blocks int) {
	sized := *g
	sized.bytes = bytes
	inVector := bytes / 16
	sets := (blocks + inVector - 1) / inVector
	(&row{generator: &sized, cipher: c, sets: sets, unused: sets*inVector - blocks}).write()
}

// lane writes a lane kernel of the given vector length.
func (g *generator) lane(c *cipher, bytes, groups int) {
	sized := *g
	sized.bytes = bytes
	(&lane{generator: &sized, cipher: c, groups: groups}).write()
}
