package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// byteOrders says what the generated files rely on.
var byteOrders = map[gnuas.Arch]string{
	gnuas.ARM: `
NEON loads and stores src and dst by bytes, so that its text is the same in both
byte orders.
`,
	gnuas.ARM64: `
Registers are loaded and stored whole, in pairs: little-endian, as every arm64 of Go.
`,
}

// Layouts, as drawn at the top of the generated files.
const (
	arguments5 = `
Arguments: dst, src, len (bytes, whole steps), state, rounds. Each step loads the
state by 32-bit words, runs the rounds, adds the state with the counter of each
block, and stores src XOR keystream. The counter is 64 bits wide in every block.
Letters in the register maps: s rows of the state, k the byte indices of a rotation
by 8, one the 64-bit lanes {1, 0}; low, high the counter; n the rounds left.
`
	rowLayout = `
ChaCha, a row a vector (block i has ai bi ci di):

         lane 0  lane 1  lane 2  lane 3
  ai       0       1       2       3
  bi       4       5       6       7
  ci       8       9      10      11
  di      12      13      14      15

Between half rounds a, c and d turn by one, two and three lanes against b, which
is the last to be ready.
`
	salsaRowLayout = `
Salsa20, a diagonal a vector (block i has ai bi ci di):

         lane 0  lane 1  lane 2  lane 3
  ai       0       5      10      15
  bi       4       9      14       3
  ci       8      13       2       7
  di      12       1       6      11

Between column and row rounds b, c and d turn and b and d change places.
`
	salsaPairLayout = `
Salsa20, blocks A and B, diagonals a b c d as with one block; the even lanes of both
blocks share a vector (a0 b0 c0 d0) and the odd lanes (a1 b1 c1 d1):

         lane 0  lane 1  lane 2  lane 3
  a0      A 0     B 0     A 10    B 10
  a1      A 5     B 5     A 15    B 15
  ...

To turn a diagonal by one lane is to exchange the two and turn one of them by two.
`
	laneLayout = `
Lanes: vector xg_w holds word w of the four blocks of group g:

         lane 0   lane 1   lane 2   lane 3
  x0_w  block 0  block 1  block 2  block 3

Nothing turns during the rounds. At the end each four vectors are transposed into
a row of four blocks.
`
	scalarLayout = `
Scalar block: yw holds word w. For ChaCha on 32-bit ARM, words 4-7 are kept rotated
left by 25 and words 12-15 by 24: their last rotation rides in later operands.
`
)

// describe returns the comment above a function: its prototype and where its
// variables are when a turn of each loop begins.
func (k *kernel) describe(loops []registerMap) string {
	var b strings.Builder
	prototype := k.prototype
	if k.stream() {
		prototype = streamPrototype
	}
	fmt.Fprintf(&b, "func %s(%s)\n", k.name, prototype)
	fmt.Fprintf(&b, "%d blocks a step.\n", k.blocks)
	for i, m := range loops {
		fmt.Fprintf(&b, "\nRegisters at label rounds%d:\n", i+1)
		m.write(&b, k.arch)
	}
	return b.String()
}

// A registerMap is the places of vector and general variables.
type registerMap struct{ vectors, generals places }

func (m registerMap) write(b *strings.Builder, a gnuas.Arch) {
	vector, general := "q", "r"
	if a == gnuas.ARM64 {
		vector, general = "v", "x"
	}
	var entries, framed []string
	for _, file := range []struct {
		letter string
		at     places
	}{{vector, m.vectors}, {general, m.generals}} {
		names := make([]string, 0, len(file.at))
		for v := range file.at {
			names = append(names, v)
		}
		sort.Slice(names, func(i, j int) bool {
			x, y := file.at[names[i]], file.at[names[j]]
			if x != y {
				return x < y
			}
			return names[i] < names[j]
		})
		for _, v := range names {
			if file.at[v] == inFrame {
				framed = append(framed, v[1:])
				continue
			}
			entries = append(entries, fmt.Sprintf("%s%d %s", file.letter, file.at[v], v[1:]))
		}
	}
	wrap(b, entries)
	if len(framed) > 0 {
		b.WriteString("In the frame:\n")
		wrap(b, framed)
	}
}

// wrap writes entries in indented lines.
func wrap(b *strings.Builder, entries []string) {
	line := " "
	for _, e := range entries {
		if len(line)+len(e) > 74 {
			b.WriteString(strings.TrimSuffix(line, ",") + ",\n")
			line = " "
		}
		line += " " + e + ","
	}
	if line != " " {
		b.WriteString(strings.TrimSuffix(line, ",") + "\n")
	}
}
