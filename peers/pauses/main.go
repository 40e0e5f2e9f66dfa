// Command pauses measures how long kernels keep the garbage collector waiting:
// one goroutine runs XORKeyStream and Poly1305 over 64 MiB while another collects
// all the time. It prints the longest times that stopping the world took, as
// bounds of the runtime's histogram, and exits with status 1 if one is 1 ms or
// more.
package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"github.com/quarterround/quarterround/chacha20"
	"github.com/quarterround/quarterround/poly1305"
)

const (
	size   = 64 << 20
	times  = 40
	limit  = time.Millisecond
	metric = "/sched/pauses/stopping/gc:seconds"
)

func main() {
	if runtime.GOMAXPROCS(0) < 2 {
		runtime.GOMAXPROCS(2)
	}
	message := make([]byte, size)
	worst := max(during("XORKeyStream", func() { encrypt(message) }), during("Poly1305", func() { authenticate(message) }))
	if worst >= limit {
		os.Exit(1)
	}
}

func encrypt(message []byte) {
	c, err := chacha20.NewUnauthenticatedCipher(make([]byte, 32), make([]byte, 12))
	if err != nil {
		panic(err)
	}
	c.XORKeyStream(message, message)
}

func authenticate(message []byte) {
	var tag [16]byte
	poly1305.Sum(&tag, message, new([32]byte))
}

// during runs work while collecting and returns the longest pause.
func during(name string, work func()) time.Duration {
	before := histogram()
	var done atomic.Bool
	go func() {
		for range times {
			work()
		}
		done.Store(true)
	}()
	collections := 0
	for ; !done.Load(); collections++ {
		runtime.GC()
	}
	worst := longest(before, histogram())
	fmt.Printf("%-12s  64 MiB, %d times, %d collections: stopping took less than %v\n", name, times, collections, worst)
	return worst
}

// histogram returns the pauses so far.
func histogram() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: append([]uint64(nil), h.Counts...), Buckets: h.Buckets}
}

// longest returns the upper bound of the highest bucket that has grown.
func longest(before, after *metrics.Float64Histogram) time.Duration {
	for i := len(after.Counts) - 1; i >= 0; i-- {
		if after.Counts[i] > before.Counts[i] {
			if math.IsInf(after.Buckets[i+1], 1) {
				return math.MaxInt64
			}
			return time.Duration(after.Buckets[i+1] * float64(time.Second))
		}
	}
	return 0
}
