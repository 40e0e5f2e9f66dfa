package main

import (
	"fmt"
	"io"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// A reference is a figure published for a routine that the model can run.
type reference struct {
	arch      *trace.Arch
	routine   string
	cpu       string
	published float64 // cycles a byte for long input
}

// references are the figures against which the models are judged. OpenSSL's are
// those of A. Polyakov in the comments of chacha-armv4.pl, chacha-armv8.pl,
// poly1305-armv4.pl and poly1305-armv8.pl (A76 and X2 stand beside N1 and V1);
// nettle's were reported to its list by M. Goetz with the code's first versions,
// the C ones from another compiler than Debian's.
//
// The parameters of package inorder were fitted to those of A5, A7 and A8: for
// these cores the comparison shows the quality of the fit, not a prediction.
// Nothing was fitted to those of A53, N1 and V1.
var references = []reference{
	{trace.ARM, "openssl/chacha-scalar", "cortex-a5", 19.3},
	{trace.ARM, "openssl/chacha-scalar", "cortex-a8", 10.5},
	{trace.ARM, "openssl/chacha-scalar", "cortex-a9", 12.9},
	{trace.ARM, "openssl/chacha-neon", "cortex-a5", 14.1},
	{trace.ARM, "openssl/chacha-neon", "cortex-a8", 6.35},
	{trace.ARM, "openssl/chacha-neon", "cortex-a9", 6.50},
	{trace.ARM, "openssl/poly1305-scalar", "cortex-a5", 6.35},
	{trace.ARM, "openssl/poly1305-scalar", "cortex-a8", 6.25},
	{trace.ARM, "openssl/poly1305-scalar", "cortex-a9", 5.10},
	{trace.ARM, "openssl/poly1305-neon", "cortex-a5", 3.00},
	{trace.ARM, "openssl/poly1305-neon", "cortex-a8", 2.40},
	{trace.ARM, "openssl/poly1305-neon", "cortex-a9", 2.55},
	{trace.ARM, "nettle/chacha-c", "cortex-a7", 31.34},
	{trace.ARM, "nettle/chacha-c", "cortex-a9", 20.17},
	{trace.ARM, "nettle/chacha-3core", "cortex-a7", 15.12},
	{trace.ARM, "nettle/salsa-c", "cortex-a7", 27.17},
	{trace.ARM, "nettle/salsa-c", "cortex-a9", 17.00},
	{trace.ARM, "nettle/salsa-2core", "cortex-a7", 15.34},
	{trace.ARM, "nettle/poly1305", "cortex-a7", 9.13},

	{trace.ARM64, "openssl/chacha-scalar", "cortex-a53", 8.40},
	{trace.ARM64, "openssl/chacha-scalar", "cortex-a57", 8.06},
	{trace.ARM64, "openssl/chacha-scalar", "neoverse-n1", 5.52},
	{trace.ARM64, "openssl/chacha-scalar", "neoverse-v1", 4.35},
	{trace.ARM64, "openssl/chacha-neon", "cortex-a53", 4.45},
	{trace.ARM64, "openssl/chacha-neon", "cortex-a57", 4.40},
	{trace.ARM64, "openssl/chacha-neon", "neoverse-n1", 2.40},
	{trace.ARM64, "openssl/chacha-neon", "neoverse-v1", 1.62},
	{trace.ARM64, "openssl/poly1305-scalar", "cortex-a53", 2.69},
	{trace.ARM64, "openssl/poly1305-scalar", "cortex-a57", 2.70},
	{trace.ARM64, "openssl/poly1305-scalar", "neoverse-n1", 2.60},
	{trace.ARM64, "openssl/poly1305-scalar", "neoverse-v1", 1.00},
	{trace.ARM64, "openssl/poly1305-neon", "cortex-a53", 1.47},
	{trace.ARM64, "openssl/poly1305-neon", "cortex-a57", 1.14},
	{trace.ARM64, "openssl/poly1305-neon", "neoverse-n1", 1.00},
	{trace.ARM64, "openssl/poly1305-neon", "neoverse-v1", 0.66},
}

// find returns the modelled figure for a reference, if it is among the rows.
func (ref *reference) find(rows []row) (float64, bool) {
	for _, r := range rows {
		if r.arch != ref.arch || r.name != ref.routine {
			continue
		}
		for _, f := range r.figures {
			if f.cpu.name == ref.cpu {
				return f.perByte[sizes[0]], true
			}
		}
	}
	return 0, false
}

// writeReferences writes the table of models against published figures.
func writeReferences(w io.Writer, rows []row) {
	title := `## Models against published figures

Cycles per byte for long input. Published: A. Polyakov's figures in the sources
of OpenSSL, and those reported to nettle's list. The parameters of the scoreboard
were fitted to those of A5, A7 and A8; the multiplications of A57 were charged so
that its scalar Poly1305 agrees.

| architecture | routine                 | CPU         | published | modelled | difference |
|:-------------|:------------------------|:------------|----------:|---------:|-----------:|
`
	for _, ref := range references {
		modelled, ok := ref.find(rows)
		if !ok {
			continue
		}
		fmt.Fprintf(w, "%s| %-12s | %-23s | %-11s | %9.2f | %8.2f | %+8.0f %% |\n", title,
			ref.arch.Name, ref.routine, ref.cpu, ref.published, modelled, 100*(modelled/ref.published-1))
		title = ""
	}
	if title == "" {
		fmt.Fprintln(w)
	}
}
