package gnuas

import (
	"fmt"
	"strings"
)

// eitherSign is between the two forms of a line.
const eitherSign = " || "

// Either returns a line that is little on little-endian processors and big on
// others.
func Either(little string, big ...string) string {
	return little + eitherSign + strings.Join(big, "; ")
}

// Little returns the form of a line for little-endian processors.
func Little(line string) string {
	little, _, _ := strings.Cut(line, eitherSign)
	return little
}

// LoadBytes returns a load of general registers whose bytes are in little-endian
// order in memory.
func LoadBytes(load string, registers ...string) string {
	return Either(load, append([]string{load}, reverse(registers)...)...)
}

// StoreBytes returns a store of general registers whose bytes shall be in
// little-endian order in memory.
func StoreBytes(store string, registers ...string) string {
	return Either(store, append(reverse(registers), store)...)
}

func reverse(registers []string) []string {
	var code []string
	for _, r := range registers {
		code = append(code, fmt.Sprintf("rev %s, %s", r, r))
	}
	return code
}

// LoadVectors returns an arm64 load of whole 128-bit vectors, such as "v0", which
// makes the first element in memory the first of the vector. Elements are 16b or
// 4s, and these in the order of the processor.
func LoadVectors(load, elements string, vectors ...string) string {
	return Either(load, append([]string{load}, turn(elements, vectors)...)...)
}

// StoreVectors returns the store that LoadVectors undoes.
func StoreVectors(store, elements string, vectors ...string) string {
	return Either(store, append(turn(elements, vectors), store)...)
}

// turn reverses the order of the elements.
func turn(elements string, vectors []string) []string {
	var code []string
	for _, v := range vectors {
		code = append(code,
			fmt.Sprintf("rev64 %s.%s, %s.%s", v, elements, v, elements),
			fmt.Sprintf("ext %s.16b, %s.16b, %s.16b, #8", v, v, v))
	}
	return code
}

// Half returns the line that loads or stores the i-th 32-bit half, the least significant
// first, of 64-bit limbs at base.
func Half(op, register, base string, i int) string {
	at := func(i int) string { return fmt.Sprintf("%s %s, [%s, #%d]", op, register, base, 4*i) }
	return Either(at(i), at(i^1))
}
