package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// A fused kernel has Poly1305 in base 2^32 in general registers beside ChaCha20 in
// vectors, over as many bytes: sixteen blocks for four of ChaCha20.

const fusedLayout = `
The MAC: Poly1305 in base 2^32 beside the vectors, over as many bytes, sixteen blocks
a step: three in each two double rounds, the last with the output. It loads words in
little-endian order. The bytes of a step are read before the step writes any, so that
it may run over src in place.

  h0-h4      accumulator, h4 not yet folded
  rr0-rr3    multiplier, clamped
  ss1-ss3    5/4 of rr1 to rr3
  mac        next block

internal/polyasm/blocks_arm.s has the columns of the product and their bounds, which
are the same here.

Each step loads the state by 32-bit words, runs the rounds, adds the state with the
counter of each block, and stores src XOR keystream. The counter is 64 bits wide in
every block. Letters in the register maps: k the byte indices of a rotation by 8; low,
high the counter; n the rounds left; hp where the accumulator is kept.
`

// macWords are the variables of the MAC that pass from step to step.
var macWords = []string{"h0", "h1", "h2", "h3", "h4", "mac", "hp"}

// macConstants are those that nothing changes.
var macConstants = []string{"rr0", "rr1", "rr2", "rr3", "ss1", "ss2", "ss3"}

// fusedArguments are those of func(dst, src []byte, state *[16]uint32,
// h *[3]uint64, r *[2]uint64, mac *byte).
var fusedArguments = []argument{
	{"dst", "dst_base", 0}, {"src", "src_base", 3}, {"len", "src_len", 4}, {"state", "state", 6},
	{"hp", "h", 7}, {"rp", "r", 8}, {"mac", "mac", 9},
}

// macSetup reads the multiplier and the accumulator.
func macSetup() []string {
	var code []string
	for i := range 4 {
		code = append(code, gnuas.Half("ldr", fmt.Sprintf("r%%rr%d", i), "r%rp", i))
		if i > 0 {
			code = append(code, fmt.Sprintf("add r%%ss%d, r%%rr%d, r%%rr%d, lsr #2", i, i, i))
		}
	}
	for i := range 5 {
		code = append(code, gnuas.Half("ldr", fmt.Sprintf("r%%h%d", i), "r%hp", i))
	}
	return code
}

// macBlock absorbs a block: h = (h + block + 2^128) * r. What is above bit 130 of h
// comes back, as four times and once, after the block has been added, which need not
// wait for it. n distinguishes the temporaries of several blocks.
func macBlock(n int) []string {
	var code []string
	line := func(format string, args ...any) { code = append(code, fmt.Sprintf(format, args...)) }
	v := func(name string, i int) string { return fmt.Sprintf("r%%%s%d_%d", name, i, n) }
	h := func(i int) string { return fmt.Sprintf("r%%h%d", i) }
	load := func(i int, address string) {
		ldr := fmt.Sprintf("ldr %s, %s", v("m", i), address)
		code = append(code, gnuas.Either(ldr+readsMessage, ldr, fmt.Sprintf("rev %s, %s", v("m", i), v("m", i))))
	}
	for i := 1; i < 4; i++ {
		load(i, fmt.Sprintf("[r%%mac, #%d]", 4*i))
	}
	load(0, "[r%mac], #16")
	line("bic %s, %s, #3", v("c", 0), h(4))
	line("add %s, %s, %s, lsr #2", v("c", 0), v("c", 0), h(4))
	line("and %s, %s, #3", h(4), h(4))
	line("adds %s, %s, %s", v("a", 0), h(0), v("m", 0))
	for i := 1; i < 4; i++ {
		line("adcs %s, %s, %s", v("a", i), h(i), v("m", i))
	}
	line("adc %s, %s, #1", v("a", 4), h(4))
	line("adds %s, %s, %s", v("a", 0), v("a", 0), v("c", 0))
	for i := 1; i < 4; i++ {
		line("adcs %s, %s, #0", v("a", i), v("a", i))
	}
	line("adc %s, %s, #0", v("a", 4), v("a", 4))

	started := [4]bool{}
	multiply := func(column, limb int, coefficient string) {
		op := "umlal"
		if !started[column] {
			op, started[column] = "umull", true
		}
		line("%s %s, %s, %s, r%%%s", op, h(column), v("u", column), v("a", limb), coefficient)
	}
	carry := func(column int) {
		line("adds %s, %s, %s", h(column), h(column), v("u", column-1))
		line("adc %s, %s, #0", v("u", column), v("u", column))
	}
	multiply(0, 0, "rr0")
	multiply(1, 0, "rr1")
	multiply(0, 1, "ss3")
	multiply(1, 1, "rr0")
	multiply(0, 2, "ss2")
	multiply(1, 2, "ss3")
	multiply(0, 3, "ss1")
	multiply(1, 3, "ss2")
	multiply(1, 4, "ss1")
	carry(1)
	multiply(2, 0, "rr2")
	multiply(3, 1, "rr2")
	multiply(3, 0, "rr3")
	multiply(2, 1, "rr1")
	multiply(3, 2, "rr1")
	carry(2)
	multiply(2, 2, "rr0")
	multiply(3, 3, "rr0")
	multiply(2, 3, "ss3")
	multiply(3, 4, "ss3")
	line("mul %s, r%%rr0, %s", h(4), v("a", 4))
	multiply(2, 4, "ss2")
	carry(3)
	line("add %s, %s, %s", h(4), h(4), v("u", 3))
	return code
}

// macFinish folds what is above bit 130 and stores the accumulator.
func macFinish() []string {
	code := []string{
		"bic r%c, r%h4, #3", "add r%c, r%c, r%h4, lsr #2", "and r%h4, r%h4, #3",
		"adds r%h0, r%h0, r%c", "adcs r%h1, r%h1, #0", "adcs r%h2, r%h2, #0", "adcs r%h3, r%h3, #0", "adc r%h4, r%h4, #0",
		"mov r%zero, #0", gnuas.Half("str", "r%zero", "r%hp", 5),
	}
	for i := range 5 {
		code = append(code, gnuas.Half("str", fmt.Sprintf("r%%h%d", i), "r%hp", i))
	}
	return code
}

// fused adds the MAC to a kernel of four blocks in lanes that runs two double rounds
// in its loop: three blocks in each turn of it, and the last in the end.
func fused(k *kernel) *kernel {
	k.arguments = fusedArguments
	k.prototype = "dst, src []byte, state *[16]uint32, h *[3]uint64, r *[2]uint64, mac *byte"
	k.framedWords, k.framedConstants = macWords, macConstants
	k.setup = append(k.setup, macSetup()...)
	k.begin[0] = "mov r%n, #20"
	var stream []string
	for n := range 3 {
		stream = append(stream, macBlock(n)...)
	}
	body := k.rounds[0].body
	vectorBody, count := body[:len(body)-1], body[len(body)-1]
	k.rounds = []loop{{body: append(interleave(vectorBody, stream), count)}}
	end := writingLast(k.end)
	k.end = append(interleave(end[:len(end)-1], macBlock(3)), end[len(end)-1])
	k.finish = macFinish()
	return k
}

// writingLast marks the stores to dst, which may be where the MAC still reads.
func writingLast(code []string) []string {
	out := slices.Clone(code)
	for i, text := range out {
		if strings.HasPrefix(text, "vst1.8 ") {
			out[i] += afterMessage
		}
	}
	return out
}

// fusedFile is ChaCha20-Poly1305 in one pass on 32-bit ARM: a step of ChaCha20 alone,
// to begin with, and one with the MAC.
func fusedFile() *file {
	t := isa{gnuas.ARM}
	order := laneOrder{inPairs, 10, 2}
	return &file{
		path: "backends/neonfused/fused_arm.s", arch: t.arch, doc: laneLayout + fusedLayout,
		kernels: []*kernel{
			pointed(t.laneKernel("chachaX4", "chacha", 1, 0, order, cortexA9)),
			pointed(fused(t.laneKernel("chachaPolyX4", "chacha", 1, 0, order, cortexA9))),
		},
	}
}
