package inorder

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// armOperand finds register names, and ranges of them, in an operand.
var armOperand = regexp.MustCompile(`\b(?:([rdqs])(\d+)(?:-[rdqs](\d+))?|(sp|lr|pc|apsr))\b`)

// armNamed are the registers with names of their own.
var armNamed = map[string]Register{"sp": 13, "lr": 14, "pc": 15, "apsr": flags}

// armRegisters returns the registers named in an operand; vectors as their d
// registers.
func armRegisters(operand string) []Register {
	var out []Register
	for _, m := range armOperand.FindAllStringSubmatch(operand, -1) {
		if m[4] != "" {
			out = append(out, armNamed[m[4]])
			continue
		}
		first, _ := strconv.Atoi(m[2])
		last := first
		if m[3] != "" {
			last, _ = strconv.Atoi(m[3])
		}
		for n := first; n <= last; n++ {
			switch r := Register(n); m[1] {
			case "r":
				out = append(out, r)
			case "s":
				out = append(out, firstVector+r/2)
			case "d":
				out = append(out, firstVector+r)
			case "q":
				out = append(out, firstVector+2*r, firstVector+2*r+1)
			}
		}
	}
	return out
}

// decodeARM understands one line of 32-bit assembly, as LLVM writes it.
func decodeARM(text string) (Op, error) {
	mnemonic, rest, _ := strings.Cut(text, " ")
	operands := gnuas.Operands(rest)
	base, _, _ := strings.Cut(mnemonic, ".")
	if strings.HasPrefix(base, "it") { // if-then: conditions of what follows
		return Op{}, nil
	}
	if strings.HasPrefix(base, "v") {
		return decodeARMVector(base, rest, operands), nil
	}
	base, condition, setsFlags, ok := splitARMMnemonic(base)
	if !ok {
		return Op{}, fmt.Errorf("unknown instruction %q", text)
	}
	op := decodeARMInteger(base, rest, operands, setsFlags)
	if condition != "" {
		op.Reads = append(op.Reads, flags)
		// Where the condition fails the destination keeps its value.
		op.Reads = append(op.Reads, op.Writes...)
	}
	return op, nil
}

// decodeARMVector decodes an instruction of NEON or VFP.
func decodeARMVector(base, rest string, operands []string) Op {
	op := Op{Quad: strings.Contains(rest, "q")}
	var all []Register
	for _, o := range operands {
		all = append(all, armRegisters(o)...)
	}
	if hasAnyPrefix(base, "vld", "vst", "vpush", "vpop") {
		return armVectorMemory(op, base, rest, operands, all)
	}
	if hasAnyPrefix(base, "vswp", "vtrn", "vzip", "vuzp") {
		op.Class, op.Reads, op.Writes = VectorPermute, all, all
		return op
	}
	if base == "vmrs" || base == "vmsr" || len(operands) == 0 {
		op.Class, op.Reads = VectorToCore, all
		return op
	}
	op.Writes = armRegisters(operands[0])
	for _, o := range operands[1:] {
		op.Reads = append(op.Reads, armRegisters(o)...)
	}
	merges := hasAnyPrefix(base, "vsri", "vsli", "vsra", "vrsra", "vmla", "vmls", "vbsl", "vbit", "vbif", "vtbx", "vaba", "vpadal")
	if merges || strings.Contains(operands[0], "[") {
		op.Reads = append(op.Reads, op.Writes...)
	}
	switch {
	case hasAnyPrefix(base, "vmul", "vmla", "vmls"):
		op.Class = VectorMultiply
	case hasAnyPrefix(base, "vext", "vtbl", "vtbx", "vdup"):
		op.Class = VectorPermute
	case hasAnyPrefix(base, "vsri", "vsli", "vsra"):
		op.Class = VectorInsert
	case base == "vmov" && !op.Writes[0].vector():
		op.Class = VectorToCore
		if len(operands) == 3 { // two core registers
			op.Writes = append(op.Writes, armRegisters(operands[1])...)
		}
	default:
		op.Class = VectorArithmetic
	}
	return op
}

func armVectorMemory(op Op, base, rest string, operands []string, all []Register) Op {
	var data, address []Register
	for _, r := range all {
		if r.vector() {
			data = append(data, r)
		} else {
			address = append(address, r)
		}
	}
	if hasAnyPrefix(base, "vpush", "vpop") {
		address = []Register{13}
	}
	last := operands[len(operands)-1]
	if strings.Contains(rest, "!") || hasAnyPrefix(base, "vpush", "vpop") || (!strings.HasPrefix(last, "{") && !isMemory(last)) {
		op.Updates = address[:1]
	}
	op.Moved = len(data)
	if hasAnyPrefix(base, "vld", "vpop") {
		op.Class, op.Writes, op.Reads = VectorLoad, data, address
		return op
	}
	op.Class, op.Reads = VectorStore, append(data, address...)
	return op
}

// armConditions are the condition suffixes.
var armConditions = []string{"eq", "ne", "hs", "cs", "lo", "cc", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le"}

// armIntegers are the mnemonics outside of NEON that compilers and hand-written
// kernels use, the longer before those that begin them.
var armIntegers = func() []string {
	list := strings.Fields(`adc add adr and asr b bl blx bx bfc bfi bic bkpt clrex clz cmn cmp cbz cbnz dmb dsb eor isb
		ldm ldmia ldmib ldmda ldmdb ldr ldrb ldrd ldrh ldrsb ldrsh ldrex ldrexb ldrexd ldrt lsl lsr mla mls mov movt movw mrc mrs mul mvn nop
		orn orr pld pkhbt pkhtb pop push rbit rev rev16 revsh ror rrx rsb rsc sbc sbfx sdiv sel smlal smull smlabb smulbb
		stm stmia stmib stmda stmdb str strb strd strh strex strexb strexd sub subw addw sxtb sxth sxtab sxtah svc tbb tbh teq tst
		uadd8 usub8 ubfx udf udiv umaal umlal umull uxtb uxth uxtab uxtah yield`)
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	return list
}()

// splitARMMnemonic takes the condition and the flag-setting s off a mnemonic.
func splitARMMnemonic(m string) (base, condition string, setsFlags, ok bool) {
	for _, base := range armIntegers {
		suffix, found := strings.CutPrefix(m, base)
		if !found {
			continue
		}
		if suffix == "" || slices.Contains(armConditions, suffix) {
			return base, suffix, false, true
		}
		suffix, setsFlags := strings.CutPrefix(suffix, "s")
		branch := base[0] == 'b' && base != "bic"
		if setsFlags && !branch && (suffix == "" || slices.Contains(armConditions, suffix)) {
			return base, suffix, true, true
		}
	}
	return "", "", false, false
}

// decodeARMInteger decodes an instruction of the integer unit.
func decodeARMInteger(base, rest string, operands []string, setsFlags bool) Op {
	lists := make([][]Register, len(operands))
	var all []Register
	for i, o := range operands {
		lists[i] = armRegisters(o)
		all = append(all, lists[i]...)
	}
	switch {
	case base == "push" || base == "pop" || hasAnyPrefix(base, "ldm", "stm"):
		return armMultiple(base, rest, lists)
	case hasAnyPrefix(base, "ldr", "str"):
		return armSingle(base, rest, operands, lists, all)
	case base == "umull" || base == "smull":
		return Op{Class: Multiply, Writes: slices.Concat(lists[0], lists[1]), Reads: slices.Concat(lists[2:]...)}
	case base == "umlal" || base == "smlal" || base == "umaal":
		return Op{Class: Multiply, Writes: slices.Concat(lists[0], lists[1]), Reads: all}
	case base == "mul" || base == "mla" || base == "mls":
		return Op{Class: Multiply, Writes: lists[0], Reads: slices.Concat(lists[1:]...)}
	case base == "b" || base == "bl" || base == "bx" || base == "blx" || base == "cbz" || base == "cbnz" || base == "tbb" || base == "tbh":
		return Op{Class: Branch, Reads: all}
	case base == "cmp" || base == "cmn" || base == "tst" || base == "teq":
		return Op{Reads: all, Writes: []Register{flags}, Shifted: slices.ContainsFunc(operands, isShift)}
	}
	return armArithmetic(base, operands, lists, setsFlags)
}

func armArithmetic(base string, operands []string, lists [][]Register, setsFlags bool) Op {
	op := Op{Shifted: slices.ContainsFunc(operands, isShift)}
	if len(lists) == 0 {
		return op
	}
	op.Writes = slices.Clone(lists[0])
	op.Reads = slices.Concat(lists[1:]...)
	onlySource := hasAnyPrefix(base, "mov", "mvn", "rev", "uxt", "sxt", "clz", "adr", "rbit") && base != "movt"
	if (len(operands) == 2 && !onlySource) || base == "bfi" || base == "bfc" {
		op.Reads = append(op.Reads, lists[0]...) // add r0, r1 is add r0, r0, r1
	}
	if base == "adc" || base == "sbc" || base == "rsc" || base == "rrx" {
		op.Reads = append(op.Reads, flags)
	}
	if setsFlags {
		op.Writes = append(op.Writes, flags)
	}
	return op
}

func armMultiple(base, rest string, lists [][]Register) Op {
	address := []Register{13}
	if len(lists) > 1 {
		address = lists[0]
	}
	data := lists[len(lists)-1]
	op := Op{Moved: len(data)}
	if len(lists) == 1 || strings.Contains(rest, "!") {
		op.Updates = address
	}
	if base == "pop" || strings.HasPrefix(base, "ldm") {
		op.Class, op.Writes, op.Reads = Load, data, address
		return op
	}
	op.Class, op.Reads = Store, slices.Concat(data, address)
	return op
}

func armSingle(base, rest string, operands []string, lists [][]Register, all []Register) Op {
	op := Op{Moved: 1}
	if strings.HasSuffix(base, "d") {
		op.Moved = 2
	}
	memory := slices.IndexFunc(operands, isMemory)
	if memory >= 0 && (strings.Contains(rest, "!") || memory < len(operands)-1) {
		op.Updates = lists[memory][:1]
	}
	if strings.HasPrefix(base, "ldr") {
		op.Class, op.Writes, op.Reads = Load, slices.Concat(lists[:op.Moved]...), slices.Concat(lists[op.Moved:]...)
		return op
	}
	op.Class, op.Reads = Store, all
	return op
}
