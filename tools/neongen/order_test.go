package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"regexp"
	"strings"
	"testing"
)

// TestLaneOrders proves that the loop bodies of kernels in lanes, whose quarter
// rounds overlap, compute what the quarter rounds one after the other do.
func TestLaneOrders(t *testing.T) {
	for _, f := range files() {
		for _, k := range f.kernels {
			body := k.rounds[0].body
			for g := range 2 {
				if !strings.Contains(strings.Join(body, "\n"), "$"+lane(g, 0)) {
					continue
				}
				got, want := values(body), values(k.definition(g))
				for w := range 16 {
					if v := "$" + lane(g, w); got[v] != want[v] {
						t.Errorf("%s: %s: the order of %s changes its value", f.path, k.name, v)
					}
				}
			}
		}
	}
}

// TestSchedules checks that code does after scheduling what it did before, on a core of
// each kind.
func TestSchedules(t *testing.T) {
	for _, f := range files() {
		for _, k := range f.kernels {
			for _, code := range [][]string{k.rounds[0].body, k.end} {
				want := values(code)
				for name, m := range map[string]machine{"in order": cortexA8, "buffered": cortexA9} {
					scheduled := schedule(code, m)
					if len(scheduled) != len(code) {
						t.Fatalf("%s: %s: %d instructions became %d", f.path, k.name, len(code), len(scheduled))
					}
					if got := values(scheduled); !maps.Equal(got, want) {
						t.Errorf("%s: %s: scheduling for a core %s changes values", f.path, k.name, name)
					}
				}
			}
		}
	}
}

// definition is what the loop body does to group g, quarter round by quarter
// round.
func (k *kernel) definition(g int) []string {
	index := chachaIndex
	if k.cipher == "salsa" {
		index = salsaIndex
	}
	var code []string
	for range k.unroll {
		for _, half := range index {
			for i, q := range half {
				code = append(code, k.laneQuarter(k.cipher, g, q, fmt.Sprintf("s%d", i))...)
			}
		}
	}
	return code
}

// details matches what distinguishes instructions of one mnemonic beside their
// registers.
var details = regexp.MustCompile(`#\d+|\.[lh]\b`)

// values interprets straight-line code: the value of a register is a hash of the
// instruction that made it and of the values this read.
func values(code []string) map[string]uint64 {
	value := map[string]uint64{}
	for _, text := range code {
		ins := parse(text)
		mnemonic, _, _ := strings.Cut(text, " ")
		h := fnv.New64a()
		fmt.Fprint(h, mnemonic, details.FindAllString(text, -1))
		for _, r := range ins.uses {
			v, known := value[r]
			fmt.Fprint(h, v, known)
			if !known {
				fmt.Fprint(h, r)
			}
		}
		for i, r := range ins.defs {
			value[r] = h.Sum64() + uint64(i)
		}
	}
	return value
}
