package cipher_test

import (
	"bytes"
	"testing"

	xaead "golang.org/x/crypto/chacha20poly1305"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

// leadFrom is what the kernel leading/chacha-x5 leads at least, in bytes. At most it
// leads four blocks.
const leadFrom = 70

// leadReference is the Lead of that kernel. It counts for the kernel and by itself.
func leadReference(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int) {
	calls["leading/chacha-x5"]++
	calls["leading/lead"]++
	all := make([]byte, 5*64)
	copy(all[64:], src)
	reference.XORChaCha(all, all, state, rounds)
	copy(first[:], all)
	copy(dst, all[64:])
}

// TestLead seals and opens messages by a kernel that leads, and some that are too short
// or too long for it, apart and in place, whole and forged, and with a MAC that needs
// powers and one that does not.
func TestLead(t *testing.T) {
	for _, mac := range []string{"generic/poly1305", "wide/poly1305-x4"} {
		t.Run(mac, func(t *testing.T) { testLead(t, mac) })
	}
}

func testLead(t *testing.T, mac string) {
	a := registry.ChaCha20Poly1305
	sel, err := registry.Select(registry.WithOverride(a.String() + "=leading/chacha-x5," + a.String() + "=" + mac))
	if err != nil {
		t.Fatal(err)
	}
	key, nonce, text := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 12), make([]byte, 300)
	for i := range text {
		text[i] = byte(i * 7)
	}
	ours := new(cipher.AEAD)
	ours.Init(sel.Source(a), a, key)
	theirs, err := xaead.New(key)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(text) {
		leads := n >= leadFrom && n <= 4*64 && !(mac == "generic/poly1305" && sel.Source(a).Plan().Brief(n, 0) != nil)
		for _, additional := range []int{0, 1, 16, 33} {
			m := leadMessage{ours, nonce, text[:n], text[:additional], theirs.Seal(nil, nonce, text[:n], text[:additional])}
			before := calls["leading/lead"]
			m.seal(t)
			m.open(t)
			m.forge(t)
			if led := calls["leading/lead"] > before; led != leads {
				t.Fatalf("%d bytes: led %v, want %v", n, led, leads)
			}
		}
	}
}

// A leadMessage is a message and how it is sealed.
type leadMessage struct {
	aead                            *cipher.AEAD
	nonce, text, additional, sealed []byte
}

func (m *leadMessage) seal(t *testing.T) {
	t.Helper()
	if got := m.aead.Seal([]byte("before"), m.nonce, m.text, m.additional); !bytes.Equal(got[6:], m.sealed) {
		t.Fatalf("%d bytes: sealed %x, want %x", len(m.text), got, m.sealed)
	}
	inPlace := append(bytes.Clone(m.text), make([]byte, cipher.TagSize)...)[:len(m.text)]
	if got := m.aead.Seal(inPlace[:0], m.nonce, inPlace, m.additional); !bytes.Equal(got, m.sealed) {
		t.Fatalf("%d bytes in place: sealed %x, want %x", len(m.text), got, m.sealed)
	}
}

func (m *leadMessage) open(t *testing.T) {
	t.Helper()
	got, err := m.aead.Open([]byte("before"), m.nonce, m.sealed, m.additional)
	if err != nil || !bytes.Equal(got[6:], m.text) {
		t.Fatalf("%d bytes: opened %x, %v", len(m.text), got, err)
	}
	inPlace := bytes.Clone(m.sealed)
	if got, err = m.aead.Open(inPlace[:0], m.nonce, inPlace, m.additional); err != nil || !bytes.Equal(got, m.text) {
		t.Fatalf("%d bytes in place: opened %x, %v", len(m.text), got, err)
	}
}

// forge changes a byte of the ciphertext, or of the tag.
func (m *leadMessage) forge(t *testing.T) {
	t.Helper()
	for _, at := range []int{0, len(m.text) / 2, len(m.sealed) - 1} {
		forged := bytes.Clone(m.sealed)
		forged[at] ^= 1
		out := bytes.Repeat([]byte{3}, len(m.text))
		got, err := m.aead.Open(out[:0], m.nonce, forged, m.additional)
		if err == nil || got != nil || !bytes.Equal(out, make([]byte, len(out))) {
			t.Fatalf("%d bytes forged at %d: %x, %v, output %x", len(m.text), at, got, err, out)
		}
		if got, err = m.aead.Open(forged[:0], m.nonce, forged, m.additional); err == nil || got != nil || !bytes.Equal(forged[:len(m.text)], make([]byte, len(m.text))) {
			t.Fatalf("%d bytes forged at %d in place: %x, %v, output %x", len(m.text), at, got, err, forged)
		}
	}
}
