// Package trace records the instructions that a program executes between two
// marker functions, by running it under QEMU user mode with a small plugin, and
// gives each of them its assembly text.
//
// It needs Debian's qemu-user (the dynamic one: qemu-user-static has no
// plugins), gcc and llvm-19.
package trace

import (
	"bufio"
	"bytes"
	"debug/elf"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

//go:embed plugin/plugin.c
var pluginSource []byte

// An Arch is one instruction set.
type Arch struct {
	Name   string // as GOARCH
	QEMU   string // the emulator
	CPU    string // the emulated core: one with NEON and nothing beyond ARMv8.0, which would change what libc runs
	Triple string // for LLVM
	Attrs  string // for LLVM
}

// The two instruction sets that can be traced.
var (
	ARM   = &Arch{Name: "arm", QEMU: "qemu-arm", CPU: "cortex-a15", Triple: "armv7-linux-gnueabihf", Attrs: "+neon,+v7,+thumb2,+hwdiv,+hwdiv-arm"}
	ARM64 = &Arch{Name: "arm64", QEMU: "qemu-aarch64", CPU: "cortex-a72", Triple: "aarch64-linux-gnu", Attrs: "+neon"}
)

// Tools are the programs that this package starts.
var Tools = []string{"qemu-arm", "qemu-aarch64", "gcc", "llvm-mc-19"}

// An Instruction is one instruction of the program, however often executed.
type Instruction struct {
	Address uint64
	Code    []byte // as in memory
	Thumb   bool   // in the Thumb encoding of arm
	Text    string // mnemonic, a blank, operands, as LLVM writes them
}

// A Trace is what was executed between the markers.
type Trace struct {
	Arch         *Arch
	Instructions []Instruction // each once
	Order        []int         // indexes of Instructions, as executed
}

// A Tracer holds the built plugin.
type Tracer struct {
	dir    string
	plugin string
}

// New builds the plugin. The caller calls Close.
func New() (*Tracer, error) {
	dir, err := os.MkdirTemp("", "cyclemodel")
	if err != nil {
		return nil, err
	}
	t := &Tracer{dir: dir, plugin: filepath.Join(dir, "plugin.so")}
	source := filepath.Join(dir, "plugin.c")
	if err := os.WriteFile(source, pluginSource, 0o666); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	out, err := exec.Command("gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", t.plugin, source).CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("building the plugin: %w\n%s", err, out), t.Close())
	}
	return t, nil
}

// Close removes what New built.
func (t *Tracer) Close() error { return os.RemoveAll(t.dir) }

// A Program is an executable with its marker functions.
type Program struct {
	Arch       *Arch
	Path       string
	Begin, End string // symbols of the marker functions
	Foreign    string // if not empty, a function that only runs where a trace is to be made again
}

// attempts is how often a trace is made again.
const attempts = 50

// Run runs the program with the given arguments and returns what it executed
// between the markers. It fails if the program fails or never passes both.
func (t *Tracer) Run(p *Program, args ...string) (*Trace, error) {
	symbols, err := readSymbols(p.Path)
	if err != nil {
		return nil, err
	}
	for range attempts {
		tr, err := t.record(p, symbols, args)
		if err != nil {
			return nil, err
		}
		if !tr.runs(symbols.address, p.Foreign) {
			return tr, tr.disassemble()
		}
	}
	return nil, fmt.Errorf("%s %s: %s in each of %d traces", filepath.Base(p.Path), strings.Join(args, " "), p.Foreign, attempts)
}

// runs reports whether the function of that name was called.
func (tr *Trace) runs(address map[string]uint64, name string) bool {
	a, ok := address[name]
	return ok && slices.ContainsFunc(tr.Instructions, func(in Instruction) bool { return in.Address == a })
}

// record makes one trace, without text.
func (t *Tracer) record(p *Program, symbols *symbols, args []string) (*Trace, error) {
	begin, okBegin := symbols.address[p.Begin]
	end, okEnd := symbols.address[p.End]
	if !okBegin || !okEnd {
		return nil, fmt.Errorf("%s: no symbol %s or %s", p.Path, p.Begin, p.End)
	}
	record, err := os.CreateTemp(t.dir, "record")
	if err != nil {
		return nil, err
	}
	defer os.Remove(record.Name())
	defer record.Close()
	plugin := fmt.Sprintf("%s,begin=%#x,end=%#x,out=%s", t.plugin, begin, end, record.Name())
	cmd := exec.Command(p.Arch.QEMU, append([]string{"-cpu", p.Arch.CPU, "-plugin", plugin, p.Path}, args...)...)
	// One thread and no signals, so that the trace of a Go program repeats.
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", filepath.Base(p.Path), strings.Join(args, " "), err, stderr.Bytes())
	}
	tr, err := parse(record, p.Arch, symbols)
	if err != nil {
		return nil, err
	}
	if len(tr.Order) == 0 {
		return nil, fmt.Errorf("%s %s: executed nothing between %s and %s", filepath.Base(p.Path), strings.Join(args, " "), p.Begin, p.End)
	}
	return tr, nil
}

// parse reads the plugin's output.
func parse(r io.Reader, arch *Arch, symbols *symbols) (*Trace, error) {
	tr := &Trace{Arch: arch}
	known := map[uint64]int{} // address to index in tr.Instructions
	var blocks [][]int
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		kind, rest, _ := strings.Cut(lines.Text(), " ")
		switch kind {
		case "B":
			blocks = append(blocks, nil)
		case "I":
			in, err := parseInstruction(rest)
			if err != nil {
				return nil, err
			}
			i, ok := known[in.Address]
			if !ok {
				if arch == ARM && symbols.thumb(in.Address) {
					in.Thumb = true
					in.Code = in.Code[:thumbSize(in.Code)]
				}
				i = len(tr.Instructions)
				tr.Instructions = append(tr.Instructions, in)
				known[in.Address] = i
			}
			last := len(blocks) - 1
			blocks[last] = append(blocks[last], i)
		case "R":
			n, err := strconv.Atoi(rest)
			if err != nil {
				return nil, err
			}
			tr.Order = append(tr.Order, blocks[n]...)
		}
	}
	return tr, lines.Err()
}

func parseInstruction(s string) (Instruction, error) {
	address, code, _ := strings.Cut(s, " ")
	a, err := strconv.ParseUint(address, 16, 64)
	if err != nil {
		return Instruction{}, err
	}
	c, err := hex.DecodeString(code)
	return Instruction{Address: a, Code: c}, err
}

// thumbSize returns the size of a Thumb instruction in bytes. QEMU 7 may give a
// short one at the end of a page the bytes of the next as well.
func thumbSize(code []byte) int {
	if code[1]>>3 >= 0b11101 {
		return 4
	}
	return 2
}

// symbols are the parts of a program's symbol table that matter here.
type symbols struct {
	address map[string]uint64
	// mode holds the arm mapping symbols ($a, $t, $d) by address. Go programs
	// have none: they are ARM throughout.
	mode []modeAt
}

type modeAt struct {
	address uint64
	thumb   bool
}

func readSymbols(path string) (*symbols, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	table, err := f.Symbols()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &symbols{address: map[string]uint64{}}
	for _, sym := range table {
		switch {
		case f.Machine == elf.EM_ARM && strings.HasPrefix(sym.Name, "$a"):
			s.mode = append(s.mode, modeAt{sym.Value, false})
		case f.Machine == elf.EM_ARM && strings.HasPrefix(sym.Name, "$t"):
			s.mode = append(s.mode, modeAt{sym.Value, true})
		case f.Machine == elf.EM_ARM && elf.ST_TYPE(sym.Info) == elf.STT_FUNC:
			s.address[sym.Name] = sym.Value &^ 1 // bit 0 says Thumb
		default:
			s.address[sym.Name] = sym.Value
		}
	}
	sortModes(s.mode)
	return s, nil
}
