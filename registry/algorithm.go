package registry

// An Algorithm is what a caller asks for.
type Algorithm uint8

// The algorithms, in the order in which they are listed.
const (
	ChaCha20 Algorithm = iota
	ChaCha12
	ChaCha8
	XChaCha20
	Salsa20
	Salsa20r12
	Salsa20r8
	XSalsa20
	Poly1305
	ChaCha20Poly1305
	XChaCha20Poly1305
	XSalsa20Poly1305
	numAlgorithms
)

// algorithms says what each algorithm is made of.
var algorithms = [numAlgorithms]struct {
	name   string
	cipher Cipher
	rounds int
	mac    bool
}{
	ChaCha20:          {"chacha20", ChaCha, 20, false},
	ChaCha12:          {"chacha12", ChaCha, 12, false},
	ChaCha8:           {"chacha8", ChaCha, 8, false},
	XChaCha20:         {"xchacha20", ChaCha, 20, false},
	Salsa20:           {"salsa20", Salsa, 20, false},
	Salsa20r12:        {"salsa20r12", Salsa, 12, false},
	Salsa20r8:         {"salsa20r8", Salsa, 8, false},
	XSalsa20:          {"xsalsa20", Salsa, 20, false},
	Poly1305:          {"poly1305", NoCipher, 0, true},
	ChaCha20Poly1305:  {"chacha20poly1305", ChaCha, 20, true},
	XChaCha20Poly1305: {"xchacha20poly1305", ChaCha, 20, true},
	XSalsa20Poly1305:  {"xsalsa20poly1305", Salsa, 20, true},
}

// Algorithms returns all algorithms in listing order.
func Algorithms() []Algorithm {
	all := make([]Algorithm, numAlgorithms)
	for i := range all {
		all[i] = Algorithm(i)
	}
	return all
}

// ParseAlgorithm returns the algorithm of that name; ok is false if there is
// none.
func ParseAlgorithm(name string) (a Algorithm, ok bool) {
	for i := range algorithms {
		if algorithms[i].name == name {
			return Algorithm(i), true
		}
	}
	return 0, false
}

// String returns the name: "chacha20", "salsa20r12", "xsalsa20poly1305".
func (a Algorithm) String() string {
	if a < numAlgorithms {
		return algorithms[a].name
	}
	return "unknown algorithm"
}

// Cipher returns the stream cipher family of a, NoCipher for poly1305.
func (a Algorithm) Cipher() Cipher { return algorithms[a].cipher }

// Rounds returns the number of rounds of the stream cipher in a, 0 for poly1305.
func (a Algorithm) Rounds() int { return algorithms[a].rounds }

// IsAEAD reports whether a encrypts and authenticates.
func (a Algorithm) IsAEAD() bool { return algorithms[a].mac && algorithms[a].cipher != NoCipher }

// IsMAC reports whether a authenticates only.
func (a Algorithm) IsMAC() bool { return algorithms[a].mac && algorithms[a].cipher == NoCipher }

// uses reports whether kernel k can do some of the work of a.
func (a Algorithm) uses(k *Kernel) bool {
	switch k.Kind {
	case KindStream:
		return k.Cipher == a.Cipher() && a.Cipher() != NoCipher
	case KindMAC:
		return algorithms[a].mac
	case KindFused:
		return a.IsAEAD() && k.Cipher == a.Cipher()
	}
	return false
}
