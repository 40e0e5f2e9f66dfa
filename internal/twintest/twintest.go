// Package twintest helps tests that give the same arguments to a package of this
// module and to the package of golang.org/x/crypto whose API it has.
package twintest

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// Random returns n bytes that depend on the seed and on nothing else.
func Random(seed byte, n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

// Panic calls f and returns the text of its panic, empty if it returned.
func Panic(f func()) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = fmt.Sprint(r)
		}
	}()
	f()
	return ""
}

// SamePanic calls both functions, requires that both return or panic with the
// same text, and returns that text.
func SamePanic(t testing.TB, what string, ours, theirs func()) string {
	t.Helper()
	got, want := Panic(ours), Panic(theirs)
	if got != want {
		t.Errorf("%s: panic %q, x/crypto %q", what, got, want)
	}
	return want
}

// SameError requires that both errors are nil or have the same text.
func SameError(t testing.TB, what string, ours, theirs error) {
	t.Helper()
	if fmt.Sprint(ours) != fmt.Sprint(theirs) {
		t.Errorf("%s: error %v, x/crypto %v", what, ours, theirs)
	}
}

// Huge returns a slice that claims to have n bytes, of which only the first one
// is there: who gets it must refuse it by its length alone.
//
//go:nocheckptr
func Huge(n int) []byte { return unsafe.Slice(new(byte), n) }

// Chunks returns lists of call lengths: patterns that have found faults in the
// buffering of unused keystream and incomplete blocks.
func Chunks() [][]int {
	patterns := [][]int{{4, 16, 4, 4, 4, 4, 16, 4, 16, 16, 4, 4, 60, 4, 64, 4}}
	var alternating, random []int
	for range 100 {
		alternating = append(alternating, 1, 200)
	}
	lengths := []int{15, 16, 17, 48, 63, 64, 65, 127, 128, 129, 0, 1, 255, 256, 257, 511, 513, 1023}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		random = append(random, lengths[r.IntN(len(lengths))])
	}
	patterns = append(patterns, alternating, random)
	for _, step := range []int{1, 3, 16, 63, 64, 65, 128, 192, 320, 640, 1024} {
		var equal []int
		for range 4096/step + 2 {
			equal = append(equal, step)
		}
		patterns = append(patterns, equal)
	}
	return patterns
}

// Sum returns the sum of lengths.
func Sum(lengths []int) (total int) {
	for _, n := range lengths {
		total += n
	}
	return total
}
