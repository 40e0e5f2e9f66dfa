package main

import (
	"encoding/binary"
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
)

// data writes the read-only data of a backend whose vectors have up to the
// given number of bytes.
func (g *generator) data(bytes int) {
	words := func(f func(i int) uint32) []uint32 { return vectorWords(bytes, f) }
	counters := func(f func(block int) uint32) []uint32 {
		out := make([]uint32, 4*bytes/4)
		for i := 0; i < len(out); i += 4 {
			out[i] = f(i / 4)
		}
		return out
	}
	g.static("laneNumbers", words(func(i int) uint32 { return uint32(i) }))
	g.static("blockNumbers", counters(func(block int) uint32 { return uint32(block) }))
	for n := 1; n <= 4*bytes/16; n++ {
		g.static(fmt.Sprintf("advance%d", n), counters(func(int) uint32 { return uint32(n) })[:bytes/4])
	}
	if g.isa == evex {
		g.static("one", []uint32{1})
		return
	}
	g.static("signs", words(func(int) uint32 { return 1 << 31 }))
	g.static("rotate16", words(rotation(16)))
	g.static("rotate8", words(rotation(8)))
	if g.isa != sse {
		return
	}
	for _, mask := range []int{0x1, 0x2, 0xa, 0xc, 0x6} {
		g.static(fmt.Sprintf("words%x", mask), words(func(i int) uint32 {
			return -uint32(mask >> (i % 4) & 1)
		}))
	}
}

// zeros writes a table of so many bytes that are 0.
func (g *generator) zeros(bytes int) {
	g.constants["zeros"] = g.StaticGlobal("zeros")
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	g.AddDatum(bytes-4, operand.U32(0))
}

// laneData writes the read-only data that a lane kernel of ChaCha needs where
// there are no rotate instructions.
func (g *generator) laneData() {
	g.static("laneNumbers", vectorWords(g.bytes, func(i int) uint32 { return uint32(i) }))
	g.static("signs", vectorWords(g.bytes, func(int) uint32 { return 1 << 31 }))
	g.static("rotate16", vectorWords(g.bytes, rotation(16)))
	g.static("rotate8", vectorWords(g.bytes, rotation(8)))
}

// vectorWords returns word i of a vector by f, from 0 on.
func vectorWords(bytes int, f func(i int) uint32) []uint32 {
	out := make([]uint32, bytes/4)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// rotation returns the byte shuffle that rotates words left by n bits, by words.
func rotation(n int) func(word int) uint32 {
	return func(word int) uint32 {
		var b [4]byte
		for j := range b {
			b[j] = byte(word%4*4 + (j+4-n/8)%4)
		}
		return binary.LittleEndian.Uint32(b[:])
	}
}

// static writes one read-only table.
func (g *generator) static(name string, words []uint32) {
	g.constants[name] = g.StaticGlobal(name)
	g.DataAttributes(attr.RODATA | attr.NOPTR)
	for i, w := range words {
		g.AddDatum(4*i, operand.U32(w))
	}
}
