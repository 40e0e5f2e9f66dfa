package main

import (
	"bufio"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/registry"
)

// The format is STREAM (Hoang, Reyhanitabar, Rogaway, Vizár, "Online
// Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance", 2015): a
// header, then chunks, each sealed by the AEAD under a nonce that holds the
// number of the chunk and whether it is the last. So chunks cannot be reordered,
// dropped or added, and a cut file is noticed.
//
//	header: magic (8 bytes), algorithm (1 byte), salt (32 bytes)
//	chunk:  up to 64 KiB of plaintext, sealed
//
// Each file has a key of its own, derived from the key file, the salt and the
// algorithm, so the nonces may start at zero.
const (
	magic     = "QRTRFC1\n"
	saltSize  = 32
	chunkSize = 64 << 10
)

// codes are the algorithms in the header.
var codes = map[byte]registry.Algorithm{
	1: registry.ChaCha20Poly1305,
	2: registry.XChaCha20Poly1305,
	3: registry.XSalsa20Poly1305,
}

// header returns the header of a new file.
func header(a registry.Algorithm, random io.Reader) ([]byte, error) {
	h := []byte(magic)
	for code, algorithm := range codes {
		if algorithm == a {
			h = append(h, code)
		}
	}
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(random, salt); err != nil {
		return nil, err
	}
	return append(h, salt...), nil
}

// newChunks returns the cipher of the chunks that follow a header.
func newChunks(library *quarterround.Library, key, header []byte) (*chunks, error) {
	algorithm, known := codes[header[len(magic)]]
	if string(header[:len(magic)]) != magic || !known {
		return nil, errors.New("the input is not a file encrypted by filecrypt")
	}
	fileKey, err := hkdf.Key(sha256.New, key, header[len(magic)+1:], "filecrypt "+algorithm.String(), 32)
	if err != nil {
		return nil, err
	}
	aead, err := library.AEAD(algorithm, fileKey)
	if err != nil {
		return nil, err
	}
	return &chunks{aead: aead, nonce: make([]byte, aead.NonceSize())}, nil
}

// chunks seals and opens chunks in order.
type chunks struct {
	aead  cipher.AEAD
	nonce []byte
	next  uint64
}

// nonceFor returns the nonce of the next chunk: its number, big-endian, in the
// bytes before the last one, which is 1 in the last chunk.
func (c *chunks) nonceFor(last bool) ([]byte, error) {
	if c.next == math.MaxUint64 {
		return nil, errors.New("the input is too long")
	}
	n := len(c.nonce)
	binary.BigEndian.PutUint64(c.nonce[n-9:], c.next)
	c.nonce[n-1] = 0
	if last {
		c.nonce[n-1] = 1
	}
	c.next++
	return c.nonce, nil
}

// encrypt encrypts r to w.
func encrypt(w io.Writer, r io.Reader, library *quarterround.Library, key []byte, a registry.Algorithm, random io.Reader) error {
	h, err := header(a, random)
	if err != nil {
		return err
	}
	c, err := newChunks(library, key, h)
	if err != nil {
		return err
	}
	if _, err := w.Write(h); err != nil {
		return err
	}
	sealed := make([]byte, 0, chunkSize+c.aead.Overhead())
	return eachChunk(r, chunkSize, func(plain []byte, last bool) error {
		nonce, err := c.nonceFor(last)
		if err != nil {
			return err
		}
		_, err = w.Write(c.aead.Seal(sealed, nonce, plain, nil))
		return err
	})
}

// decrypt decrypts r to w. It writes only what is authentic and in its place; an
// error after the first chunk means that w has the beginning of the plaintext.
func decrypt(w io.Writer, r io.Reader, library *quarterround.Library, key []byte) error {
	h := make([]byte, len(magic)+1+saltSize)
	if _, err := io.ReadFull(r, h); err != nil {
		return fmt.Errorf("the input is not a file encrypted by filecrypt: %w", err)
	}
	c, err := newChunks(library, key, h)
	if err != nil {
		return err
	}
	plain := make([]byte, 0, chunkSize)
	return eachChunk(r, chunkSize+c.aead.Overhead(), func(sealed []byte, last bool) error {
		nonce, err := c.nonceFor(last)
		if err != nil {
			return err
		}
		opened, err := c.aead.Open(plain, nonce, sealed, nil)
		if err != nil {
			return fmt.Errorf("chunk %d: the file is damaged or cut, or this is not its key: %w", c.next-1, err)
		}
		_, err = w.Write(opened)
		return err
	})
}

// eachChunk calls f with each full chunk of r and then with what is left, which
// is the last chunk and may be empty only if r is.
func eachChunk(r io.Reader, size int, f func(chunk []byte, last bool) error) error {
	buffered := bufio.NewReaderSize(r, size)
	chunk := make([]byte, size)
	for {
		n, err := io.ReadFull(buffered, chunk)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		_, err = buffered.Peek(1)
		last := err == io.EOF
		if err != nil && !last {
			return err
		}
		if err := f(chunk[:n], last); err != nil || last {
			return err
		}
	}
}
