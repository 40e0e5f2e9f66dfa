package plugin

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ManifestName is the name of the manifest in a folder of plugins.
const ManifestName = "quarterround-plugins.json"

// A Manifest lists the plugins of a folder. Files that it does not list are not
// started.
type Manifest struct {
	Plugins []ManifestEntry `json:"plugins"`
}

// A ManifestEntry is one plugin.
type ManifestEntry struct {
	// Name is the backend's.
	Name string `json:"name"`
	// File is the program, a name in the folder.
	File string `json:"file"`
	// SHA256 is the checksum of the file, 64 hexadecimal digits.
	SHA256 string `json:"sha256"`
	// Algorithms are what it must offer, and all that it is used for: other keys are
	// refused before it sees them, and selections use its kernels for nothing else.
	// Empty leaves it to the plugin.
	Algorithms []string `json:"algorithms,omitempty"`
}

// NewManifest returns the manifest that allows plugins with their present files and
// algorithms.
func NewManifest(plugins []*Plugin) (*Manifest, error) {
	m := new(Manifest)
	for _, p := range plugins {
		content, err := os.ReadFile(p.path)
		if err != nil {
			return nil, p.errorf(StageFile, err, "%v", err)
		}
		m.Plugins = append(m.Plugins, ManifestEntry{Name: p.backend.Name, File: filepath.Base(p.path),
			SHA256: fmt.Sprintf("%x", sha256.Sum256(content)), Algorithms: p.Algorithms()})
	}
	return m, nil
}

// ReadManifest returns the manifest of a folder, checked.
func ReadManifest(folder string) (*Manifest, error) {
	path := filepath.Join(folder, ManifestName)
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{folder, StageManifest, "a folder without a readable " + ManifestName, err}
	}
	m := new(Manifest)
	if err := json.Unmarshal(content, m); err != nil {
		return nil, &Error{path, StageManifest, err.Error(), err}
	}
	for i := range m.Plugins {
		if err := m.Plugins[i].check(); err != nil {
			return nil, &Error{path, StageManifest, err.Error(), err}
		}
	}
	return m, nil
}

func (e *ManifestEntry) check() error {
	if e.Name == "" || e.File == "" || filepath.Base(e.File) != e.File {
		return fmt.Errorf("entry %q: a name, and a file in the same folder, are wanted", e.Name)
	}
	if sum, err := hex.DecodeString(e.SHA256); err != nil || len(sum) != 32 {
		return fmt.Errorf("entry %q: sha256 is not 64 hexadecimal digits", e.Name)
	}
	return nil
}

// targets returns the plugins at path, which is a program or a folder with a
// manifest, as entries with whole paths.
func targets(path string) ([]ManifestEntry, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []ManifestEntry{{File: path}}, nil
	}
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	entries := slices.Clone(m.Plugins)
	for i := range entries {
		entries[i].File = filepath.Join(path, entries[i].File)
	}
	return entries, nil
}
