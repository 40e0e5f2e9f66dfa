package plugin

import (
	"bytes"
	"context"
	"crypto/rand"
	"runtime"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/internal/cipher"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// Limits of one call of Measure.
const (
	maxMeasured = 64 << 20 // bytes of a message
	maxTimes    = 1 << 24  // messages in a round
	maxRounds   = 1 << 12
)

// generic are the portable kernels, to check others by.
var generic = sync.OnceValues(func() (*registry.Selection, error) {
	return registry.Select(registry.WithOverride("mode=generic,profile=off"))
})

// A timed function has its input at hand, and has given the right result.
type timed struct {
	function        Function
	length          int
	key             keyed
	message         MessageFunc
	dst, src, nonce []byte
}

// Measure implements the service.
func (s *server) Measure(_ context.Context, r *proto.MeasureRequest) (*proto.MeasureReply, error) {
	a, ok := registry.ParseAlgorithm(r.Algorithm)
	f := Function{a, operationOf(r.Operation)}
	if !ok || !f.valid() {
		return nil, status.Errorf(codes.InvalidArgument, "no function %v of %q", f.Operation, r.Algorithm)
	}
	if r.Length > maxMeasured || r.Messages < 1 || r.Messages > maxTimes || r.Rounds < 1 || r.Rounds > maxRounds {
		return nil, status.Errorf(codes.InvalidArgument, "%d rounds of %d messages of %d bytes; from 1, 1, 0 to %d, %d, %d are possible",
			r.Rounds, r.Messages, r.Length, maxRounds, maxTimes, maxMeasured)
	}
	if !s.ciphers.offers(a) {
		return nil, status.Errorf(codes.Unimplemented, "%v is not offered", a)
	}
	s.measuring.Lock()
	defer s.measuring.Unlock()
	if s.timed == nil || s.timed.function != f || s.timed.length != int(r.Length) {
		if err := s.prepare(f, int(r.Length)); err != nil {
			return nil, err
		}
	}
	return s.timed.run(int(r.Messages), int(r.Rounds))
}

// prepare makes the function that is to be timed, and checks it. It is kept, so
// that a host which takes turns with other functions in each round does not wait.
func (s *server) prepare(f Function, length int) error {
	if s.timed != nil {
		s.timed.key.drop()
		s.timed = nil
	}
	secret, nonce, plaintext := new([cipher.KeySize]byte), make([]byte, f.NonceSize()), make([]byte, length)
	rand.Read(secret[:])
	rand.Read(nonce)
	rand.Read(plaintext)
	src, want, err := expected(f, secret, nonce, plaintext)
	if err != nil {
		return status.Errorf(codes.Internal, "%v", err)
	}
	key, err := s.ciphers.under(f.Algorithm, secret)
	if err != nil {
		return status.Errorf(codes.Internal, "%v: %v", f, err)
	}
	t := &timed{f, length, key, key.message(f), make([]byte, len(want)), src, nonce}
	if !t.message(t.dst, t.src, t.nonce, 1) {
		key.drop()
		return status.Errorf(codes.Internal, "%v of %d bytes is refused", f, length)
	}
	if !bytes.Equal(t.dst, want) {
		key.drop()
		return status.Errorf(codes.Internal, "%v of %d bytes gives a wrong result", f, length)
	}
	s.timed = t
	return nil
}

// expected returns input and result of a function according to the generic
// kernels.
func expected(f Function, secret *[cipher.KeySize]byte, nonce, plaintext []byte) (src, dst []byte, err error) {
	selection, err := generic()
	if err != nil {
		return nil, nil, err
	}
	key, err := kernelCiphers{selection: selection}.under(f.Algorithm, secret)
	if err != nil {
		return nil, nil, err
	}
	if f.Operation == OperationOpen {
		f.Operation = OperationSeal
		src, dst = make([]byte, len(plaintext)+cipher.TagSize), plaintext
		key.message(f)(src, plaintext, nonce, 1)
		return src, dst, nil
	}
	size, _ := f.Sizes(len(plaintext))
	dst = make([]byte, size)
	key.message(f)(dst, plaintext, nonce, 1)
	return plaintext, dst, nil
}

// run times rounds of messages, after one that is not counted: it brings code and
// data, which the wire has driven out, back into the caches.
func (t *timed) run(messages, rounds int) (*proto.MeasureReply, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	reply := &proto.MeasureReply{Nanoseconds: make([]uint64, 0, rounds)}
	for i := -1; i < rounds; i++ {
		start := measure.ThreadNow()
		ok := t.message(t.dst, t.src, t.nonce, messages)
		elapsed := measure.ThreadNow() - start
		if !ok {
			return nil, status.Errorf(codes.Internal, "%v of %d bytes is refused", t.function, t.length)
		}
		if i >= 0 {
			reply.Nanoseconds = append(reply.Nanoseconds, uint64(max(elapsed, time.Nanosecond)))
		}
	}
	return reply, nil
}
