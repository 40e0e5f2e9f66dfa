package cpu

import (
	"encoding/binary"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

const atSecure = 23

func setuid() bool {
	vector, err := unix.Auxv()
	if err != nil {
		vector = parseAuxv(readFile(os.DirFS("/"), "proc/self/auxv"))
	}
	return secure(vector) || os.Getuid() != os.Geteuid() || os.Getgid() != os.Getegid()
}

// secure reports whether the vector holds AT_SECURE other than 0.
func secure(vector [][2]uintptr) bool {
	for _, entry := range vector {
		if entry[0] == atSecure {
			return entry[1] != 0
		}
	}
	return false
}

// parseAuxv reads pairs of native words, as /proc/self/auxv holds them.
func parseAuxv(data []byte) [][2]uintptr {
	const size = int(unsafe.Sizeof(uintptr(0)))
	word := func(b []byte) uintptr {
		if size == 4 {
			return uintptr(binary.NativeEndian.Uint32(b))
		}
		return uintptr(binary.NativeEndian.Uint64(b))
	}
	var vector [][2]uintptr
	for ; len(data) >= 2*size; data = data[2*size:] {
		vector = append(vector, [2]uintptr{word(data), word(data[size:])})
	}
	return vector
}
