package cpu

import (
	"bytes"
	"io"
	"io/fs"
	"strconv"
	"strings"
)

// Bounds on what is read of a file. /proc/cpuinfo has about 1.5 kB for each
// logical CPU of x86 and a few hundred bytes for each of ARM.
const (
	maxFile = 1 << 18
	maxHead = 4096
)

// readFile returns the first maxFile bytes of a file, nothing if it cannot be
// read.
func readFile(root fs.FS, name string) []byte { return readHead(root, name, maxFile) }

// readHead returns the first limit bytes of a file, nothing if it cannot be
// read. No more than that is asked of the kernel, which for some files of /proc
// works for every page.
func readHead(root fs.FS, name string, limit int64) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit))
	if err != nil {
		return nil
	}
	return data
}

// readLine returns the first line of a file without space around it and without
// the zero bytes that end the strings of a device tree.
func readLine(root fs.FS, name string) string {
	line, _, _ := bytes.Cut(readHead(root, name, maxHead), []byte("\n"))
	line, _, _ = bytes.Cut(line, []byte{0})
	return string(bytes.TrimSpace(line))
}

// readUint returns the number in a file, decimal or with 0x before it, or 0.
func readUint(root fs.FS, name string) uint64 {
	n, _ := strconv.ParseUint(readLine(root, name), 0, 64)
	return n
}

// fields calls visit for each "name : value" line of a file in the manner of
// /proc/cpuinfo.
func fields(data []byte, visit func(name, value string)) {
	for line := range strings.Lines(string(data)) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			visit(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
}
