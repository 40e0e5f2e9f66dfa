package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An isa is one way to write vector instructions.
type isa int

const (
	sse  isa = iota // 128 bits, two operands, 16 registers
	avx2            // 128 or 256 bits, three operands, 16 registers
	evex            // 128 to 512 bits, three operands, 32 registers, rotations
)

// Registers of every kernel. R14 and R15 are Go's own, BP is the frame.
var (
	regDst     = reg.RDI
	regSrc     = reg.RSI
	regLen     = reg.RCX
	regState   = reg.RDX
	regRounds  = reg.RBX // double rounds
	regLoop    = reg.RAX // double rounds left
	regFirst   = reg.RBX // where a lead writes the first block, after the rounds
	regScratch = reg.R8  // 64-byte aligned room on the stack
	regCounter = reg.R9
)

const signature = "func(dst, src []byte, state *[16]uint32, rounds int)"

// generator writes the kernels of one backend.
type generator struct {
	*build.Context
	isa       isa
	bytes     int // vector length
	constants map[string]operand.Mem
	summaries *[]summary
}

// constant returns the read-only data of the given name.
func (g *generator) constant(name string) operand.Mem {
	m, ok := g.constants[name]
	if !ok {
		panic("no constant " + name)
	}
	return m
}

// transposeQuarters transposes a 4x4 matrix whose elements are 128 bits wide.
func (g *generator) transposeQuarters(x []*int, spare *int) {
	shuffle := func(n uint8) func(dst, a, b int) {
		return func(dst, a, b int) {
			g.VSHUFI32X4(operand.U8(n), g.vector(b), g.vector(a), g.vector(dst))
		}
	}
	butterfly(x[0], x[1], spare, shuffle(0x44), shuffle(0xee))
	butterfly(x[2], x[3], spare, shuffle(0x44), shuffle(0xee))
	butterfly(x[0], x[2], spare, shuffle(0x88), shuffle(0xdd))
	butterfly(x[1], x[3], spare, shuffle(0x88), shuffle(0xdd))
	*x[1], *x[2] = *x[2], *x[1]
}

// dialect returns how the rounds are spelled.
func (g *generator) dialect() dialect {
	return dialect{rotates: g.isa == evex, threeOperand: g.isa != sse}
}

// needsShuffles reports whether the rounds of c rotate by bytes.
func (g *generator) needsShuffles(c *cipher) bool { return g.isa != evex && c == &chacha }

// vector returns vector register n at the current vector length.
func (g *generator) vector(n int) reg.Register { return vectorOf(n, g.bytes) }

// vectorOf returns vector register n at the given length in bytes.
func vectorOf(n, bytes int) reg.Register {
	spec := map[int]reg.Spec{16: reg.S128, 32: reg.S256, 64: reg.S512}[bytes]
	return reg.Vector.Lookup(reg.Index(n), spec)
}

// function starts a kernel and loads its arguments.
func (g *generator) function(name string) {
	g.Function(name)
	g.SignatureExpr(signature)
	g.Load(g.Param("dst").Base(), regDst)
	g.Load(g.Param("src").Base(), regSrc)
	g.Load(g.Param("src").Len(), regLen)
	g.Load(g.Param("state"), regState)
	g.Load(g.Param("rounds"), regRounds)
	g.SHRQ(operand.U8(1), regRounds)
}

// loadCounter loads the block counter. Not as one double word: the caller has just
// written the halves, and a load that takes parts from two stores has to wait for
// both to reach the cache.
func (g *generator) loadCounter(c *cipher) {
	g.MOVL(at(regState, 4*c.counter), reg.R9L)
	g.MOVL(at(regState, 4*c.counter+4), reg.R10L)
	g.SHLQ(operand.U8(32), reg.R10)
	g.ORQ(reg.R10, regCounter)
}

// alignScratch points regScratch at the aligned part of the frame.
func (g *generator) alignScratch() {
	g.LEAQ(operand.NewStackAddr(63), regScratch)
	g.ANDQ(operand.I8(-64), regScratch)
}

// end leaves the kernel, whose scratch is now known to have the given number
// of bytes.
func (g *generator) end(scratch int) {
	if g.isa != sse {
		g.VZEROUPPER()
	}
	g.RET()
	if scratch > 0 {
		g.AllocLocal(scratch + 64)
	}
	g.nosplit(scratch)
}

// nosplit leaves out the stack check, which may be done only where the frame
// is small.
func (g *generator) nosplit(scratch int) {
	if scratch <= 128 {
		g.Attributes(attr.NOSPLIT)
	}
}

// at returns memory at base+offset.
func at(base reg.Register, offset int) operand.Mem {
	return operand.Mem{Base: base, Disp: offset}
}

// loop emits body between a label and a count of regLoop down to zero.
func (g *generator) loop(label string, body func()) {
	g.MOVQ(regRounds, regLoop)
	g.Label(label)
	body()
	g.DECQ(regLoop)
	g.JNZ(operand.LabelRef(label))
}

// steps emits body for each step of n bytes of input.
func (g *generator) steps(label string, n int, body func()) {
	g.Label(label)
	body()
	g.ADDQ(operand.U32(n), regSrc)
	g.ADDQ(operand.U32(n), regDst)
	g.SUBQ(operand.U32(n), regLen)
	g.JNZ(operand.LabelRef(label))
}

// add emits dst = a + b in words.
func (g *generator) add(dst, a, b operand.Op) {
	if g.isa == sse {
		a, b = g.twoOperand(dst, a, b)
		g.PADDL(b, dst)
		return
	}
	g.VPADDD(b, a, dst)
}

// add64 emits dst = a + b in double words.
func (g *generator) add64(dst, a, b operand.Op) {
	if g.isa == sse {
		a, b = g.twoOperand(dst, a, b)
		g.PADDQ(b, dst)
		return
	}
	g.VPADDQ(b, a, dst)
}

// xor emits dst = a ^ b.
func (g *generator) xor(dst, a, b operand.Op) {
	switch g.isa {
	case sse:
		a, b = g.twoOperand(dst, a, b)
		g.PXOR(b, dst)
	case avx2:
		g.VPXOR(b, a, dst)
	default:
		g.VPXORD(b, a, dst)
	}
}

// twoOperand brings a into dst for an instruction dst = dst op b that commutes.
func (g *generator) twoOperand(dst, a, b operand.Op) (operand.Op, operand.Op) {
	if dst == b {
		a, b = b, a
	}
	if dst != a {
		g.move(dst, a)
	}
	return a, b
}

// move emits dst = a between registers or a register and aligned scratch.
func (g *generator) move(dst, a operand.Op) {
	switch g.isa {
	case sse:
		g.MOVO(a, dst)
	case avx2:
		g.VMOVDQA(a, dst)
	default:
		g.VMOVDQA32(a, dst)
	}
}

// moveUnaligned emits an unaligned load or store.
func (g *generator) moveUnaligned(dst, a operand.Op) {
	switch g.isa {
	case sse:
		g.MOVOU(a, dst)
	case avx2:
		g.VMOVDQU(a, dst)
	default:
		g.VMOVDQU32(a, dst)
	}
}

// xorStore emits dst[offset:] = src[offset:] ^ x, clobbering x. What lies before dst is
// the block that a lead writes by itself.
func (g *generator) xorStore(offset int, x, spare operand.Op) {
	if offset < 0 {
		g.moveUnaligned(at(regFirst, 64+offset), x)
		return
	}
	if g.isa == sse {
		g.MOVOU(at(regSrc, offset), spare)
		g.PXOR(spare, x)
	} else {
		g.xor(x, x, at(regSrc, offset))
	}
	g.moveUnaligned(at(regDst, offset), x)
}

// operation emits one operation on registers; b may be memory.
func (g *generator) operation(k kind, dst, a, b operand.Op, n int) {
	if g.isa == sse && k != opMove && k != opPermute && k != opAdd && k != opXor && dst != a {
		panic(fmt.Sprintf("kind %d needs its destination as first source", k))
	}
	count := operand.U8(n)
	switch k {
	case opAdd:
		g.add(dst, a, b)
	case opXor:
		g.xor(dst, a, b)
	case opMove:
		g.move(dst, a)
	case opRotate:
		g.VPROLD(count, a, dst)
	case opShuffle:
		if g.isa == sse {
			g.PSHUFB(b, dst)
		} else {
			g.VPSHUFB(b, a, dst)
		}
	case opPermute:
		if g.isa == sse {
			g.PSHUFL(count, a, dst)
		} else {
			g.VPSHUFD(count, a, dst)
		}
	case opLeft:
		if g.isa == sse {
			g.PSLLL(count, dst)
		} else {
			g.VPSLLD(count, a, dst)
		}
	case opRight:
		if g.isa == sse {
			g.PSRLL(count, dst)
		} else {
			g.VPSRLD(count, a, dst)
		}
	}
}
