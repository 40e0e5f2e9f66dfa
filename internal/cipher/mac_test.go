package cipher

import (
	"math"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// TestLongMAC: a message may be longer than an int of 32 bits can count.
func TestLongMAC(t *testing.T) {
	source, err := registry.Shared(registry.Poly1305)
	if err != nil {
		t.Fatal(err)
	}
	var key [32]byte
	for i := range key {
		key[i] = byte(7 * i)
	}
	data := make([]byte, 100)
	for i := range data {
		data[i] = byte(i)
	}
	var want, long MAC
	want.Init(source, &key)
	long.Init(source, &key)
	const before uint64 = math.MaxInt - 63 // whole blocks, less than the data below the largest int
	long.seen = before
	for _, n := range []int{8, 60, 3, 29} {
		want.Write(data[:n])
		long.Write(data[:n])
		if want.Tag() != long.Tag() {
			t.Errorf("another tag after %d bytes more", want.seen)
		}
	}
	if long.seen != before+100 {
		t.Errorf("%d bytes seen, want %d", long.seen, before+100)
	}
}
