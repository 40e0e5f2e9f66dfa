// Command cell measures one cell with hardly any time and writes the report to the
// file that it is given. It serves to be run by an emulator.
package main

import (
	"log"
	"os"
	"time"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/internal/bench"
	"github.com/quarterround/quarterround/internal/board"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/measure"
	"github.com/quarterround/quarterround/registry"
)

func main() {
	sel, err := registry.Auto()
	if err != nil {
		log.Fatal(err)
	}
	b, err := bench.New(bench.Config{
		Selection: sel, Algorithms: []registry.Algorithm{registry.ChaCha20}, Lengths: []int{64},
		Rounds: 3, Batch: 20 * time.Microsecond, Budget: time.Minute, Clock: measure.ThreadNow,
	})
	if err != nil {
		log.Fatal(err)
	}
	b.Run()
	if err := board.Save(os.Args[1], b.Report(cpu.Read(), time.Now())); err != nil {
		log.Fatal(err)
	}
}
