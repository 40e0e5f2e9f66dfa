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
	"maps"
	"os"
	"runtime/debug"
	"slices"
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
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "bench: takes no arguments, and got %q; -help says which flags there are\n", flag.Arg(0))
		os.Exit(2)
	}
	if err := run(*sizes, *only, *held, *rounds, *batch, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(sizes, only, held string, rounds int, batch time.Duration, asJSON bool) error {
	if rounds < 10 {
		return fmt.Errorf("-rounds %d: too few; at least 10", rounds)
	}
	if batch <= 0 {
		return fmt.Errorf("-batch %v: must be above 0, such as 60us", batch)
	}
	if !slices.ContainsFunc(peers.Algorithms, func(name string) bool { return strings.Contains(name, only) }) {
		return fmt.Errorf("-only %q: in no name; there are %s", only, strings.Join(peers.Algorithms, ", "))
	}
	if _, ok := levels[held]; !ok && held != "" {
		return fmt.Errorf("-held %q: no level; there are %s", held, strings.Join(slices.Sorted(maps.Keys(levels)), " and "))
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
	debug.SetGCPercent(-1)
	for _, algorithm := range peers.Algorithms {
		if !strings.Contains(algorithm, only) {
			continue
		}
		for _, n := range lengths {
			cell, err := compare(algorithm, n, libraries, rounds, batch)
			if err != nil {
				return err
			}
			cells = append(cells, cell)
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
			return nil, fmt.Errorf("-sizes: %q is no message length in bytes", word)
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
