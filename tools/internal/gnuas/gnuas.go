// Package gnuas turns kernels written as GNU-syntax ARM text into Go assembly.
//
// A kernel's text is written once. Binutils encodes it, GoAssembly prints each
// instruction as a WORD with its text beside it, and GNU prints the same text
// as a .S file for a C program in either byte order. The cycle model and the
// disassembly check therefore see what the processor sees.
//
// Words are used on arm64 too, although the Go assembler knows most of the
// instructions there: one text then serves the kernel, the cycle model, the C
// harness and the check, and one syntax has to be read instead of two whose
// operands run in opposite directions.
//
// # Text
//
// One instruction, label ("name:") or comment line ("// ...") a line. Each
// instruction must encode to exactly one 32-bit word and need no relocation, so
// there are no literal pools and no data; constants are built in registers.
// Labels are local to the function and branches to them are resolved by the
// assembler; nothing may be branched to outside the function. Control leaves
// the text by reaching its end: the return is added by the printers.
//
// # Byte order
//
// The words are those of little-endian processors. Where a big-endian one needs
// something else, because bytes are moved as words or words as vectors, a line
// has two forms,
//
//	ldr r5, [r2] || ldr r5, [r2]; rev r5, r5
//
// of which the second is one or more instructions that read and write the same
// registers and memory as the first. Only GNU prints it. It may also change what a
// store reads, if nothing else reads that.
//
// # Stack
//
// A function that declares a frame has it at [sp, #4] up to [sp, #4+Frame) on
// arm and at [sp, #8] up to [sp, #8+Frame) on arm64, in Go and in the C form
// alike: below lies the saved return address. The stack pointer must not be
// moved. On arm it is a multiple of 4 only, on arm64 of 16. With a frame, r14
// may be used on arm.
//
// # Registers
//
// Never r10, r11, r13, r15 on arm; never x18, x27 to x30 and the stack pointer
// on arm64. All others, and all vector registers, are free: Go saves them
// around calls, and so does the C form. Check reports violations.
package gnuas

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// An Arch is one of the two instruction sets.
type Arch int

const (
	// ARM is 32-bit ARM with NEON; A32, not Thumb.
	ARM Arch = iota
	// ARM64 is AArch64.
	ARM64
)

// GOARCH returns the Go name of the architecture.
func (a Arch) GOARCH() string {
	if a == ARM64 {
		return "arm64"
	}
	return "arm"
}

// Assembler returns the name of the binutils program that encodes for a.
func (a Arch) Assembler() string { return a.prefix() + "as" }

// Compiler returns the name of the C compiler for a.
func (a Arch) Compiler() string { return a.prefix() + "gcc" }

// Objdump returns the name of the binutils disassembler for a.
func (a Arch) Objdump() string { return a.prefix() + "objdump" }

func (a Arch) prefix() string {
	if a == ARM64 {
		return "aarch64-linux-gnu-"
	}
	return "arm-linux-gnueabihf-"
}

// directives precede every text given to the assembler.
func (a Arch) directives() string {
	if a == ARM64 {
		return ".arch armv8-a\n.text\n"
	}
	return ".syntax unified\n.arch armv7-a\n.fpu neon\n.arm\n.text\n"
}

// LinkSize is the number of bytes below a declared frame, where Go keeps the
// return address: the frame begins at [sp, #LinkSize].
func (a Arch) LinkSize() int {
	if a == ARM64 {
		return 8
	}
	return 4
}

// A Line is one line of text. Word is meaningful if Instruction is true. Big is
// what stands in its place on big-endian processors, if not the same.
type Line struct {
	Text        string
	Big         string
	Instruction bool
	Word        uint32
}

// String returns the line with both forms, as Parse reads it.
func (l Line) String() string {
	if l.Big == "" {
		return l.Text
	}
	return l.Text + eitherSign + l.Big
}

// Label reports whether the line defines a label.
func (l Line) Label() bool { return strings.HasSuffix(l.Text, ":") }

// Parse splits text into lines without encoding it. Blank lines are dropped.
func Parse(text string) []Line {
	var lines []Line
	for s := range strings.SplitSeq(text, "\n") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		l := Line{Text: s}
		l.Instruction = !strings.HasPrefix(s, "//") && !l.Label()
		if l.Instruction {
			l.Text, l.Big, _ = strings.Cut(s, eitherSign)
		}
		lines = append(lines, l)
	}
	return lines
}

// Assemble encodes text and returns its lines with their words.
func Assemble(a Arch, text string) ([]Line, error) {
	lines := Parse(text)
	words, err := encode(a, lines)
	if err != nil {
		return nil, err
	}
	n := 0
	for i := range lines {
		if !lines[i].Instruction {
			continue
		}
		if n < len(words) {
			lines[i].Word = words[n]
		}
		n++
	}
	if n != len(words) {
		return nil, fmt.Errorf("gnuas: %d instructions became %d words: one of them is a directive or needs a literal pool", n, len(words))
	}
	return lines, nil
}

// encode runs the assembler over the lines and returns the words of its text
// section.
func encode(a Arch, lines []Line) ([]uint32, error) {
	dir, err := os.MkdirTemp("", "gnuas")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	object := filepath.Join(dir, "text.o")
	var source strings.Builder
	source.WriteString(a.directives())
	for _, l := range lines {
		if !strings.HasPrefix(l.Text, "//") {
			source.WriteString(l.Text)
		}
		source.WriteByte('\n') // line numbers in messages follow lines
	}
	cmd := exec.Command(a.Assembler(), "-o", object, "-")
	cmd.Stdin = strings.NewReader(source.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gnuas: %s: %w\n%s", a.Assembler(), err, explain(a, lines, string(out)))
	}
	return textWords(object)
}

// lineNumber finds the line in a message of the assembler.
var lineNumber = regexp.MustCompile(`\{standard input\}:(\d+):`)

// explain adds the offending text to each of the assembler's messages.
func explain(a Arch, lines []Line, messages string) string {
	first := strings.Count(a.directives(), "\n")
	var b strings.Builder
	for s := range strings.SplitSeq(messages, "\n") {
		b.WriteString(s)
		if m := lineNumber.FindStringSubmatch(s); m != nil {
			var n int
			fmt.Sscan(m[1], &n)
			if i := n - 1 - first; i >= 0 && i < len(lines) {
				fmt.Fprintf(&b, "  [%s]", lines[i].Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// textWords returns the text section of a little-endian ELF object and fails
// if it has relocations.
func textWords(object string) ([]uint32, error) {
	f, err := elf.Open(object)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for _, s := range f.Sections {
		if (s.Type == elf.SHT_REL || s.Type == elf.SHT_RELA) && strings.HasSuffix(s.Name, ".text") {
			return nil, fmt.Errorf("gnuas: text needs relocations; is a label undefined?")
		}
	}
	data, err := f.Section(".text").Data()
	if err != nil {
		return nil, err
	}
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words, nil
}

// forbidden matches a register that Go reserves.
var forbidden = [...]*regexp.Regexp{
	ARM:   regexp.MustCompile(`\b(r10|r11|r13|r15|pc|fp|sl)\b`),
	ARM64: regexp.MustCompile(`\b[xw](18|27|28|29|30)\b`),
}

// stackWritten matches an instruction that changes the stack pointer.
var stackWritten = regexp.MustCompile(`^(push|pop|vpush|vpop)\b|\[sp.*(!|\], *#)|^[a-z]+ +sp\b`)

// Check returns an error for the first instruction of text that names a
// register which Go reserves or that moves the stack pointer.
func Check(a Arch, text string) error {
	for _, l := range Parse(text) {
		if !l.Instruction {
			continue
		}
		for _, text := range append(strings.Split(l.Big, "; "), l.Text) {
			if forbidden[a].MatchString(text) {
				return fmt.Errorf("gnuas: reserved register in %q", text)
			}
			if stackWritten.MatchString(text) {
				return fmt.Errorf("gnuas: stack pointer moved by %q", text)
			}
		}
	}
	return nil
}

// Operands splits the operands of an instruction at the commas outside brackets and
// braces.
func Operands(s string) []string {
	var out []string
	depth, start := 0, 0
	for i, c := range s {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, strings.TrimSpace(s[start:i]))
				start = i + 1
			}
		}
	}
	if rest := strings.TrimSpace(s[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}
