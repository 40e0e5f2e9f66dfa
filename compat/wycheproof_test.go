package compat

import (
	"bytes"
	stdcipher "crypto/cipher"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/c2sp/wycheproof"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/registry"
)

// vectorFile is what is used of the format "aead_test_schema_v1.json".
type vectorFile struct {
	NumberOfTests int
	TestGroups    []struct {
		Tests []vector
	}
}

type vector struct {
	TCID    int
	Comment string
	Key, IV, AAD, Msg,
	CT, Tag hexBytes
	Result string // "valid" or "invalid"
}

type hexBytes []byte

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.AppendDecode(nil, text)
	return err
}

var wycheproofFiles = map[registry.Algorithm]string{
	registry.ChaCha20Poly1305:  "chacha20_poly1305_test.json",
	registry.XChaCha20Poly1305: "xchacha20_poly1305_test.json",
}

// TestWycheproof runs every vector with the plans as they are, and with each
// backend forced.
func TestWycheproof(t *testing.T) {
	for algorithm, name := range wycheproofFiles {
		tests := readVectors(t, name)
		for _, backend := range eligible(t, algorithm) {
			t.Run(algorithm.String()+"="+backend, func(t *testing.T) {
				override := ""
				if backend != "" {
					override = algorithm.String() + "=" + backend
				}
				selection, err := registry.Select(registry.WithOverride(override))
				if err != nil {
					t.Fatal(err)
				}
				for i := range tests {
					check(t, quarterround.New(selection), algorithm, &tests[i])
				}
			})
		}
	}
}

func readVectors(t *testing.T, name string) []vector {
	t.Helper()
	text, err := fs.ReadFile(wycheproof.TestVectors, name)
	if err != nil {
		t.Fatal(err)
	}
	var file vectorFile
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	var tests []vector
	for _, group := range file.TestGroups {
		tests = append(tests, group.Tests...)
	}
	if len(tests) != file.NumberOfTests || len(tests) < 300 {
		t.Fatalf("%s: %d tests, %d announced", name, len(tests), file.NumberOfTests)
	}
	return tests
}

// eligible returns the backends that can be forced here, and "" for no force.
func eligible(t *testing.T, a registry.Algorithm) []string {
	t.Helper()
	selection, err := registry.Select()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{""}
	for _, c := range selection.Candidates(a) {
		if c.Cost != nil && c.Backend != names[len(names)-1] {
			names = append(names, c.Backend)
		}
	}
	return names
}

func check(t *testing.T, l *quarterround.Library, a registry.Algorithm, v *vector) {
	t.Helper()
	c, err := l.AEAD(a, v.Key)
	if err != nil {
		t.Fatal(err)
	}
	if len(v.IV) != c.NonceSize() {
		if v.Result != "invalid" || !panics(func() { c.Seal(nil, v.IV, v.Msg, v.AAD) }) || !panics(func() { c.Open(nil, v.IV, v.CT, v.AAD) }) {
			t.Errorf("%d (%s): nonce of %d bytes accepted", v.TCID, v.Comment, len(v.IV))
		}
		return
	}
	sealed := append(append([]byte{}, v.CT...), v.Tag...)
	opened, err := c.Open(nil, v.IV, sealed, v.AAD)
	if valid := v.Result == "valid"; valid != (err == nil) || valid && !bytes.Equal(opened, v.Msg) {
		t.Errorf("%d (%s), %s: Open: %x, %v", v.TCID, v.Comment, v.Result, opened, err)
	}
	checkSeal(t, c, v, sealed)
}

func checkSeal(t *testing.T, c stdcipher.AEAD, v *vector, sealed []byte) {
	t.Helper()
	got := c.Seal(nil, v.IV, v.Msg, v.AAD)
	if (v.Result == "valid") != bytes.Equal(got, sealed) {
		t.Errorf("%d (%s), %s: Seal: %x", v.TCID, v.Comment, v.Result, got)
	}
}

func panics(f func()) (panicked bool) {
	defer func() { panicked = recover() != nil }()
	f()
	return false
}
