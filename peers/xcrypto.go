package peers

import (
	"golang.org/x/crypto/chacha20"
	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/nacl/secretbox"
	"golang.org/x/crypto/poly1305"
	"golang.org/x/crypto/salsa20"
)

// XCrypto returns golang.org/x/crypto.
func XCrypto() *Library {
	return &Library{Name: "x/crypto", algorithms: map[string]func(*[32]byte) Message{
		"chacha20": func(key *[32]byte) Message {
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce)
					if err != nil {
						return false
					}
					c.XORKeyStream(dst, src)
				}
				return true
			}
		},
		"salsa20": func(key *[32]byte) Message {
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					salsa20.XORKeyStream(dst, src, nonce, key)
				}
				return true
			}
		},
		"poly1305": func(key *[32]byte) Message {
			return func(dst, src, _ []byte, times int) bool {
				for range times {
					poly1305.Sum((*[TagSize]byte)(dst), src, key)
				}
				return true
			}
		},
		"chacha20poly1305 seal": func(key *[32]byte) Message {
			aead, err := chacha20poly1305.New(key[:])
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					aead.Seal(dst[:0], nonce, src, nil)
				}
				return err == nil
			}
		},
		"chacha20poly1305 open": func(key *[32]byte) Message {
			aead, err := chacha20poly1305.New(key[:])
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					if _, wrong := aead.Open(dst[:0], nonce, src, nil); wrong != nil {
						return false
					}
				}
				return err == nil
			}
		},
		"secretbox seal": func(key *[32]byte) Message {
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					secretbox.Seal(dst[:0], src, (*[24]byte)(nonce), key)
				}
				return true
			}
		},
		"secretbox open": func(key *[32]byte) Message {
			return func(dst, src, nonce []byte, times int) bool {
				for range times {
					if _, ok := secretbox.Open(dst[:0], src, (*[24]byte)(nonce), key); !ok {
						return false
					}
				}
				return true
			}
		},
	}}
}
