package plugin

import (
	"context"
	"fmt"
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// BenchmarkSeal shows what a call to another process costs, alone and in a batch
// of 64 messages.
func BenchmarkSeal(b *testing.B) {
	p := open(b, "fast", patient())
	ctx := context.Background()
	key, err := p.NewKey(ctx, registry.ChaCha20Poly1305, testKey)
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{64, 1 << 10, 64 << 10, 1 << 20} {
		data := pattern(n)
		b.Run(fmt.Sprintf("single/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				if _, err := key.Seal(ctx, testNonce, data, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		messages := make([]Message, 64)
		for i := range messages {
			messages[i] = Message{Key: key, Nonce: testNonce, Data: data}
		}
		if n >= maxChunk {
			continue
		}
		b.Run(fmt.Sprintf("batch/%d", n), func(b *testing.B) {
			b.SetBytes(int64(n * len(messages)))
			for b.Loop() {
				if err := p.Batch(ctx, messages); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
