// Command thirdparty uses Quarterround with a backend from outside its module: the
// blank import is all it takes. Run it with QUARTERROUND=rows to make it use that
// backend.
package main

import (
	"fmt"
	"os"

	_ "example.org/thirdparty/rows"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/registry"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
}

func run() error {
	library, err := quarterround.Auto()
	if err != nil {
		return err
	}
	for _, c := range library.Selection().Candidates(registry.ChaCha20) {
		if c.Backend == "rows" {
			fmt.Printf("%s: %v\n", c.Name(), c.Outcome)
		}
	}
	stream, err := library.Stream(registry.ChaCha20, make([]byte, 32), make([]byte, 12))
	if err != nil {
		return err
	}
	keystream := make([]byte, 16)
	stream.XORKeyStream(keystream, keystream)
	fmt.Printf("%x\n", keystream)
	return nil
}
