package plugin

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/registry"
)

// selfTestLengths are on both sides of the sizes of blocks and steps.
var selfTestLengths = []int{0, 1, 15, 16, 63, 64, 65, 255, 513, 1350, 4097}

// SelfTest has the plugin do messages of several lengths through the wire and
// compares with the generic kernels of this program. NewKey does so for an
// algorithm before its first key; a plugin that is wrong never sees one. Errors
// are *Error, with StageSelfTest if a result is wrong.
func (p *Plugin) SelfTest(ctx context.Context, a registry.Algorithm) error {
	secret := new([cipher.KeySize]byte)
	rand.Read(secret[:])
	key, err := p.newKey(ctx, a, secret[:])
	if err != nil {
		return err
	}
	defer key.Drop(ctx)
	for _, f := range FunctionsOf(a) {
		for _, n := range selfTestLengths {
			if err := p.testFunction(ctx, key, f, secret, n); err != nil {
				return err
			}
		}
	}
	return nil
}

// testFunction compares one result, and has a forgery opened.
func (p *Plugin) testFunction(ctx context.Context, key *Key, f Function, secret *[cipher.KeySize]byte, n int) error {
	nonce, plaintext := make([]byte, f.NonceSize()), make([]byte, n)
	rand.Read(nonce)
	rand.Read(plaintext)
	src, want, err := expected(f, secret, nonce, plaintext)
	if err != nil {
		return p.errorf(StageSelfTest, err, "%v", err)
	}
	got, err := key.do(ctx, f.Operation, nonce, src)
	if errors.Is(err, ErrOpen) {
		return p.errorf(StageSelfTest, err, "%v of %d bytes refuses what is right", f, n)
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return p.errorf(StageSelfTest, nil, "%v of %d bytes gives a wrong result", f, n)
	}
	if f.Operation != OperationOpen {
		return nil
	}
	src[n/2] ^= 1
	if _, err := key.do(ctx, f.Operation, nonce, src); !errors.Is(err, ErrOpen) {
		return p.errorf(StageSelfTest, err, "%v of %d bytes takes a forgery", f, n)
	}
	return nil
}

// do runs an operation without additional data, from the first byte of keystream.
func (k *Key) do(ctx context.Context, o Operation, nonce, src []byte) ([]byte, error) {
	switch o {
	case OperationSeal:
		return k.Seal(ctx, nonce, src, nil)
	case OperationOpen:
		return k.Open(ctx, nonce, src, nil)
	case OperationMAC:
		return k.MAC(ctx, src)
	}
	return k.XOR(ctx, nonce, 0, src)
}

// selfTestOnce runs the self-test of an algorithm unless it has been passed.
func (p *Plugin) selfTestOnce(ctx context.Context, a registry.Algorithm) error {
	p.testing.Lock()
	defer p.testing.Unlock()
	if p.passed[a] {
		return nil
	}
	if err := p.SelfTest(ctx, a); err != nil {
		return err
	}
	if p.passed == nil {
		p.passed = map[registry.Algorithm]bool{}
	}
	p.passed[a] = true
	return nil
}
