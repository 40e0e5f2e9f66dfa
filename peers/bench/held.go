package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A level is what a CPU has that others may lack. A process whose environment says
// so does without the rest: Quarterround and golang.org/x/crypto heed GODEBUG,
// OpenSSL heeds OPENSSL_ia32cap. The other libraries cannot be told.
type level struct {
	// off are the names of features that GODEBUG turns off.
	off []string
	// openssl is the mask of OPENSSL_ia32cap: bits of CPUID leaf 1, ECX above EDX,
	// and after the colon of leaf 7, EBX.
	openssl string
}

// levels are the levels by name. AVX-512 is F, DQ, IFMA, CD, BW and VL.
var levels = map[string]level{
	"avx2": {
		off:     []string{"avx512f"},
		openssl: ":~0xd0230000",
	},
	"ssse3": {
		off:     []string{"avx512f", "avx2", "avx", "fma", "bmi1", "bmi2", "adx"},
		openssl: "~0x1000100000000000:~0xd02b0128",
	},
}

// Held are the ratios of a process in which both sides do without what a level lacks.
type Held struct {
	Level string `json:"level"`
	Cells []Cell `json:"cells"`
}

// measureHeld runs this command again at a level, which is one of levels.
func measureHeld(name string, arguments []string) (*Held, error) {
	l := levels[name]
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, append(arguments, "-json")...)
	command.Env = append(os.Environ(), "GODEBUG="+l.godebug(os.Getenv("GODEBUG")), "OPENSSL_ia32cap="+l.openssl)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("at level %s: %w", name, err)
	}
	var r Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("at level %s: %w", name, err)
	}
	return &Held{Level: name, Cells: r.Cells}, nil
}

// godebug adds the level to what GODEBUG is already.
func (l level) godebug(before string) string {
	var words []string
	if before != "" {
		words = append(words, before)
	}
	for _, feature := range l.off {
		words = append(words, "cpu."+feature+"=off")
	}
	return strings.Join(words, ",")
}
