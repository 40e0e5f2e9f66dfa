package mca

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cached returns what f returns for these arguments and this text, from the
// user's cache folder if it was found before: llvm-mca takes seconds, and most
// kernels did not change since. A cache that cannot be written is done without.
func cached(args []string, text []byte, f func() (float64, error)) (float64, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return f()
	}
	hash := sha256.New()
	fmt.Fprintln(hash, Tool, strings.Join(args, " "))
	hash.Write(text)
	path := filepath.Join(dir, "quarterround-cyclemodel", "mca", fmt.Sprintf("%x", hash.Sum(nil)[:16]))
	if old, err := os.ReadFile(path); err == nil {
		if cycles, err := strconv.ParseFloat(string(old), 64); err == nil {
			return cycles, nil
		}
	}
	cycles, err := f()
	if err == nil && os.MkdirAll(filepath.Dir(path), 0o777) == nil {
		_ = os.WriteFile(path, strconv.AppendFloat(nil, cycles, 'f', -1, 64), 0o666)
	}
	return cycles, err
}
