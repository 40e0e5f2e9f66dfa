package inorder

import (
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// cpu returns the core of that name.
func cpu(t *testing.T, name string) *CPU {
	t.Helper()
	i := slices.IndexFunc(CPUs, func(c *CPU) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no CPU %s", name)
	}
	return CPUs[i]
}

// sequence makes a trace that executes the lines once.
func sequence(arch *trace.Arch, lines ...string) *trace.Trace {
	tr := &trace.Trace{Arch: arch}
	for i, l := range lines {
		tr.Instructions = append(tr.Instructions, trace.Instruction{Text: l})
		tr.Order = append(tr.Order, i)
	}
	return tr
}

// perIteration returns the cycles that one more run through the lines takes
// when they are repeated.
func perIteration(t *testing.T, c *CPU, lines ...string) float64 {
	t.Helper()
	tr := sequence(c.Arch, lines...)
	ops, err := Decode(tr)
	if err != nil {
		t.Fatal(err)
	}
	const runs = 100
	first := c.Cycles(ops, slices.Repeat(tr.Order, runs))
	return float64(c.Cycles(ops, slices.Repeat(tr.Order, 2*runs))-first) / runs
}

func TestCycles(t *testing.T) {
	for _, test := range []struct {
		name, cpu string
		lines     []string
		want      float64
	}{
		{"single issue", "cortex-a7", []string{"add r0, r1, r2", "add r3, r4, r5"}, 2},
		{"two independent operations pair", "cortex-a8", []string{"add r0, r1, r2", "add r3, r4, r5"}, 1},
		{"a dependent one does not pair", "cortex-a8", []string{"add r0, r0, r1", "add r0, r0, r2"}, 2},
		{"two loads do not pair", "cortex-a8", []string{"ldr r0, [r8]", "ldr r1, [r9]"}, 2},
		{"a flag is an operand", "cortex-a8", []string{"adcs r0, r1, r2", "adcs r3, r4, r5"}, 2},
		{"a condition is an operand", "cortex-a8", []string{"addsne r0, r1, r2", "addsne r3, r4, r5"}, 2},
		{"pointer chase costs the load latency", "cortex-a7", []string{"ldr r0, [r0]"}, 3},
		{"writing back an address does not", "cortex-a7", []string{"ldr r0, [r1], #4"}, 1},
		{"a shifted operand costs a cycle on A7", "cortex-a7", []string{"add r0, r0, r0, ror #16"}, 2},
		{"and none on A8", "cortex-a8", []string{"add r0, r0, r0, ror #16"}, 1},
		{"chain of multiplications", "cortex-a8", []string{"umlal r0, r1, r0, r2"}, 6},
		{"independent multiplications", "cortex-a8", []string{"umull r0, r1, r8, r9", "umull r2, r3, r8, r9"}, 8},
		{"a load of four registers takes two cycles", "cortex-a7", []string{"ldm r9, {r0, r1, r2, r3}"}, 2},

		{"128 bits take two cycles on A7", "cortex-a7", []string{"vadd.i32 q0, q4, q5", "vadd.i32 q1, q6, q7"}, 4},
		{"64 bits take one", "cortex-a7", []string{"vadd.i32 d0, d8, d10", "vadd.i32 d2, d12, d14"}, 2},
		{"chained they wait for the latency", "cortex-a7", []string{"vadd.i32 q0, q0, q1"}, 5},
		{"NEON blocks the integer side on A7", "cortex-a7", []string{"vadd.i32 q0, q4, q5", "add r0, r1, r2"}, 3},
		{"but not on A8", "cortex-a8", []string{"vadd.i32 q0, q4, q5", "add r0, r1, r2"}, 1},
		{"permutation beside arithmetic on A8", "cortex-a8", []string{"vadd.i32 q0, q4, q5", "vext.8 q1, q6, q6, #4"}, 1},
		{"not on A7", "cortex-a7", []string{"vadd.i32 q0, q4, q5", "vext.8 q1, q6, q6, #4"}, 4},
		{"shift and insert reads its destination", "cortex-a7", []string{"vsri.32 q0, q1, #25"}, 5},
		{"d registers are halves of q registers", "cortex-a7", []string{"vadd.i32 q0, q4, q5", "vadd.i32 d8, d1, d2"}, 5 + 4},
		{"32 bytes stored take four cycles", "cortex-a7", []string{"vst1.8 {d0, d1, d2, d3}, [r0]!"}, 4},

		{"A53 pairs NEON with integer", "cortex-a53", []string{"add v0.4s, v1.4s, v2.4s", "add w0, w1, w2"}, 1},
		{"A53 does not pair NEON with NEON", "cortex-a53", []string{"add v0.4s, v1.4s, v2.4s", "eor v3.16b, v4.16b, v5.16b"}, 2},
		{"A53 NEON latency", "cortex-a53", []string{"add v0.4s, v0.4s, v2.4s"}, 3},
		{"zero register is no operand", "cortex-a53", []string{"add x0, xzr, x1", "adds xzr, x2, x3"}, 1},
		{"carry chain on A53", "cortex-a53", []string{"adcs x0, x1, x2", "adcs x3, x4, x5", "adcs x6, x7, x8"}, 3},
		{"multiplier of A53", "cortex-a53", []string{"mul x0, x1, x2", "umulh x3, x1, x2"}, 6},
		{"128 bits loaded take a cycle on A53", "cortex-a53", []string{"ld1 { v0.16b, v1.16b }, [x0], #32"}, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := perIteration(t, cpu(t, test.cpu), test.lines...); got != test.want {
				t.Errorf("on %s %s takes %v cycles, want %v", test.cpu, strings.Join(test.lines, "; "), got, test.want)
			}
		})
	}
}

func TestDecodeRefusesUnknown(t *testing.T) {
	if _, err := Decode(sequence(trace.ARM, "frobnicate r0, r1")); err == nil {
		t.Error("an unknown instruction was decoded")
	}
}

func TestDecodeARM(t *testing.T) {
	const d = firstVector
	for _, test := range []struct {
		text string
		want Op
	}{
		{"bls #-20", Op{Class: Branch, Reads: []Register{flags}}},
		{"bl #16", Op{Class: Branch}},
		{"bics r0, r1, r2", Op{Reads: []Register{1, 2}, Writes: []Register{0, flags}}},
		{"movs r0, #1", Op{Writes: []Register{0, flags}}},
		{"movlo r0, r1", Op{Reads: []Register{1, flags, 0}, Writes: []Register{0}}},
		{"movt r0, #7", Op{Reads: []Register{0}, Writes: []Register{0}}},
		{"add r0, r1", Op{Reads: []Register{1, 0}, Writes: []Register{0}}},
		{"eor lr, r1, r12, ror #16", Op{Reads: []Register{1, 12}, Writes: []Register{14}, Shifted: true}},
		{"ldrd r0, r1, [sp, #8]", Op{Class: Load, Reads: []Register{13}, Writes: []Register{0, 1}, Moved: 2}},
		{"str r0, [r1, #4]!", Op{Class: Store, Reads: []Register{0, 1}, Updates: []Register{1}, Moved: 1}},
		{"push {r4, lr}", Op{Class: Store, Reads: []Register{4, 14, 13}, Updates: []Register{13}, Moved: 2}},
		{"umaal r0, r1, r2, r3", Op{Class: Multiply, Reads: []Register{0, 1, 2, 3}, Writes: []Register{0, 1}}},
		{"vmlal.u32 q0, d2, d4[1]", Op{Class: VectorMultiply, Reads: []Register{d + 2, d + 4, d, d + 1}, Writes: []Register{d, d + 1}, Quad: true}},
		{"vmov.32 d1[0], r2", Op{Class: VectorArithmetic, Reads: []Register{2, d + 1}, Writes: []Register{d + 1}}},
		{"vmov r2, r3, d1", Op{Class: VectorToCore, Reads: []Register{3, d + 1}, Writes: []Register{2, 3}}},
		{"vld1.32 {d0, d1}, [r1], r2", Op{Class: VectorLoad, Reads: []Register{1, 2}, Writes: []Register{d, d + 1}, Updates: []Register{1}, Moved: 2}},
		{"vstmia r0, {d8, d9}", Op{Class: VectorStore, Reads: []Register{d + 8, d + 9, 0}, Moved: 2}},
	} {
		got, err := decodeARM(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, test.text, got, test.want)
	}
}

func TestDecodeARM64(t *testing.T) {
	const v = firstVector
	for _, test := range []struct {
		text string
		want Op
	}{
		{"b.ne #-20", Op{Class: Branch, Reads: []Register{flags}}},
		{"adcs x0, x1, xzr", Op{Reads: []Register{1, flags}, Writes: []Register{0, flags}}},
		{"eor w0, w1, w2, ror #12", Op{Reads: []Register{1, 2}, Writes: []Register{0}, Shifted: true}},
		{"movk x0, #1, lsl #16", Op{Reads: []Register{0}, Writes: []Register{0}, Shifted: true}},
		{"umulh x0, x1, x2", Op{Class: Multiply, Reads: []Register{1, 2}, Writes: []Register{0}}},
		{"ldp x0, x1, [sp], #16", Op{Class: Load, Reads: []Register{31}, Writes: []Register{0, 1}, Updates: []Register{31}, Moved: 2}},
		{"stp q0, q1, [x2, #32]", Op{Class: VectorStore, Reads: []Register{v, v + 1, 2}, Moved: 4, Quad: true}},
		{"umlal2 v0.2d, v1.4s, v2.s[1]", Op{Class: VectorMultiply, Reads: []Register{v + 1, v + 2, v}, Writes: []Register{v}, Quad: true}},
		{"sri v0.4s, v1.4s, #25", Op{Class: VectorInsert, Reads: []Register{v + 1, v}, Writes: []Register{v}, Quad: true}},
		{"mov v0.d[1], x3", Op{Class: VectorArithmetic, Reads: []Register{3, v}, Writes: []Register{v}, Quad: true}},
		{"mov x3, v0.d[1]", Op{Class: VectorToCore, Reads: []Register{v}, Writes: []Register{3}, Quad: true}},
		{"tbl v0.16b, { v1.16b }, v2.16b", Op{Class: VectorPermute, Reads: []Register{v + 1, v + 2}, Writes: []Register{v}, Quad: true}},
	} {
		got, err := decodeARM64(test.text)
		if err != nil {
			t.Error(err)
			continue
		}
		check(t, test.text, got, test.want)
	}
}

// check compares an Op with what is wanted; the order of registers does not
// matter.
func check(t *testing.T, text string, got, want Op) {
	t.Helper()
	same := got.Class == want.Class && got.Moved == want.Moved && got.Quad == want.Quad && got.Shifted == want.Shifted &&
		sameSet(got.Reads, want.Reads) && sameSet(got.Writes, want.Writes) && sameSet(got.Updates, want.Updates)
	if !same {
		t.Errorf("%s:\ngot  %+v\nwant %+v", text, got, want)
	}
}

func sameSet(a, b []Register) bool { return slices.Equal(set(a), set(b)) }

func set(r []Register) []Register { return slices.Compact(slices.Sorted(slices.Values(r))) }
