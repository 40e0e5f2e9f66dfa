// Command cyclemodel predicts the cycles per byte of ARM kernels, ours and
// those of other libraries, without ARM hardware: it runs each under QEMU,
// records the executed instructions and plays them against models of cores.
// What it prints is modelled, never measured.
//
//	go run ./cyclemodel                   tables of kernel × CPU
//	go run ./cyclemodel -only neon4core   of some kernels only
//	go run ./cyclemodel -fetch            only fetch and build the other libraries
//	go run ./cyclemodel -write            rewrite priors.go of each backend that is modelled, too
//	go run ./cyclemodel -doc FILE         write the tables to FILE, as Markdown
//	go run ./cyclemodel -counts           executed instructions per byte instead
//	go run ./cyclemodel -record           note the instructions of our assembly for the test that none gets longer
//
// It is run in the tools module, and needs Debian's qemu-user, gcc and llvm-19;
// for other libraries also gcc-arm-linux-gnueabihf and gcc-aarch64-linux-gnu.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"time"

	"github.com/quarterround/quarterround/tools/cyclemodel/peers"
)

type options struct {
	only   *regexp.Regexp
	cpu    *regexp.Regexp
	fetch  bool
	write  bool
	counts bool
	record bool
	doc    string
}

func main() {
	var o options
	only := flag.String("only", "", "regular expression: the kernels to model, as BACKEND/KERNEL or LIBRARY/ROUTINE")
	cpu := flag.String("cpu", "", "regular expression: the CPUs to model")
	flag.BoolVar(&o.fetch, "fetch", false, "only fetch Debian's OpenSSL, nettle and libsodium for armhf and arm64, and build the programs that run them")
	flag.BoolVar(&o.write, "write", false, "rewrite the modelled priors of each backend")
	flag.BoolVar(&o.counts, "counts", false, "print executed instructions per byte")
	flag.BoolVar(&o.record, "record", false, "note executed instructions in "+recordFile+" of this command's folder")
	flag.StringVar(&o.doc, "doc", "", "write the tables to this file")
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(o, *only, *cpu); err != nil {
		fmt.Fprintln(os.Stderr, "cyclemodel:", err)
		os.Exit(1)
	}
}

func run(o options, only, cpu string) error {
	var err error
	if o.only, err = regexp.Compile(only); err != nil {
		return err
	}
	if o.cpu, err = regexp.Compile(cpu); err != nil {
		return err
	}
	if o.write && cpu != "" || (o.record || o.doc != "") && only+cpu != "" {
		return errors.New("-write needs all CPUs, -record and -doc all kernels, too: they go with no -cpu and no -only")
	}
	dir, err := peers.Dir()
	if err != nil {
		return err
	}
	if o.fetch {
		return peers.Make(dir)
	}
	lab, err := newLab(dir, o)
	if err != nil {
		return err
	}
	defer lab.Close()
	if !lab.hasPeers {
		fmt.Fprintln(os.Stderr, "cyclemodel: OpenSSL, nettle and libsodium are left out: -fetch gets them")
	}
	if o.record {
		return lab.record("cyclemodel", o)
	}
	if o.counts {
		return lab.printCounts(os.Stdout, o)
	}
	rows, err := lab.model(o)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	writeTables(&text, rows, time.Now(), o)
	if o.doc == "" {
		os.Stdout.Write(text.Bytes())
	} else if err := writeIfChanged(o.doc, text.Bytes()); err != nil {
		return err
	}
	if o.write {
		return lab.writePriors(rows, time.Now())
	}
	return nil
}

// dates are the days in generated files.
var dates = regexp.MustCompile(`\d{4}-\d\d-\d\d`)

// writeIfChanged writes a file unless it already says the same but for dates:
// figures keep the day on which they were first found.
func writeIfChanged(path string, text []byte) error {
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.Equal(dates.ReplaceAll(old, nil), dates.ReplaceAll(text, nil)) {
		return nil
	}
	return os.WriteFile(path, text, 0o666)
}
