package schedule

import (
	"slices"
	"strings"
	"testing"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

func lines(text string) []string {
	return strings.Split(strings.TrimSpace(text), "\n")
}

// checkOrder schedules text and fails unless the result is a permutation in
// which a comes before b.
func checkOrder(t *testing.T, arch gnuas.Arch, m *Machine, text, a, b string) {
	t.Helper()
	for _, loop := range []bool{false, true} {
		got := lines(Body(arch, m, text, loop))
		want := lines(text)
		x, y := slices.Clone(got), slices.Clone(want)
		slices.Sort(x)
		slices.Sort(y)
		if !slices.Equal(x, y) {
			t.Fatalf("not a permutation: %q", got)
		}
		i, j := slices.Index(got, a), slices.Index(got, b)
		if i < 0 || j < 0 || i > j {
			t.Errorf("loop %v: %q at %d is not before %q at %d", loop, a, i, b, j)
		}
	}
}

func TestDependenciesARM64(t *testing.T) {
	for _, c := range []struct{ name, a, b string }{
		{"read after write", "mul x0, x1, x2", "add x3, x0, x0"},
		{"write after read", "add x3, x0, x0", "mul x0, x1, x2"},
		{"write after write", "add x0, x3, x3", "mul x0, x1, x2"},
		{"flags", "adds x0, x1, x2", "adc x3, x4, x5"},
		{"flags overwritten", "adc x3, x4, x5", "adds x0, x1, x2"},
		{"accumulator", "umull v0.2d, v1.2s, v2.s[1]", "umlal v0.2d, v3.2s, v4.s[0]"},
		{"shift and insert", "ushr v0.4s, v1.4s, #20", "sli v0.4s, v1.4s, #12"},
		{"masked in place", "bic v0.4s, #252, lsl #24", "add v1.4s, v0.4s, v0.4s"},
		{"lane", "mov v0.d[1], x1", "add v1.2d, v0.2d, v0.2d"},
		{"bit field", "bfi x0, x1, #32, #26", "stp x0, x2, [sp, #16]"},
		{"stack", "stp x0, x1, [sp, #16]", "ldr q0, [sp, #16]"},
		{"pair of stack slots", "str q1, [sp, #32]", "ldp q2, q3, [sp, #16]"},
		{"advanced pointer", "ldp x0, x1, [x2], #16", "add x3, x2, #1"},
		{"list", "ld4r {v0.4s-v3.4s}, [x3], #16", "add v4.4s, v2.4s, v2.4s"},
		{"same base", "stp q0, q1, [x0, #0]", "ldp q2, q3, [x0, #0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkOrder(t, gnuas.ARM64, CortexA53, c.a+"\nlsr x20, x21, #3\n"+c.b, c.a, c.b)
		})
	}
}

func TestDependenciesARM(t *testing.T) {
	for _, c := range [][2]string{
		{"umull r0, r1, r2, r3", "umlal r4, r5, r1, r6"},
		{"umlal r0, r1, r2, r3", "adds r4, r4, r1"},
		{"adds r0, r0, r1", "adcs r2, r2, #0"},
		{"vmull.u32 q5, d20, d0[1]", "vmlal.u32 q5, d21, d4[0]"},
		{"vld4.32 {d20, d22, d24, d26}, [r2]!", "vshr.u32 q14, q13, #8"},
		{"vld4.32 {d20, d22, d24, d26}, [r2]!", "vld4.32 {d21, d23, d25, d27}, [r2]!"},
		{"vtrn.32 d10, d11", "vadd.i32 d20, d20, d11"},
		{"vsra.u64 q9, q8, #26", "vand q8, q8, q15"},
		{"vbic.i32 d10, #0xfc000000", "vadd.i32 d20, d20, d10"},
		{"vadd.i32 d20, d20, d1", "vld1.32 {d0-d3}, [r4]"},
		{"str r0, [sp, #32]", "ldr r1, [sp, #32]"},
	} {
		for _, m := range []*Machine{CortexA7, CortexA8, CortexA9} {
			checkOrder(t, gnuas.ARM, m, c[0]+"\nmov r9, r12\n"+c[1], c[0], c[1])
		}
	}
}

// TestFillsGaps checks that independent work moves between a product and what
// waits for it.
func TestFillsGaps(t *testing.T) {
	text := "mul x0, x1, x2\nadd x3, x0, x0\nadd x4, x5, x6\nadd x7, x8, x9\nadd x10, x11, x12"
	got := lines(Body(gnuas.ARM64, CortexA53, text, false))
	if got[0] != "mul x0, x1, x2" || got[len(got)-1] != "add x3, x0, x0" {
		t.Errorf("order %q", got)
	}
}

// TestBothForms checks that a line keeps its form for big-endian processors, which is
// not looked at.
func TestBothForms(t *testing.T) {
	text := gnuas.LoadBytes("ldr x1, [x0]", "x1")
	if got := lines(Body(gnuas.ARM64, CortexA53, "add x2, x1, x3\n"+text, false)); got[1] != text {
		t.Errorf("order %q", got)
	}
}
