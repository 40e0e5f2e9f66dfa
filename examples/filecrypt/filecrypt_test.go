package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/internal/atomicfile"
	"github.com/quarterround/quarterround/internal/testenv"
	"github.com/quarterround/quarterround/registry"
)

var aeads = []registry.Algorithm{registry.ChaCha20Poly1305, registry.XChaCha20Poly1305, registry.XSalsa20Poly1305}

var testKey = bytes.Repeat([]byte{7}, 32)

func auto(t *testing.T) *quarterround.Library {
	t.Helper()
	library, err := quarterround.Auto()
	if err != nil {
		t.Fatal(err)
	}
	return library
}

func sealed(t *testing.T, library *quarterround.Library, a registry.Algorithm, plain []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	salt := bytes.NewReader(make([]byte, saltSize))
	if err := encrypt(&out, bytes.NewReader(plain), library, testKey, a, salt); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func plaintext(n int) []byte {
	b := make([]byte, n)
	rand.NewChaCha8([32]byte{byte(n)}).Read(b)
	return b
}

func TestRoundTrip(t *testing.T) {
	library := auto(t)
	for _, a := range aeads {
		for _, n := range []int{0, 1, 1000, chunkSize - 1, chunkSize, chunkSize + 1, 2 * chunkSize, 3*chunkSize + 17} {
			plain := plaintext(n)
			var opened bytes.Buffer
			if err := decrypt(&opened, bytes.NewReader(sealed(t, library, a, plain)), library, testKey); err != nil {
				t.Fatalf("%v, %d bytes: %v", a, n, err)
			}
			if !bytes.Equal(opened.Bytes(), plain) {
				t.Fatalf("%v, %d bytes: another plaintext", a, n)
			}
		}
	}
}

// TestSameBytesFromEveryBackend forces every backend that can run here in turn.
func TestSameBytesFromEveryBackend(t *testing.T) {
	plain := plaintext(chunkSize + 12345)
	for _, a := range aeads {
		want := sealed(t, auto(t), a, plain)
		forced := 0
		for _, b := range registry.Backends() {
			selection, err := registry.Select(registry.WithOverride(a.String() + "=" + b.Name))
			if err != nil {
				continue // has nothing for this algorithm, or cannot run here
			}
			forced++
			if !bytes.Equal(sealed(t, quarterround.New(selection), a, plain), want) {
				t.Errorf("%v: backend %s gives other bytes", a, b.Name)
			}
		}
		if forced < 2 {
			t.Errorf("%v: only %d backends could be forced", a, forced)
		}
	}
}

// TestDamage cuts, extends, reorders and alters; nothing that is not authentic
// comes out.
func TestDamage(t *testing.T) {
	library := auto(t)
	for _, a := range aeads {
		plain := plaintext(2*chunkSize + 100)
		good := sealed(t, library, a, plain)
		headerSize, chunk := len(magic)+1+saltSize, chunkSize+16
		swapped := bytes.Clone(good)
		copy(swapped[headerSize:], good[headerSize+chunk:headerSize+2*chunk])
		copy(swapped[headerSize+chunk:], good[headerSize:headerSize+chunk])
		damaged := map[string][]byte{
			"empty":                 {},
			"header only":           good[:headerSize],
			"cut in the header":     good[:10],
			"cut at a chunk":        good[:headerSize+chunk],
			"cut in a chunk":        good[:headerSize+chunk+5],
			"one byte short":        good[:len(good)-1],
			"one byte more":         append(bytes.Clone(good), 0),
			"a chunk twice":         append(bytes.Clone(good[:headerSize+chunk]), good[headerSize:]...),
			"chunks swapped":        swapped,
			"plaintext":             plain,
			"another algorithm":     flip(good, len(magic), 3),
			"salt":                  flip(good, len(magic)+5, 1),
			"first chunk":           flip(good, headerSize+5, 1),
			"last byte":             flip(good, len(good)-1, 0x80),
			"tag of the last chunk": flip(good, len(good)-3, 1),
		}
		for name, data := range damaged {
			var out bytes.Buffer
			if err := decrypt(&out, bytes.NewReader(data), library, testKey); err == nil {
				t.Errorf("%v, %s: no error", a, name)
			}
			if !bytes.HasPrefix(plain, out.Bytes()) {
				t.Errorf("%v, %s: released bytes that are not the plaintext", a, name)
			}
		}
	}
}

func flip(data []byte, at int, mask byte) []byte {
	data = bytes.Clone(data)
	data[at] ^= mask
	return data
}

// TestCommand runs the command as a user does.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	plain := plaintext(200000)
	if err := os.WriteFile(path("in"), plain, 0o600); err != nil {
		t.Fatal(err)
	}
	must := func(args ...string) {
		t.Helper()
		if err := run(args); err != nil {
			t.Fatalf("%s: %v", strings.Join(args, " "), err)
		}
	}
	must("keygen", path("key"))
	must("encrypt", "-key", path("key"), "-o", path("sealed"), path("in"))
	must("decrypt", "-key", path("key"), "-o", path("out"), path("sealed"))
	if out, err := os.ReadFile(path("out")); err != nil || !bytes.Equal(out, plain) {
		t.Fatalf("another plaintext, or %v", err)
	}
	if err := run([]string{"keygen", path("key")}); err == nil {
		t.Error("keygen overwrote a key")
	}
	data, err := os.ReadFile(path("sealed"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path("cut"), data[:len(data)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"decrypt", "-key", path("key"), "-o", path("none"), path("cut")}); err == nil {
		t.Error("a cut file was accepted")
	}
	if err := run([]string{"encrypt", "-key", path("key"), "-o", os.DevNull, path("in")}); !errors.Is(err, atomicfile.ErrIrregular) {
		t.Errorf("written to a device: %v", err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 5 { // hidden ones included
		t.Errorf("files left: %v, %v", files, err)
	}
}

// asCommand is the environment variable that makes the test binary the command.
const asCommand = "FILECRYPT_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// endless is n bytes that are never in memory together.
type endless struct {
	n      int64
	stream *rand.ChaCha8
}

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), e.n)]
	e.stream.Read(p)
	e.n -= int64(len(p))
	return len(p), nil
}

// TestLarge pipes 1 GiB through both directions in CI, and less elsewhere.
func TestLarge(t *testing.T) {
	size := int64(1 << 24)
	if testenv.CI() && !testing.Short() {
		size = 1 << 30
	}
	library := auto(t)
	source := func() io.Reader { return &endless{size, rand.NewChaCha8([32]byte{1})} }
	r, w := io.Pipe()
	go func() {
		w.CloseWithError(encrypt(w, source(), library, testKey, registry.XChaCha20Poly1305, rand.NewChaCha8([32]byte{2})))
	}()
	got, want := sha256.New(), sha256.New()
	if err := decrypt(got, r, library, testKey); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(want, source()); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Sum(nil), want.Sum(nil)) {
		t.Error("another plaintext")
	}
}
