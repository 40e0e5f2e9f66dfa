package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// Kernels are described in GNU syntax in which registers may be variables:
// q$x, v$x.4s and d$x.l, d$x.h (the halves of a 128-bit register on arm) name
// the vector variable x; r%x, w%x and x%x name the general variable x. The
// allocator replaces them with numbers.

// A class says which unit of the processor executes an instruction.
type class int

const (
	scalar class = iota
	scalarMultiply
	scalarLoad
	scalarStore
	vector
	vectorPermute
	vectorLoad
	vectorStore
)

// An instruction is one line of text and what the allocator and the scheduler
// must know of it.
type instruction struct {
	text       string
	class      class
	defs, uses []string // registers, variables, "flags", and stack words "m8"
	// shifted is true if an operand passes through the shifter first.
	shifted bool
	// partial is true if part of a register is written, which may then have no
	// value before.
	partial bool
}

// Memory that is read before it is written: instructions with the one comment come
// before those with the other, by a resource of the name message.
const (
	message      = "message"
	readsMessage = " @ reads " + message
	afterMessage = " @ after " + message
)

// operandRegister matches a register or variable in an operand.
var operandRegister = regexp.MustCompile(`\b[qv]\$\w+|\bd\$\w+\.[lh]|\b[rwx]%\w+|\b([qdvrwx])(\d+)\b(?:-[dv](\d+)\b)?`)

var (
	vectorName     = regexp.MustCompile(`\b[qv]\d`)
	shiftedOperand = regexp.MustCompile(`\b(ror|lsl|lsr|asr) #`)
)

// registers lists what an operand names: variables as "$x" and "%x", arm
// vectors as their d registers, everything else as itself.
func registers(operand string) []string {
	var out []string
	for _, m := range operandRegister.FindAllStringSubmatch(operand, -1) {
		if i := strings.IndexAny(m[0], "$%"); i >= 0 {
			name, _, _ := strings.Cut(m[0][i:], ".")
			out = append(out, name)
			continue
		}
		low := number(m[2])
		high := low
		if m[3] != "" {
			high = number(m[3])
		}
		for n := low; n <= high; n++ {
			out = append(out, physical(m[1], n)...)
		}
	}
	return out
}

func physical(kind string, n int) []string {
	switch kind {
	case "q":
		return []string{"d" + itoa(2*n), "d" + itoa(2*n+1), "v" + itoa(n)}
	case "d":
		return []string{"d" + itoa(n)}
	case "v":
		return []string{"v" + itoa(n)}
	}
	return []string{"r" + itoa(n)}
}

// readModifyWrite lists mnemonics whose first operand is read as well.
var readModifyWrite = []string{
	"vsri", "vsli", "vsra", "vbit", "vbif", "vbsl",
	"sri", "sli", "usra", "ins", "bit", "bif", "bsl", "movt", "movk", "bfi",
}

// exchanges lists mnemonics that change both operands.
var exchanges = []string{"vtrn", "vswp", "vuzp", "vzip"}

// parse analyses one line. Branches are not for blocks that are allocated or
// scheduled.
func parse(text string) instruction {
	ins := instruction{text: text}
	bare, _, _ := strings.Cut(gnuas.Little(text), " @ ")
	mnemonic, rest, _ := strings.Cut(bare, " ")
	base, _, _ := strings.Cut(mnemonic, ".")
	ops := gnuas.Operands(rest)
	regs := make([][]string, len(ops))
	for i, o := range ops {
		regs[i] = registers(o)
	}
	all := slices.Concat(regs...)
	isVector := strings.HasPrefix(base, "v") || strings.ContainsAny(rest, "$") || vectorName.MatchString(rest)
	ins.class = classify(base, isVector)
	ins.shifted = ins.class == scalar && shiftedOperand.MatchString(rest)

	switch ins.class {
	case scalarLoad, vectorLoad, scalarStore, vectorStore:
		ins.memory(base, rest, ops, regs)
		if strings.HasSuffix(gnuas.Little(text), readsMessage) {
			ins.defs = append(ins.defs, message)
		}
		if strings.HasSuffix(gnuas.Little(text), afterMessage) {
			ins.uses = append(ins.uses, message)
		}
		return ins
	}
	switch {
	case slices.Contains(exchanges, base):
		ins.defs, ins.uses = all, all
	case base == "cmp" || base == "tst":
		ins.defs, ins.uses = []string{"flags"}, all
	case base == "umull":
		ins.defs, ins.uses = slices.Concat(regs[0], regs[1]), slices.Concat(regs[2:]...)
	case base == "umlal":
		ins.defs, ins.uses = slices.Concat(regs[0], regs[1]), all
	default:
		ins.defs = regs[0]
		ins.uses = slices.Concat(regs[1:]...)
		lane := strings.Contains(ops[0], "[") // writes one lane
		if slices.Contains(readModifyWrite, base) || lane || halfWritten(ops[0]) {
			ins.uses = append(ins.uses, regs[0]...)
			ins.partial = lane || halfWritten(ops[0])
		}
		if base == "adc" || base == "adcs" {
			ins.uses = append(ins.uses, "flags")
		}
		if base == "adds" || base == "subs" || base == "adcs" || base == "ands" {
			ins.defs = append(slices.Clone(ins.defs), "flags")
		}
	}
	return ins
}

// halfWritten reports whether the operand is half of a vector variable, so that
// the other half stays.
func halfWritten(operand string) bool { return strings.HasPrefix(operand, "d$") }

func classify(base string, isVector bool) class {
	load := strings.HasPrefix(base, "ld") || strings.HasPrefix(base, "vld")
	store := strings.HasPrefix(base, "st") || strings.HasPrefix(base, "vst")
	permutes := []string{"vext", "vtbl", "vdup", "vtrn", "vswp", "vuzp", "vzip", "ext", "tbl", "dup", "trn1", "trn2", "uzp1", "uzp2", "zip1", "zip2", "rev32"}
	switch {
	case load && isVector:
		return vectorLoad
	case load:
		return scalarLoad
	case store && isVector:
		return vectorStore
	case store:
		return scalarStore
	case slices.Contains(permutes, base):
		return vectorPermute
	case isVector:
		return vector
	case base == "umull" || base == "umlal" || base == "mul":
		return scalarMultiply
	}
	return scalar
}

// stackOffset matches an access to the frame, which goes through the stack
// pointer or says in a comment where its own pointer points.
var stackOffset = regexp.MustCompile(`\[sp, #(\d+)\]|@ sp\+(\d+)`)

// oneLane matches a load of one lane: {d0[1]} on arm, {v0.s}[3] on arm64.
var oneLane = regexp.MustCompile(`\[\d\]\}|\}\[\d\]`)

// memory fills in the effects of a load or store.
func (ins *instruction) memory(base, rest string, ops []string, regs [][]string) {
	var data, address []string
	for i, o := range ops {
		if strings.HasPrefix(o, "[") {
			address = regs[i]
			if i+1 < len(ops) || strings.HasSuffix(o, "!") { // post-increment or write-back
				ins.defs = append(ins.defs, regs[i]...)
			}
			for _, r := range regs[i+1:] {
				address = append(address, r...)
			}
			break
		}
		data = append(data, regs[i]...)
	}
	ins.uses = append(ins.uses, address...)
	words := stackWords(base, ins.text[strings.Index(ins.text, " ")+1:])
	if ins.class == scalarLoad || ins.class == vectorLoad {
		ins.defs = append(ins.defs, data...)
		ins.uses = append(ins.uses, words...)
		if oneLane.MatchString(rest) {
			ins.uses = append(ins.uses, data...)
			ins.partial = true
		}
		return
	}
	ins.uses = append(ins.uses, data...)
	ins.defs = append(ins.defs, words...)
}

// stackWords lists the words of the frame that a load or store touches.
func stackWords(base, rest string) []string {
	m := stackOffset.FindStringSubmatch(rest)
	if m == nil {
		return nil
	}
	size, offset := 4, m[1]
	switch {
	case m[2] != "": // a vector through a pointer
		size, offset = 16, m[2]
	case strings.HasPrefix(rest, "q"):
		size = 16
	case strings.HasPrefix(rest, "d") || strings.HasPrefix(rest, "x"):
		size = 8
	}
	if base == "ldp" || base == "stp" || base == "ldrd" || base == "strd" {
		size *= 2
	}
	var out []string
	first := number(offset)
	for n := first; n < first+size; n += 4 {
		out = append(out, "m"+itoa(n))
	}
	return out
}
