package inorder

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// arm64Operand finds register names in an operand. The zero register is none.
var arm64Operand = regexp.MustCompile(`\b(?:([xwvqdsbh])(\d+)|(w?sp))\b`)

// arm64Registers returns the registers named in an operand.
func arm64Registers(operand string) []Register {
	var out []Register
	for _, m := range arm64Operand.FindAllStringSubmatch(operand, -1) {
		n, _ := strconv.Atoi(m[2])
		switch {
		case m[3] != "":
			out = append(out, 31)
		case m[1] == "x" || m[1] == "w":
			out = append(out, Register(n))
		default:
			out = append(out, firstVector+Register(n))
		}
	}
	return out
}

// arm64Quad says of an operand that it is a whole 128-bit register, or a lane
// of one.
var arm64Quad = regexp.MustCompile(`\.(16b|8h|4s|2d)|\bq\d|\.[sd]\[`)

// decodeARM64 understands one line of 64-bit assembly, as LLVM writes it.
func decodeARM64(text string) (Op, error) {
	mnemonic, rest, _ := strings.Cut(text, " ")
	base, condition, _ := strings.Cut(mnemonic, ".")
	operands := gnuas.Operands(rest)
	lists := make([][]Register, len(operands))
	for i, o := range operands {
		lists[i] = arm64Registers(o)
	}
	all := slices.Concat(lists...)
	vector := slices.ContainsFunc(all, Register.vector)
	quad := arm64Quad.MatchString(rest)
	switch {
	case hasAnyPrefix(base, "ld", "st", "cas", "swp") || base == "prfm":
		return arm64Memory(base, rest, operands, lists, vector, quad), nil
	case vector:
		return arm64Vector(base, operands, lists, quad), nil
	}
	return arm64Integer(base, condition, operands, lists), nil
}

func arm64Memory(base, rest string, operands []string, lists [][]Register, vector, quad bool) Op {
	var data, address []Register
	memory := len(operands)
	for i, o := range operands {
		if isMemory(o) {
			memory = i
			address = lists[i]
		} else if i < memory {
			data = append(data, lists[i]...)
		}
	}
	op := Op{Class: Load, Moved: len(data), Quad: quad}
	if vector {
		op.Class = VectorLoad
		if quad {
			op.Moved *= 2
		}
	}
	if len(address) > 0 && (strings.Contains(rest, "!") || memory < len(operands)-1) {
		op.Updates = address[:1]
	}
	if !strings.HasPrefix(base, "st") {
		op.Writes, op.Reads = data, address
		return op
	}
	op.Class++ // the store of the same kind
	op.Reads = slices.Concat(data, address)
	return op
}

// arm64Merges are the vector instructions that read their destination.
var arm64Merges = []string{"sli", "sri", "umlal", "smlal", "umlsl", "mla", "mls", "fmla", "ins", "bsl", "bit", "bif", "usra", "ssra", "tbx", "xtn2", "shrn2"}

func arm64Vector(base string, operands []string, lists [][]Register, quad bool) Op {
	op := Op{Class: VectorArithmetic, Quad: quad, Writes: lists[0], Reads: slices.Concat(lists[1:]...)}
	if len(op.Writes) > 0 && !op.Writes[0].vector() {
		op.Class = VectorToCore
		return op
	}
	if hasAnyPrefix(base, arm64Merges...) || strings.Contains(operands[0], "[") {
		op.Reads = append(op.Reads, lists[0]...)
	}
	switch {
	case hasAnyPrefix(base, "umlal", "umlsl", "umull", "smull", "smlal", "mul", "mla", "mls", "pmull", "sqdm"):
		op.Class = VectorMultiply
	case hasAnyPrefix(base, "ext", "tbl", "tbx", "zip", "uzp", "trn", "dup", "rev"):
		op.Class = VectorPermute
	case base == "sli" || base == "sri" || base == "usra" || base == "ssra":
		op.Class = VectorInsert
	}
	return op
}

func arm64Integer(base, condition string, operands []string, lists [][]Register) Op {
	all := slices.Concat(lists...)
	switch base {
	case "b", "bl", "br", "blr", "ret", "cbz", "cbnz", "tbz", "tbnz":
		if condition != "" {
			all = append(all, flags)
		}
		return Op{Class: Branch, Reads: all}
	case "mul", "umulh", "smulh", "madd", "msub", "mneg", "umull", "smull", "umaddl", "smaddl":
		return Op{Class: Multiply, Writes: lists[0], Reads: slices.Concat(lists[1:]...)}
	}
	op := Op{Shifted: slices.ContainsFunc(operands, isShift)}
	switch base {
	case "cmp", "cmn", "tst":
		op.Reads, op.Writes = all, []Register{flags}
		return op
	case "ccmp", "ccmn":
		op.Reads, op.Writes = append(all, flags), []Register{flags}
		return op
	}
	if len(lists) == 0 {
		return op
	}
	op.Writes = slices.Clone(lists[0])
	op.Reads = slices.Concat(lists[1:]...)
	switch base {
	case "adc", "adcs", "sbc", "sbcs", "ngc", "ngcs", "csel", "cinc", "cset", "csetm", "csinc", "csinv", "csneg", "cneg":
		op.Reads = append(op.Reads, flags)
	case "movk", "bfi", "bfxil":
		op.Reads = append(op.Reads, lists[0]...)
	}
	switch base {
	case "adds", "subs", "adcs", "sbcs", "ands", "bics", "negs", "ngcs":
		op.Writes = append(op.Writes, flags)
	}
	return op
}
