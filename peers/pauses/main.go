// Command pauses measures how long kernels keep the garbage collector waiting:
// one goroutine runs XORKeyStream and Poly1305 over 64 MiB while another collects
// all the time. For comparison the first goroutine also runs a plain loop, which
// can be stopped anywhere: what that shows is the operating system, which may take
// the CPU from a thread that is to stop.
//
// It prints how long stopping the world took, as upper bounds from the runtime's
// histogram. Exit status: 0 if it took less than 1 ms each time, 1 if not, 3 if not
// but neither with the plain loop, so that this machine is too busy to tell.
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
	plain := during("plain loop", func() { count(message) })
	worst := max(during("XORKeyStream", func() { encrypt(message) }), during("Poly1305", func() { authenticate(message) }))
	switch {
	case worst < limit:
	case plain >= limit:
		fmt.Println("The machine is too busy to tell.")
		os.Exit(3)
	default:
		os.Exit(1)
	}
}

func count(message []byte) {
	var sum byte
	for _, b := range message {
		sum += b
	}
	message[0] = sum
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

// during runs work while collecting and returns a bound of the longest pause.
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
	counts, buckets := grown(before, histogram())
	worst := quantile(counts, buckets, 1)
	fmt.Printf("%-12s  64 MiB, %d times; %d collections; stopping: half below %v, 99 %% below %v, all below %v\n",
		name, times, collections, quantile(counts, buckets, 0.5), quantile(counts, buckets, 0.99), worst)
	return worst
}

// histogram returns the pauses so far.
func histogram() *metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	h := sample[0].Value.Float64Histogram()
	return &metrics.Float64Histogram{Counts: append([]uint64(nil), h.Counts...), Buckets: h.Buckets}
}

// grown returns by how much the buckets have grown, and their bounds.
func grown(before, after *metrics.Float64Histogram) (counts []uint64, buckets []float64) {
	for i := range after.Counts {
		counts = append(counts, after.Counts[i]-before.Counts[i])
	}
	return counts, after.Buckets
}

// quantile returns the upper bound of the bucket that a share of all pauses does
// not go beyond.
func quantile(counts []uint64, buckets []float64, share float64) time.Duration {
	total, sum := uint64(0), uint64(0)
	for _, n := range counts {
		total += n
	}
	for i, n := range counts {
		sum += n
		if sum > 0 && float64(sum) >= share*float64(total) {
			if math.IsInf(buckets[i+1], 1) {
				return math.MaxInt64
			}
			return time.Duration(buckets[i+1] * float64(time.Second))
		}
	}
	return 0
}
