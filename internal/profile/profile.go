// Package profile keeps measured costs on disk, so that a CPU is measured once
// and not in every process.
//
// A profile is JSON with sorted keys, one file for each kind of CPU (its [Key]), and
// a line for each kernel and number of rounds (an [Entry]).
// It cannot do harm: whoever reads it uses it only to order kernels that have
// proved themselves otherwise. A file that is damaged, belongs to another CPU or
// is of a newer schema gives an error and nothing else.
package profile

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"
	"unsafe"

	"github.com/quarterround/quarterround/internal/atomicfile"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/rawfile"
)

// Schema is the number of the format. It is raised with each change that older
// readers would misunderstand.
const Schema = 1

// maxSize bounds what is read of a file; a full profile has some 20 KiB.
const maxSize = 1 << 20

// A Key says what the costs hold for.
type Key struct {
	cpu.Key
	// Go is the version of the compiler, on which kernels written in Go depend.
	Go string `json:"go"`
}

// A Profile is the content of a file.
type Profile struct {
	Schema int `json:"schema"`
	Key    Key `json:"key"`
	// Costs are by [EntryName].
	Costs map[string]*Entry `json:"costs"`
}

// Path returns the usual place of the profile for a key, below the user's cache
// directory. The name of the file is the start of the
// SHA-256 of the key's text.
func Path(key Key) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(key.String() + "; " + key.Go))
	return filepath.Join(dir, "quarterround", "profile-"+hex.EncodeToString(sum[:8])+".json"), nil
}

// The errors of Load, apart from those of reading.
var (
	ErrDamaged = errors.New("the file is damaged")
	ErrForeign = errors.New("the profile is of another CPU or Go version")
	ErrNewer   = errors.New("the profile is of a newer version")
)

// Load reads the profile for a key. If there is no file, errors.Is(err,
// fs.ErrNotExist) holds. Entries that cannot be true are an error, too.
func Load(path string, key Key) (*Profile, error) {
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	p, ok := decodeLines(unsafe.String(unsafe.SliceData(text), len(text)), key)
	if !ok {
		p, err = decode(text)
	}
	if schema := schemaOf(p, text, err); schema > Schema {
		return nil, fmt.Errorf("%w: schema %d, not %d", ErrNewer, schema, Schema)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if p.Schema != Schema {
		return nil, fmt.Errorf("%w: schema %d", ErrDamaged, p.Schema)
	}
	if p.Key != key {
		return nil, fmt.Errorf("%w: %s", ErrForeign, difference(p.Key, key))
	}
	for name, e := range p.Costs {
		for i := range e.Classes {
			if !e.Classes[i].plausible() {
				return nil, fmt.Errorf("%w: the cost of %s", ErrDamaged, name)
			}
		}
	}
	return p, nil
}

// schemaOf returns the schema of a file that was read as p. What could not be
// read like that may be of another shape, but it has a schema nevertheless.
func schemaOf(p *Profile, text []byte, err error) int {
	if err == nil {
		return p.Schema
	}
	var version struct {
		Schema int `json:"schema"`
	}
	if json.Unmarshal(text, &version) != nil {
		return 0
	}
	return version.Schema
}

// difference names the first part in which keys differ.
func difference(theirs, ours Key) string {
	for _, part := range []struct{ name, theirs, ours string }{
		{"system", theirs.GOOS + "/" + theirs.GOARCH, ours.GOOS + "/" + ours.GOARCH},
		{"byte order", theirs.ByteOrder, ours.ByteOrder},
		{"cpu", theirs.CPU, ours.CPU},
		{"features", theirs.Features, ours.Features},
		{"environment", theirs.Environment, ours.Environment},
	} {
		if part.theirs != part.ours {
			return fmt.Sprintf("%s %q, not %q", part.name, part.theirs, part.ours)
		}
	}
	return fmt.Sprintf("%s, not %s", theirs.Go, ours.Go)
}

// read returns the content of a regular file that is not too long.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path) // before opening, which would wait on a pipe
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: not a regular file", ErrDamaged)
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("%w: longer than %d bytes", ErrDamaged, maxSize)
	}
	file, err := rawfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text := make([]byte, info.Size())
	if _, err := io.ReadFull(file, text); err != nil {
		return nil, err // of a file that somebody is cutting short
	}
	return text, nil
}

// Save writes p to path. Entries that the file has and p has not are kept, so
// that two programs with different kernels add to each other. The file is
// replaced in one step; a reader sees the old or the new one. A damaged file is
// replaced; one of another key or a newer schema is an error.
func Save(path string, p *Profile) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	unlock, err := lock(path + ".lock")
	if err != nil {
		return err
	}
	defer unlock()
	merged := *p
	old, err := Load(path, p.Key)
	switch {
	case err == nil:
		merged.Costs = maps.Clone(old.Costs)
		maps.Copy(merged.Costs, p.Costs)
	case errors.Is(err, ErrNewer), errors.Is(err, ErrForeign):
		return err
	case !errors.Is(err, ErrDamaged) && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	text, err := json.MarshalIndent(&merged, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.Write(path, append(text, '\n'), 0o600)
}

// A lock that is older than abandoned, or in sight for as long, was left by a
// program that died: where the clock was set back, it has a time to come.
const abandoned = 10 * time.Second

// lock creates a file that only one program can create at a time, and waits for
// others up to the time after which theirs count as abandoned.
func lock(path string) (unlock func(), err error) {
	var seen, since time.Time
	for {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			file.Close()
			return func() { os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		info, err := os.Lstat(path)
		if err == nil && info.ModTime() != seen {
			seen, since = info.ModTime(), time.Now()
		}
		if err == nil && (time.Since(seen) > abandoned || time.Since(since) > abandoned) {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			continue
		}
		time.Sleep(5 * time.Millisecond)
	}
}
