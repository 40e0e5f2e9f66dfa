package trace

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"sort"
	"strings"
)

// sortModes orders mapping symbols by address.
func sortModes(m []modeAt) {
	slices.SortStableFunc(m, func(a, b modeAt) int {
		switch {
		case a.address < b.address:
			return -1
		case a.address > b.address:
			return 1
		}
		return 0
	})
}

// thumb reports whether the code at the address is in the Thumb encoding: what
// the last mapping symbol at or before it says.
func (s *symbols) thumb(address uint64) bool {
	i := sort.Search(len(s.mode), func(i int) bool { return s.mode[i].address > address })
	return i > 0 && s.mode[i-1].thumb
}

// disassemble fills in the text of all instructions.
func (tr *Trace) disassemble() error {
	if err := tr.disassembleMode(false); err != nil {
		return err
	}
	if tr.Arch != ARM {
		return nil
	}
	return tr.disassembleMode(true)
}

// disassembleMode does so for the instructions of one encoding. They go in by
// address, so that an IT instruction precedes those that depend on it.
func (tr *Trace) disassembleMode(thumb bool) error {
	var list []*Instruction
	for i := range tr.Instructions {
		if in := &tr.Instructions[i]; in.Thumb == thumb {
			list = append(list, in)
		}
	}
	if len(list) == 0 {
		return nil
	}
	slices.SortFunc(list, func(a, b *Instruction) int { return int(int64(a.Address) - int64(b.Address)) })
	var in bytes.Buffer
	for _, x := range list {
		for _, b := range x.Code {
			fmt.Fprintf(&in, "%#x ", b)
		}
		in.WriteByte('\n')
	}
	triple := tr.Arch.Triple
	if thumb {
		triple = strings.Replace(triple, "arm", "thumb", 1)
	}
	var stderr bytes.Buffer
	cmd := exec.Command("llvm-mc-19", "-disassemble", "-triple="+triple, "-mattr="+tr.Arch.Attrs)
	cmd.Stdin = &in
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("llvm-mc-19: %w\n%s", err, stderr.Bytes())
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		text := strings.Join(strings.Fields(line), " ")
		if text == "" || strings.HasPrefix(text, ".") {
			continue
		}
		if n < len(list) {
			text, _, _ = strings.Cut(text, " //")
			text, _, _ = strings.Cut(text, " @")
			list[n].Text = text
		}
		n++
	}
	if n != len(list) {
		return fmt.Errorf("llvm-mc-19: %d instructions in, %d out\n%s", len(list), n, stderr.Bytes())
	}
	return nil
}
