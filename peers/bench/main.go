// Command bench compares the speed of Quarterround's drop-in packages with other
// libraries and prints ratios: above 1, Quarterround is faster.
//
// Everything is measured in one process by turns: a round gives each library one
// short batch of the same message, in an order that rotates, and compares the
// times within the round. A cell is the median of the rounds' ratios, which other
// load on the machine hardly moves; the spread is half the distance between the
// quartiles. The way from Go to C is not counted: a batch is one call to C.
//
// With -held a second process compares again, in which both sides do without the
// CPU features above a level: like with like. QUARTERROUND alone holds only
// Quarterround.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/peers"
)

func main() {
	sizes := flag.String("sizes", "64,256,1024,1350,16384,1048576", "message lengths in bytes")
	rounds := flag.Int("rounds", 101, "rounds, at least 10")
	batch := flag.Duration("batch", 60*time.Microsecond, "length of a batch")
	only := flag.String("only", "", "only algorithms whose names contain this")
	held := flag.String("held", "", "compare x/crypto and OpenSSL also held to this level: avx2 or ssse3")
	asJSON := flag.Bool("json", false, "print JSON")
	flag.Parse()
	if err := run(*sizes, *only, *held, *rounds, *batch, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(sizes, only, held string, rounds int, batch time.Duration, asJSON bool) error {
	if rounds < 10 {
		return fmt.Errorf("%d rounds are too few; at least 10", rounds)
	}
	lengths, err := parse(sizes)
	if err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	libraries := available()
	var cells []Cell
	runtime.LockOSThread()
	debug.SetGCPercent(-1)
	for _, algorithm := range peers.Algorithms {
		if !strings.Contains(algorithm, only) {
			continue
		}
		for _, n := range lengths {
			cells = append(cells, measure(algorithm, n, libraries, rounds, batch))
		}
	}
	r := newReport(libraries, cells, rounds)
	if held != "" {
		r.Held, err = measureHeld(held, []string{"-sizes", sizes, "-only", only, "-rounds", strconv.Itoa(rounds), "-batch", batch.String()})
		if err != nil {
			return err
		}
	}
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	r.print(os.Stdout)
	return nil
}

func parse(sizes string) ([]int, error) {
	var lengths []int
	for word := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is no message length", word)
		}
		lengths = append(lengths, n)
	}
	return lengths, nil
}

// ready makes Quarterround's plans, which may include measuring, beforehand.
func ready() error {
	_, err := quarterround.Auto()
	return err
}

// available returns Quarterround first, then the others that are there.
func available() []*peers.Library {
	libraries := []*peers.Library{peers.Ours(), peers.XCrypto()}
	for _, l := range peers.C() {
		if l.Missing != "" {
			fmt.Fprintf(os.Stderr, "bench: without %s: %s is missing (Debian package %s)\n", l.Name, l.Missing, l.Package)
			continue
		}
		libraries = append(libraries, l)
	}
	return libraries
}

// A contestant is an algorithm of one library with its input.
type contestant struct {
	library         string
	message         peers.Message
	dst, src, nonce []byte
	times           int // messages in a batch
}

// measure compares the libraries at one algorithm and length.
func measure(algorithm string, n int, libraries []*peers.Library, rounds int, batch time.Duration) Cell {
	random := rand.NewChaCha8([32]byte{2})
	key := new([32]byte)
	random.Read(key[:])
	src, nonce := peers.Input(algorithm, key, n, random)
	size, _ := peers.Sizes(algorithm, n)
	dst := make([]byte, size)
	var contestants []*contestant
	for _, l := range libraries {
		if l.Has(algorithm) {
			c := &contestant{library: l.Name, message: l.New(algorithm, key), dst: dst, src: src, nonce: nonce}
			c.calibrate(batch)
			contestants = append(contestants, c)
		}
	}
	ratios := make([][]float64, len(contestants))
	elapsed := make([]float64, len(contestants))
	for round := range rounds {
		for i := range contestants {
			j := (i + round) % len(contestants)
			elapsed[j] = contestants[j].perMessage()
		}
		for j := range contestants {
			ratios[j] = append(ratios[j], elapsed[j]/elapsed[0])
		}
	}
	cell := Cell{Algorithm: algorithm, Length: n}
	for j, c := range contestants[1:] {
		cell.Ratios = append(cell.Ratios, summarize(c.library, ratios[j+1]))
	}
	return cell
}

// perMessage runs a batch and returns the time of one message in it.
func (c *contestant) perMessage() float64 {
	start := now()
	if !c.message(c.dst, c.src, c.nonce, c.times) {
		panic(c.library + " refused a message")
	}
	return float64(now()-start) / float64(c.times)
}

// calibrate sets how many messages a batch has.
func (c *contestant) calibrate(batch time.Duration) {
	c.times = 1
	best := c.perMessage()
	for range 10 {
		best = min(best, c.perMessage())
		c.times = max(1, int(float64(batch)/best))
	}
}
