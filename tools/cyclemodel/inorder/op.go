package inorder

import "strings"

// A Class says which pipe an instruction goes to and how its latency is found.
type Class uint8

// The classes of instructions.
const (
	Integer Class = iota
	Branch
	Multiply
	Load
	Store
	VectorLoad
	VectorStore
	VectorArithmetic
	VectorInsert // shift and insert, shift and accumulate
	VectorMultiply
	VectorPermute
	VectorToCore
)

// vector reports whether the class belongs to the NEON unit.
func (c Class) vector() bool { return c >= VectorLoad }

// A Register is one register of either instruction set.
type Register uint8

// Integer registers are numbered from 0 (r0, x0; 31 is sp of arm64), vector
// registers from firstVector: d0 to d31 of arm, v0 to v31 of arm64.
const (
	flags       Register = 32
	firstVector Register = 64
	registers            = 96
)

func (r Register) vector() bool { return r >= firstVector }

// An Op is an instruction as the scoreboard sees it.
type Op struct {
	Class   Class
	Reads   []Register
	Writes  []Register
	Updates []Register // address registers of a load or store that it changes
	Moved   int        // by a load or store: integer registers, or units of 64 bits of vectors
	Quad    bool       // works on 128 bits
	Shifted bool       // an integer operation with a shifted register operand
}

// Vector reports whether the instruction belongs to the NEON unit.
func (op *Op) Vector() bool { return op.Class.vector() }

// isMemory reports whether an operand is an address: one in brackets. A
// register with a lane index is not.
func isMemory(operand string) bool { return strings.HasPrefix(operand, "[") }

// isShift reports whether an operand is the shift of the register before it.
func isShift(operand string) bool {
	op, _, _ := strings.Cut(operand, " ")
	switch op {
	case "lsl", "lsr", "asr", "ror", "rrx":
		return true
	}
	return false
}

// hasAnyPrefix reports whether s begins with one of the prefixes.
func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
