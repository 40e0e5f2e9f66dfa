package main

import (
	"fmt"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// An isa writes the instructions of one architecture. Vector arguments are
// variable names without sigil.
type isa struct{ arch gnuas.Arch }

func (t isa) arm() bool { return t.arch == gnuas.ARM }

// three is a vector instruction of three operands on 32-bit lanes.
func (t isa) three(arm, arm64, d, a, b string) string {
	if t.arm() {
		return fmt.Sprintf("%s q$%s, q$%s, q$%s", arm, d, a, b)
	}
	return fmt.Sprintf("%s v$%s.4s, v$%s.4s, v$%s.4s", arm64, d, a, b)
}

// add is d = a + b.
func (t isa) add(d, a, b string) string { return t.three("vadd.i32", "add", d, a, b) }

// add64 is d = a + b on 64-bit lanes.
func (t isa) add64(d, a, b string) string {
	if t.arm() {
		return fmt.Sprintf("vadd.i64 q$%s, q$%s, q$%s", d, a, b)
	}
	return fmt.Sprintf("add v$%s.2d, v$%s.2d, v$%s.2d", d, a, b)
}

// eor is d = a ^ b.
func (t isa) eor(d, a, b string) string {
	if t.arm() {
		return fmt.Sprintf("veor q$%s, q$%s, q$%s", d, a, b)
	}
	return fmt.Sprintf("eor v$%s.16b, v$%s.16b, v$%s.16b", d, a, b)
}

// shl is d = a << n.
func (t isa) shl(d, a string, n int) string {
	if t.arm() {
		return fmt.Sprintf("vshl.i32 q$%s, q$%s, #%d", d, a, n)
	}
	return fmt.Sprintf("shl v$%s.4s, v$%s.4s, #%d", d, a, n)
}

// sri inserts a >> n below the top n bits of d.
func (t isa) sri(d, a string, n int) string {
	if t.arm() {
		return fmt.Sprintf("vsri.32 q$%s, q$%s, #%d", d, a, n)
	}
	return fmt.Sprintf("sri v$%s.4s, v$%s.4s, #%d", d, a, n)
}

// rotate is d = a <<< n with d and a distinct.
func (t isa) rotate(d, a string, n int) []string {
	return []string{t.shl(d, a, n), t.sri(d, a, 32-n)}
}

// rotate16 is d = d <<< 16.
func (t isa) rotate16(d string) string {
	if t.arm() {
		return fmt.Sprintf("vrev32.16 q$%s, q$%s", d, d)
	}
	return fmt.Sprintf("rev32 v$%s.8h, v$%s.8h", d, d)
}

// rotate8 is d = d <<< 8 by a table look-up of bytes with the indices in k.
func (t isa) rotate8(d, k string) []string {
	if t.arm() {
		return []string{
			fmt.Sprintf("vtbl.8 d$%s.l, {d$%s.l}, d$%s.l", d, d, k),
			fmt.Sprintf("vtbl.8 d$%s.h, {d$%s.h}, d$%s.l", d, d, k),
		}
	}
	return []string{fmt.Sprintf("tbl v$%s.16b, {v$%s.16b}, v$%s.16b", d, d, k)}
}

// rotate8Indices fills k for rotate8, through a general variable t.
func (t isa) rotate8Indices(k string) []string {
	if t.arm() {
		return []string{
			"movw r%t0, #0x0003", "movt r%t0, #0x0201",
			"movw r%t1, #0x0407", "movt r%t1, #0x0605",
			fmt.Sprintf("vmov d$%s.l, r%%t0, r%%t1", k),
		}
	}
	return []string{
		"movz x%t0, #0x0003", "movk x%t0, #0x0201, lsl #16",
		"movk x%t0, #0x0407, lsl #32", "movk x%t0, #0x0605, lsl #48",
		"movz x%t1, #0x0808", "movk x%t1, #0x0808, lsl #16",
		"movk x%t1, #0x0808, lsl #32", "movk x%t1, #0x0808, lsl #48",
		"add x%t1, x%t1, x%t0",
		fmt.Sprintf("mov v$%s.d[0], x%%t0", k),
		fmt.Sprintf("mov v$%s.d[1], x%%t1", k),
	}
}

// turn rotates the lanes of d: lane i becomes lane i+n.
func (t isa) turn(d, s string, n int) string {
	if t.arm() {
		return fmt.Sprintf("vext.8 q$%s, q$%s, q$%s, #%d", d, s, s, 4*n)
	}
	return fmt.Sprintf("ext v$%s.16b, v$%s.16b, v$%s.16b, #%d", d, s, s, 4*n)
}

// x names a general variable of pointer size.
func (t isa) x(name string) string {
	if t.arm() {
		return "r%" + name
	}
	return "x%" + name
}

// w names a general variable of 32 bits.
func (t isa) w(name string) string {
	if t.arm() {
		return "r%" + name
	}
	return "w%" + name
}

// loadWords loads four 32-bit words in host order and advances the pointer.
func (t isa) loadWords(d, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("vld1.32 {d$%s.l, d$%s.h}, [r%%%s]!", d, d, pointer)
	}
	return fmt.Sprintf("ld1 {v$%s.4s}, [x%%%s], #16", d, pointer)
}

// loadLane loads one 32-bit word in host order into all lanes and advances the
// pointer.
func (t isa) loadLane(d, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("vld1.32 {d$%s.l[], d$%s.h[]}, [r%%%s]!", d, d, pointer)
	}
	return fmt.Sprintf("ld1r {v$%s.4s}, [x%%%s], #4", d, pointer)
}

// loadBytes loads 16 bytes and advances the pointer.
func (t isa) loadBytes(d, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("vld1.8 {d$%s.l, d$%s.h}, [r%%%s]!", d, d, pointer)
	}
	return fmt.Sprintf("ld1 {v$%s.16b}, [x%%%s], #16", d, pointer)
}

// storeBytes stores 16 bytes and advances the pointer.
func (t isa) storeBytes(d, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("vst1.8 {d$%s.l, d$%s.h}, [r%%%s]!", d, d, pointer)
	}
	return fmt.Sprintf("st1 {v$%s.16b}, [x%%%s], #16", d, pointer)
}

// loadStride loads 16 bytes and advances the pointer by the variable stride.
func (t isa) loadStride(d, pointer string) string { return t.strided("vld1.8", "ld1", d, pointer) }

// storeStride stores 16 bytes and advances the pointer by the variable stride.
func (t isa) storeStride(d, pointer string) string { return t.strided("vst1.8", "st1", d, pointer) }

func (t isa) strided(arm, arm64, d, pointer string) string {
	if t.arm() {
		return fmt.Sprintf("%s {d$%s.l, d$%s.h}, [r%%%s], r%%stride", arm, d, d, pointer)
	}
	return fmt.Sprintf("%s {v$%s.16b}, [x%%%s], x%%stride", arm64, d, pointer)
}

// loadPair loads two vectors of 32-bit words in host order.
func (t isa) loadPair(d, e, pointer string, offset int) string {
	return gnuas.LoadVectors(pairText("ldp", d, e, pointer, offset), "4s", "v$"+d, "v$"+e)
}

func pairText(op, d, e, pointer string, offset int) string {
	return fmt.Sprintf("%s q$%s, q$%s, [x%%%s, #%d]", op, d, e, pointer, offset)
}

// xorPair writes src XOR rows to dst, at the offset. m and n name temporaries.
func (t isa) xorPair(row, next, m, n string, offset int) []string {
	return []string{
		gnuas.LoadVectors(pairText("ldp", m, n, "src", offset), "16b", "v$"+m, "v$"+n),
		t.eor(m, m, row), t.eor(n, n, next),
		gnuas.StoreVectors(pairText("stp", m, n, "dst", offset), "16b", "v$"+m, "v$"+n),
	}
}

// one sets d to the 64-bit lanes {1, 0}.
func (t isa) one(d string) []string {
	if t.arm() {
		return []string{
			fmt.Sprintf("vmov.i32 q$%s, #0", d),
			fmt.Sprintf("vmov.i64 d$%s.l, #0xffffffffffffffff", d),
			fmt.Sprintf("vshr.u64 d$%s.l, d$%s.l, #63", d, d),
		}
	}
	return []string{
		fmt.Sprintf("movi v$%s.2d, #0", d),
		"mov x%t0, #1",
		fmt.Sprintf("mov v$%s.d[0], x%%t0", d),
	}
}

// vectors returns the vector registers and how they move.
func (t isa) vectors() registerFile {
	f := registerFile{sigil: "$", slotSize: 16}
	if t.arm() {
		f.pool = upTo(16)
		pair := func(op string) func(reg, offset int) []string {
			return func(reg, offset int) []string {
				return []string{
					fmt.Sprintf("%s d%d, [sp, #%d]", op, 2*reg, offset),
					fmt.Sprintf("%s d%d, [sp, #%d]", op, 2*reg+1, offset+8),
				}
			}
		}
		f.load, f.store = pair("vldr"), pair("vstr")
		f.move = func(to, from int) []string { return []string{fmt.Sprintf("vmov q%d, q%d", to, from)} }
		f.loadLow = func(reg, offset int) []string { return pair("vldr")(reg, offset)[:1] }
		return f
	}
	f.pool = upTo(32)
	single := func(op string) func(reg, offset int) []string {
		return func(reg, offset int) []string { return []string{fmt.Sprintf("%s q%d, [sp, #%d]", op, reg, offset)} }
	}
	f.load, f.store = single("ldr"), single("str")
	f.move = func(to, from int) []string { return []string{fmt.Sprintf("mov v%d.16b, v%d.16b", to, from)} }
	return f
}

// pointed makes loads and stores of the frame whole on arm, through a general
// variable with the address, which only one is alive at a time of.
func (f registerFile) pointed() registerFile {
	n := 0
	whole := func(op, list string) func(reg, offset int) []string {
		return func(reg, offset int) []string {
			n++
			p := fmt.Sprintf("r%%p%d", n)
			return []string{
				fmt.Sprintf("add %s, sp, #%d", p, offset),
				fmt.Sprintf("%s {%s}, [%s] @ sp+%d", op, fmt.Sprintf(list, 2*reg, 2*reg+1), p, offset),
			}
		}
	}
	f.load, f.store = whole("vld1.64", "d%d, d%d"), whole("vst1.64", "d%d, d%d")
	f.loadLow = whole("vld1.64", "d%[1]d")
	return f
}

// generals returns the general registers and how they move.
func (t isa) generals() registerFile {
	f := registerFile{sigil: "%"}
	letter := "x"
	if t.arm() {
		letter, f.slotSize = "r", 4
		f.pool = append(upTo(10), 12, 14)
	} else {
		f.slotSize = 8
		f.pool = append(upTo(18), 19, 20, 21, 22, 23, 24, 25, 26)
	}
	single := func(op string) func(reg, offset int) []string {
		return func(reg, offset int) []string {
			return []string{fmt.Sprintf("%s %s%d, [sp, #%d]", op, letter, reg, offset)}
		}
	}
	f.load, f.store = single("ldr"), single("str")
	f.move = func(to, from int) []string { return []string{fmt.Sprintf("mov %s%d, %s%d", letter, to, letter, from)} }
	return f
}

// upTo lists the integers below n.
func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}
