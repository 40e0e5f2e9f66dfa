package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/quarterround/quarterround/tools/amd64gen/mulq"
)

// A summary is what the head of the file says about one kernel.
type summary struct {
	name       string
	blocks     int
	operations int // on whole registers, per double round
	turns      int // of these, rotations, shifts and shuffles
	memory     int // loads and stores between registers and homes, per double round
	chain      int // dependent operations, per double round
}

// summarize records a kernel for the head of the file.
func (g *generator) summarize(name string, blocks int, body []operation, code []instruction) {
	s := summary{name: name, blocks: blocks, chain: criticalPath(body)}
	for _, op := range body {
		switch op.kind {
		case opMove:
		case opAdd, opXor:
			s.operations++
		default:
			s.operations++
			s.turns++
		}
	}
	for _, in := range code {
		if in.dst.inMemory || in.a.inMemory || in.b.inMemory {
			s.memory++
		}
	}
	*g.summaries = append(*g.summaries, s)
}

// criticalPath returns by how many dependent operations one more pass of the
// body makes the longest chain longer.
func criticalPath(body []operation) int {
	depth := map[variable]int{}
	longest := 0
	pass := func() int {
		for _, op := range body {
			d := depth[op.a]
			if op.reads(2) {
				d = max(d, depth[op.b])
			}
			if op.kind != opMove {
				d++
			}
			depth[op.dst] = d
			longest = max(longest, d)
		}
		return longest
	}
	pass()
	before := pass()
	return pass() - before
}

const vectorMap = `
General registers, the same in all kernels:

	DI  dst                 AX  double rounds left
	SI  src                 BX  double rounds
	CX  bytes left          R8  64-byte aligned part of the frame
	DX  state               R9  block counter, R10 a copy
`

const rowLayout = `
Rows: the kernels named in the table as rows hold one row of the matrix of a
block in 128 bits, and as many blocks as a vector has 128 bits. Set s of four
vectors is registers 4s to 4s+3, drawn for one block; temporaries follow, then
the rows with the block counter that are kept from step to step.

	         ChaCha: bit 127 .. 0            Salsa20: bit 127 .. 0
	V(4s)    | x3  | x2  | x1  | x0  |       | x15 | x10 | x5  | x0  |
	V(4s+1)  | x7  | x6  | x5  | x4  |       | x3  | x14 | x9  | x4  |
	V(4s+2)  | x11 | x10 | x9  | x8  |       | x7  | x2  | x13 | x8  |
	V(4s+3)  | x15 | x14 | x13 | x12 |       | x11 | x6  | x1  | x12 |

Between the rounds three rows are rotated by words. The one that is finished
last, the second of ChaCha and the first of Salsa20, stays, so that no rotation
lies on the longest chain.
`

const laneLayout = `
Lanes: the other kernels hold one word of the matrix of as many blocks as a
vector has 32-bit lanes.

	         lane n                 lane 1          lane 0
	V(i)     | xi of block n | .. | xi of block 1 | xi of block 0 |

Where 16 such vectors a group, temporaries and byte shuffles are more than the
registers hold, those that are needed last are at home in the frame: which
register holds what changes from instruction to instruction and is the choice
of the generator. After the rounds each four words are transposed within 128
bits, then 128-bit parts across the vector.
`

const mixedLayout = `
The kernels of %d blocks and more whose number is odd are those of one block less with
one more, the first of a step, in all general registers but R8 and SP: the table lists
the work in vectors alone. The words of that block which do not fit and what the arguments
say are at the start of the aligned part of the frame:

	 0(R8)  block counter, 64 bits      16(R8)  double rounds
	 8(R8)  bytes done                  20(R8)  double rounds left
	24(R8)  words of the state and on
`

const twoBlocksLayout = `
The kernels of 6, 10 and 18 blocks have two more blocks than vectors do, one after
the other: each takes two double rounds beside one of the vectors. There 16(R8) and
20(R8) count pairs of double rounds, 24(R8) the blocks that are left of the two, and the
words are at 28(R8).
`

const rowsBesideLanes = `
The kernels of 21 and 23 blocks have two and three sets of rows beside two groups of
lanes, in registers or at home as these are: the last four or six blocks of a step.
`

const leadLayout = `
Lead kernels are one step of the kernel of as many blocks, whose first block, the scalar
one if there is one, goes to the argument first as it is. If the message ends in the last
part of the output, the last group of lanes or set of rows, or the rows beside lanes, that
is put as plain keystream, by XOR with zeros, into the frame behind the 128 bytes of the
scalar block. BX points to first where that comes from vectors.
`

const scalarLayout = `
The general registers hold the 16 words of the state but for those that are
needed last, which are in the frame: which register holds what changes from
instruction to instruction and is the choice of the generator. DX points to the
state before the rounds. The frame:

	 0(SP)  block counter, 64 bits      16(SP)  double rounds
	 8(SP)  bytes done                  20(SP)  double rounds left
	24(SP)  words of the state and on
`

// header returns the comment at the head of the file.
func (g *generator) header(scalar bool) string {
	var b strings.Builder
	ports, turning, latency := 4, 2, 2
	if scalar {
		b.WriteString(scalarLayout)
		ports, turning, latency = 6, 3, 1
	} else {
		b.WriteString(vectorMap + rowLayout + laneLayout)
		leastMixed := 5
		if g.isa == sse {
			leastMixed = 3
		}
		fmt.Fprintf(&b, mixedLayout, leastMixed)
		if g.isa == avx2 {
			b.WriteString(twoBlocksLayout + rowsBesideLanes)
		}
		b.WriteString(leadLayout)
	}
	fmt.Fprintf(&b, `
Work of a double round of one step, and what bounds it in cycles where an
operation takes %d and %d ports do it, %d of them rotations, shifts and shuffles
(Zen 5). "memory" counts operands in the frame or among the constants. Cycles
measured are in stream.go.

	%-12s%7s%12s%7s%8s%7s%9s%7s
`, latency, ports, turning, "kernel", "blocks", "operations", "turns", "memory", "chain", "latency", "ports")
	for _, s := range *g.summaries {
		bound := max(float64(s.operations)/float64(ports), float64(s.turns)/float64(turning))
		fmt.Fprintf(&b, "\t%-12s%7d%12d%7d%8d%7d%9d%7.1f\n", s.name, s.blocks, s.operations, s.turns, s.memory, s.chain, s.chain*latency, bound)
	}
	return b.String()
}

const fusedLayout = `
ChaCha20-Poly1305: ChaCha20 in lanes, one or two groups of four blocks, with Poly1305
in base 2^64, reduced after each block, in the general registers meanwhile. SSSE3 is
all they need: CPUs without AVX2 have no MULX.

	         lane 3          lane 2          lane 1          lane 0
	X(i)     | xi of block 3 | xi of block 2 | xi of block 1 | xi of block 0 |

Two groups hide the latency of each other's operations where that is two cycles.
Vectors that are needed last are at home in the frame, and which register holds what
changes from instruction to instruction: it is the choice of the generator.

General registers in the rounds:

	R14 R15 BP  words of the accumulator and of the product, in turn
	BX          top word of the accumulator     R11 R12  r0, r1
	CX R10      words of the product            R13      5*r1/4
	AX DX       operand and product             SI       next block of the MAC
	R8          64-byte aligned part of the frame
	R9          passes of the loop left

Between the rounds DI is dst and SI src, where lanes are written out, and R9 the block
counter, with R10 a copy, where they are set up. The frame at R8:

	 0 block counter    8 bytes done    64 vectors

The instructions of the MAC lie between those of the rounds in proportion. With four
blocks three MAC blocks go beside each two double rounds, with eight three beside each
double round, so that the words of the accumulator are again where they were; the one
or two that are left of a step come after the rounds. Seal authenticates the ciphertext
of the step before, and that of the last step at the end, not reduced from block to
block, as Poly1305 with MULX: alone, the MAC has to have a short chain. Open
authenticates what it is about to decrypt.

A MAC block is

	D0 = lo(h0*r0) + lo(h1*q)                                       q = 5*r1/4
	D1 = hi(h0*r0) + hi(h1*q) + lo(h0*r1) + lo(h1*r0) + h2*q
	D2 =                        hi(h0*r1) + hi(h1*r0) + h2*r0
	h  = (D0, D1, D2 mod 4) + 5*(D2 div 4)

Bounds: r0, r1 < 2^60 and q < 5/4 * 2^60. On entry h < 2^131, so with the block h2 <= 9.
hi(h0*r0) + hi(h1*q) + h2*q < (1 + 5/4 + 9*5/4) * 2^60 + 1 does not overflow, nor does
D2 < (2 + 9) * 2^60 + 2. After a block h2 <= 4.

Work of a step in vector operations of the rounds, those of them on two ports, operands
in the frame or among the constants, and instructions of the MAC; and what bounds it in
cycles on Zen 5, where a vector operation takes two and there are four ports for it: by
the latency of the rounds, by that of the MAC, and by vector ports. Measured are 2.48
and 1.85 cycles a byte, what the rounds alone take.

	%-8s%12s%7s%8s%6s%9s%6s%7s
`

// fusedHeader returns the comment at the head of the file of the fused kernels.
func (g *generator) fusedHeader() string {
	var b strings.Builder
	fmt.Fprintf(&b, fusedLayout, "blocks", "operations", "turns", "memory", "MAC", "latency", "MAC", "ports")
	for _, s := range *g.summaries {
		line := fmt.Sprintf("\t%-8d%12d%7d%8d%6d%9d%6d%7d\n", s.blocks,
			doubleRounds*s.operations, doubleRounds*s.turns, doubleRounds*s.memory, 4*s.blocks*mulq.Instructions,
			2*doubleRounds*s.chain, 4*s.blocks*mulq.Latency, doubleRounds*s.operations/4)
		if !strings.Contains(b.String(), line) { // seal and open are alike
			b.WriteString(line)
		}
	}
	return b.String()
}

// insertHeader puts the header, as a comment, behind the build constraint.
func insertHeader(text []byte, header string) []byte {
	var comment bytes.Buffer
	for line := range strings.Lines(strings.TrimPrefix(header, "\n")) {
		comment.WriteString(strings.TrimRight("// "+line, " \n") + "\n")
	}
	const constraint = "//go:build gc && !purego\n"
	return bytes.Replace(text, []byte(constraint), append([]byte(constraint+"\n"), comment.Bytes()...), 1)
}
