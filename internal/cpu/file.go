package cpu

import (
	"bytes"
	"io"
	"io/fs"
)

// maxFile bounds what is read of any file. /proc/cpuinfo has about 1.5 kB for
// each logical CPU of an x86 server; where it is longer, the rest is left.
const maxFile = 1 << 20

// readFile returns the first maxFile bytes of a file, nothing if it cannot be
// read.
func readFile(root fs.FS, name string) []byte {
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil
	}
	return data
}

// readLine returns the first line of a file without space around it and without
// the zero bytes that end the strings of a device tree.
func readLine(root fs.FS, name string) string {
	line, _, _ := bytes.Cut(readFile(root, name), []byte("\n"))
	return string(bytes.TrimSpace(bytes.TrimRight(line, "\x00")))
}
