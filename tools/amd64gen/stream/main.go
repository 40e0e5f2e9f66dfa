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
	name := flags.String("backend", "avx512", "")
	lag := flags.Int("lag", 0, "")
	flags.Parse(os.Args[1:])
	ctx := build.NewContext()
	ctx.ConstraintExpr("gc,!purego")
	backends[*name](ctx, *lag)
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

var backends = map[string]func(*build.Context, int){
	"ssse3": func(ctx *build.Context, lag int) {
		g := &generator{Context: ctx, isa: sse, bytes: 16, constants: map[string]operand.Mem{}}
		g.data(16)
		for _, c := range []*cipher{&chacha, &salsa} {
			g.row(c, 16, 1)
			g.row(c, 16, 2)
			g.lane(c, 16, 1, 0)
		}
	},
	"avx2": func(ctx *build.Context, lag int) {
		g := &generator{Context: ctx, isa: avx2, bytes: 32, constants: map[string]operand.Mem{}}
		g.data(32)
		for _, c := range []*cipher{&chacha, &salsa} {
			g.row(c, 16, 1)
			g.row(c, 32, 1)
			g.row(c, 32, 2)
			g.lane(c, 32, 1, 0)
			g.lane(c, 32, 2, lag)
		}
	},
	"avx512": func(ctx *build.Context, lag int) {
		g := &generator{Context: ctx, isa: evex, bytes: 64, constants: map[string]operand.Mem{}}
		g.data(64)
		for _, c := range []*cipher{&chacha, &salsa} {
			g.row(c, 16, 1)
			g.row(c, 32, 1)
			g.row(c, 64, 1)
			g.lane(c, 32, 1, 0)
			g.lane(c, 64, 1, 0)
			g.lane(c, 64, 2, lag)
		}
	},
}

func (g *generator) row(c *cipher, bytes, sets int) {
	sized := *g
	sized.bytes = bytes
	(&row{generator: &sized, cipher: c, sets: sets}).write()
}

func (g *generator) lane(c *cipher, bytes, groups, lag int) {
	sized := *g
	sized.bytes = bytes
	(&lane{generator: &sized, cipher: c, groups: groups, lag: lag}).write()
}
