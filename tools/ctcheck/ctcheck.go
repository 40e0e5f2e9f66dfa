// Package ctcheck checks that kernels run in constant time: that the number of
// executed instructions and the path through them are the same for all keys
// and messages of one length, and where the tracer sees them, the addresses of
// loads and stores too.
//
// On the architecture of this machine the program is single-stepped by ptrace,
// so that kernels for any CPU feature it has can be checked. ARM programs run
// under QEMU user mode with a small plugin, which also sees memory addresses.
//
// What this cannot see: instructions whose own duration depends on their
// operands. Kernels use none that are known for it.
package ctcheck

import (
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// A Record is what was executed during one call.
type Record struct {
	Count uint64 // instructions
	Path  uint64 // hash of their addresses, in order
	Data  uint64 // hash of the addresses they accessed; 0 if not traced
}

// A Tracer runs the victim program on one kernel and returns a record for each
// of count inputs of n bytes.
type Tracer func(victim, kernel string, n, count int) ([]Record, error)

// A Kernel is a line of the victim's list.
type Kernel struct {
	Name    string
	Length  int    // of the messages to trace it on, in bytes
	Missing string // the features that are missing, empty if it can run
}

// Kernels returns the kernels in the victim program. The command, if any, is
// the emulator with its arguments.
func Kernels(victim string, command ...string) ([]Kernel, error) {
	command = append(command, victim, "list")
	out, err := exec.Command(command[0], command[1:]...).Output()
	if err != nil {
		return nil, err
	}
	var list []Kernel
	for line := range strings.Lines(string(out)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		length, missing, _ := strings.Cut(rest, " ")
		k := Kernel{Name: name, Missing: strings.Trim(missing, "[]")}
		if k.Length, err = strconv.Atoi(length); err != nil {
			return nil, fmt.Errorf("victim list: %q", line)
		}
		list = append(list, k)
	}
	return list, nil
}

// attempts is how often a kernel is traced while some input has not yet shown the
// record that the others show. The Go runtime may disturb a trace, at random; an
// input on which a kernel behaves in another way does so each time.
const attempts = 5

// Check traces the kernel on count inputs and compares the records: in
// some attempt, each input must show what most do. The error names the first input that does not.
func Check(trace Tracer, victim string, k Kernel, count int) error {
	settled := make([]bool, count)
	var err error
	for range attempts {
		records, failed := trace(victim, k.Name, k.Length, count)
		if failed != nil {
			return failed
		}
		if len(records) != count || records[0].Count == 0 {
			return fmt.Errorf("%d records of %d inputs", len(records), count)
		}
		// Addresses differ from one process to the next.
		if err = settle(settled, records, mostCommon(records)); err == nil {
			return nil
		}
	}
	return err
}

// mostCommon returns the record that occurs most often, the first of several.
func mostCommon(records []Record) Record {
	seen := map[Record]int{}
	for _, r := range records {
		seen[r]++
	}
	best := records[0]
	for _, r := range records {
		if seen[r] > seen[best] {
			best = r
		}
	}
	return best
}

// settle notes which inputs show the usual record and returns an error that names
// the first that never has.
func settle(settled []bool, records []Record, usual Record) error {
	first := -1
	for i, r := range records {
		settled[i] = settled[i] || r == usual
		if !settled[i] && first < 0 {
			first = i
		}
	}
	if first < 0 {
		return nil
	}
	switch r := records[first]; {
	case r.Count != usual.Count:
		return fmt.Errorf("input %d takes %d instructions, others take %d", first, r.Count, usual.Count)
	case r.Path != usual.Path:
		return fmt.Errorf("input %d takes another path than others", first)
	}
	return fmt.Errorf("input %d accesses other addresses than others", first)
}

// hash is FNV-1a, eight bytes at a time. Its start value is hashBasis.
func hash(h, word uint64) uint64 {
	h = (h ^ word) * 0x100000001b3
	return h ^ h>>29
}

const hashBasis = 0xcbf29ce484222325

// environment makes the Go program run on one thread as far as it can, without
// garbage collection and preemption.
var environment = []string{"GOMAXPROCS=1", "GOGC=off", "GODEBUG=asyncpreemptoff=1"}
