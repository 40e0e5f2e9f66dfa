package cpu

import (
	"encoding/binary"
	"testing"
	"unsafe"
)

func TestSecure(t *testing.T) {
	tests := []struct {
		name   string
		vector []uintptr
		want   bool
	}{
		{"none", nil, false},
		{"no entry", []uintptr{16, 1, 0, 0}, false},
		{"plain", []uintptr{16, 1, 23, 0, 0, 0}, false},
		{"secure", []uintptr{16, 1, 23, 1, 0, 0}, true},
		{"another 23", []uintptr{16, 23, 23, 0, 0, 0}, false},
		{"cut in the entry", []uintptr{16, 1, 23}, false},
	}
	for _, tt := range tests {
		var data []byte
		for _, word := range tt.vector {
			if unsafe.Sizeof(word) == 4 {
				data = binary.NativeEndian.AppendUint32(data, uint32(word))
			} else {
				data = binary.NativeEndian.AppendUint64(data, uint64(word))
			}
		}
		if got := secure(parseAuxv(data)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
	t.Logf("this process: %v", Setuid())
}
