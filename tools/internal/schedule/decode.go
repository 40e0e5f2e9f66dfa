package schedule

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// A resource is something an instruction reads or writes: a core register, a
// vector register (on arm its 64-bit halves), the flags, or a place in memory.
type resource string

const flags resource = "flags"

// An op is a decoded instruction.
type op struct {
	text   string // both forms, if there is another for big-endian processors
	class  class
	reads  []resource
	writes []resource
	base   resource // address register that is advanced
	vector bool     // executes in the vector unit
	wide   bool     // over 128 bits
	units  int      // cycles of a vector load or store, if known
}

func decodeAll(a gnuas.Arch, text string) []op {
	var ops []op
	for _, l := range gnuas.Parse(text) {
		if strings.HasPrefix(l.Text, "//") {
			continue
		}
		if !l.Instruction {
			panic(fmt.Sprintf("schedule: label %q inside a block", l.Text))
		}
		o := decode(a, l.Text)
		if a == gnuas.ARM {
			o.classifyARM()
		} else {
			o.classifyARM64()
		}
		o.text = l.String()
		ops = append(ops, o.op)
	}
	return ops
}

// parsed is an instruction with its operands apart.
type parsed struct {
	op
	arch     gnuas.Arch
	name     string // mnemonic without the type suffix
	operands []string
	regs     [][]resource // of each operand
}

func decode(a gnuas.Arch, text string) *parsed {
	name, rest, _ := strings.Cut(text, " ")
	p := &parsed{op: op{text: text}, arch: a, name: strings.SplitN(name, ".", 2)[0]}
	p.operands = gnuas.Operands(rest)
	for _, o := range p.operands {
		p.regs = append(p.regs, registers(a, o))
	}
	return p
}

var registerName = regexp.MustCompile(`\b([rxwvqdsb])(\d+)\b(?:\.\w+)?(?:\s*-\s*[vqd](\d+))?|\b(sp)\b`)

// registers returns the resources an operand names. Vector registers are
// v0 to v31 on arm64 and d0 to d31 on arm.
func registers(a gnuas.Arch, operand string) []resource {
	var out []resource
	for _, m := range registerName.FindAllStringSubmatch(operand, -1) {
		if m[4] != "" {
			out = append(out, "sp")
			continue
		}
		lo, _ := strconv.Atoi(m[2])
		hi := lo
		if m[3] != "" {
			hi, _ = strconv.Atoi(m[3])
		}
		for i := lo; i <= hi; i++ {
			out = append(out, named(m[1], i, a == gnuas.ARM)...)
		}
	}
	return out
}

func named(kind string, i int, arm bool) []resource {
	switch kind {
	case "x", "w":
		return []resource{resource(fmt.Sprintf("x%d", i))}
	case "r":
		return []resource{resource(fmt.Sprintf("r%d", i))}
	case "q":
		if arm {
			return []resource{resource(fmt.Sprintf("d%d", 2*i)), resource(fmt.Sprintf("d%d", 2*i+1))}
		}
	case "d":
		if arm {
			return []resource{resource(fmt.Sprintf("d%d", i))}
		}
	}
	return []resource{resource(fmt.Sprintf("v%d", i))}
}

var (
	setsFlags  = regexp.MustCompile(`^(adds|adcs|subs|sbcs|ands|bics|cmp|cmn|tst|rsbs|lsrs|movs)$`)
	readsFlags = regexp.MustCompile(`^(adc|adcs|sbc|sbcs|cinc|csel|cset)$`)
	shifted    = regexp.MustCompile(`\b(lsl|lsr|asr|ror) *#`)
)

// memoryOperands fills reads, writes and base of a load or store, whose data
// are the operands before the address.
func (p *parsed) memoryOperands(store bool) {
	at := slices.IndexFunc(p.operands, func(s string) bool { return strings.HasPrefix(s, "[") })
	for _, r := range p.regs[:at] {
		if store {
			p.reads = append(p.reads, r...)
		} else {
			p.writes = append(p.writes, r...)
		}
	}
	address := p.regs[at]
	p.reads = append(p.reads, address...)
	if strings.HasSuffix(p.text, "!") || at+1 < len(p.operands) {
		p.base = address[0]
		p.writes = append(p.writes, p.base)
	}
	if at+1 < len(p.operands) {
		p.reads = append(p.reads, p.regs[at+1]...)
	}
	for _, place := range p.places(p.operands[at]) {
		if store {
			p.writes = append(p.writes, place)
		} else {
			p.reads = append(p.reads, place)
		}
	}
}

var offset = regexp.MustCompile(`#(-?\d+)`)

// places names the memory an access touches: for the stack its 16-byte slots
// (a pair of quadwords takes two), for all else the base register.
func (p *parsed) places(address string) []resource {
	base := registers(p.arch, address)[0]
	if base != "sp" {
		return []resource{"memory " + base}
	}
	at := 0
	if m := offset.FindStringSubmatch(address); m != nil {
		at, _ = strconv.Atoi(m[1])
	}
	slots := []resource{resource(fmt.Sprintf("stack %d", at/16))}
	if (p.name == "ldp" || p.name == "stp") && strings.HasPrefix(p.operands[0], "q") {
		slots = append(slots, resource(fmt.Sprintf("stack %d", at/16+1)))
	}
	return slots
}

// dataOperands fills reads and writes of an instruction with destinations
// first. readsDestination is for those that also read what they write.
func (p *parsed) dataOperands(destinations int, readsDestination bool) {
	for i, r := range p.regs {
		if i < destinations {
			p.writes = append(p.writes, r...)
			if readsDestination {
				p.reads = append(p.reads, r...)
			}
			continue
		}
		p.reads = append(p.reads, r...)
	}
	if setsFlags.MatchString(p.name) {
		p.writes = append(p.writes, flags)
	}
	if readsFlags.MatchString(p.name) {
		p.reads = append(p.reads, flags)
	}
}

var (
	vector64   = regexp.MustCompile(`^[vqd]\d`)
	accumulate = regexp.MustCompile(`^(umlal2?|mla|mls|usra|ssra|sli|sri|ins|bsl|bit|bif|bfi|bfxil|movk|xtn2|shrn2)$`)
	insert64   = regexp.MustCompile(`^(usra|sli|sri)$`)
	multiply64 = regexp.MustCompile(`^(mul|umulh|madd|msub|umull|umaddl)$`)
	vmultiply  = regexp.MustCompile(`^(umull2?|umlal2?|mul|mla|mls)$`)
	vpermute   = regexp.MustCompile(`^(ext|tbl|zip[12]|uzp[12]|trn[12]|dup|rev\d+)$`)
)

func (p *parsed) classifyARM64() {
	p.vector = vector64.MatchString(p.operands[0]) || strings.HasPrefix(p.operands[0], "{")
	switch {
	case strings.HasPrefix(p.name, "ld"), strings.HasPrefix(p.name, "st"):
		store := strings.HasPrefix(p.name, "st")
		p.memoryOperands(store)
		p.class = classLoad
		switch {
		case p.vector && store:
			p.class = classVectorStore
		case p.vector:
			p.class = classVectorLoad
		case store:
			p.class = classStore
		}
		return
	case p.name == "cmp" || p.name == "cmn" || p.name == "tst":
		p.dataOperands(0, false)
		return
	case p.vector:
		p.class = classVector
		if vmultiply.MatchString(p.name) {
			p.class = classVectorMultiply
		} else if vpermute.MatchString(p.name) {
			p.class = classVectorPermute
		} else if insert64.MatchString(p.name) {
			p.class = classVectorInsert
		}
	case multiply64.MatchString(p.name):
		p.class = classMultiply
	case shifted.MatchString(p.text):
		p.class = classShifted
	}
	immediate := p.vector && (p.name == "bic" || p.name == "orr") && len(p.regs) > 1 && len(p.regs[1]) == 0
	lane := p.vector && p.name == "mov" && strings.Contains(p.operands[0], "[")
	p.dataOperands(1, accumulate.MatchString(p.name) || immediate || lane)
}

var (
	vectorARM     = regexp.MustCompile(`^v`)
	quadARM       = regexp.MustCompile(`\bq\d`)
	accumulateARM = regexp.MustCompile(`^(vmlal|vmla|vsra|vsri|vsli|vbsl|vbit|vbif|vtbx|umlal|umaal|bfi)$`)
	swapARM       = regexp.MustCompile(`^(vtrn|vswp|vzip|vuzp)$`)
	permuteARM    = regexp.MustCompile(`^(vtrn|vswp|vzip|vuzp|vext|vtbl|vdup|vrev\d+)$`)
	insertARM     = regexp.MustCompile(`^(vsra|vsri|vsli)$`)
	multiplyARM   = regexp.MustCompile(`^(umull|umlal|umaal|mul|mla)$`)
)

func (p *parsed) classifyARM() {
	p.vector = vectorARM.MatchString(p.name)
	p.wide = p.vector && quadARM.MatchString(p.text)
	switch {
	case strings.HasPrefix(p.name, "vld"), strings.HasPrefix(p.name, "vst"):
		store := strings.HasPrefix(p.name, "vst")
		p.class = classVectorLoad
		if store {
			p.class = classVectorStore
		}
		p.units = len(p.regs[0])
		p.memoryOperands(store)
		return
	case strings.HasPrefix(p.name, "ldr"):
		p.class = classLoad
		p.memoryOperands(false)
		return
	case strings.HasPrefix(p.name, "str"):
		p.class = classStore
		p.memoryOperands(true)
		return
	case p.name == "cmp" || p.name == "cmn" || p.name == "tst":
		p.dataOperands(0, false)
		return
	case swapARM.MatchString(p.name):
		p.class = classVectorPermute
		p.dataOperands(2, true)
		return
	case p.vector:
		p.class = classVector
		switch {
		case strings.HasPrefix(p.name, "vmull"), strings.HasPrefix(p.name, "vmlal"):
			p.class = classVectorMultiply
		case permuteARM.MatchString(p.name):
			p.class = classVectorPermute
		case insertARM.MatchString(p.name):
			p.class = classVectorInsert
		case p.name == "vmovn" || p.name == "vshrn":
			p.class = classVectorLong
		}
	case multiplyARM.MatchString(p.name):
		p.class = classMultiply
	case shifted.MatchString(p.text):
		p.class = classShifted
	}
	destinations := 1
	if p.name == "umull" || p.name == "umlal" || p.name == "umaal" {
		destinations = 2
	}
	immediate := (p.name == "vbic" || p.name == "vorr") && len(p.regs) > 1 && len(p.regs[1]) == 0
	short := len(p.operands) == 2 && !p.vector && (strings.HasPrefix(p.name, "add") || strings.HasPrefix(p.name, "adc") || strings.HasPrefix(p.name, "sub") || p.name == "orr")
	p.dataOperands(destinations, accumulateARM.MatchString(p.name) || immediate || short)
}
