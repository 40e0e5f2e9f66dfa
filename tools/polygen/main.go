// Polygen writes the Poly1305 assembly of arm and arm64.
//
//	polygen -set scalar -arch arm64 -o FILE
//
// Every function is described once, in GNU syntax; package schedule orders
// its loops and package gnuas encodes them.
package main

import (
	"flag"
	"fmt"
	"os"
	"sort"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// sets are the files that can be made, by set and architecture.
var sets = map[string]func() *gnuas.File{
	"scalar/arm":   scalarARM,
	"scalar/arm64": scalarARM64,
	"fused/arm64":  fusedARM64,
	"neon/arm":     neonARM,
	"neon/arm64":   neonARM64,
}

func main() {
	set := flag.String("set", "", "which `set` of functions to write")
	arch := flag.String("arch", "", "GOARCH: arm or arm64")
	out := flag.String("o", "", "output `file`")
	flag.Parse()
	if err := run(*set+"/"+*arch, *out); err != nil {
		fmt.Fprintln(os.Stderr, "polygen:", err)
		os.Exit(1)
	}
}

func run(name string, out string) error {
	build, ok := sets[name]
	if !ok {
		return fmt.Errorf("no set %q; there are %s", name, strings.Join(names(), ", "))
	}
	f := build()
	f.Command = "tools/polygen"
	text, err := f.GoAssembly()
	if err != nil {
		return err
	}
	return os.WriteFile(out, text, 0o666)
}

func names() []string {
	var all []string
	for name := range sets {
		all = append(all, name)
	}
	sort.Strings(all)
	return all
}
