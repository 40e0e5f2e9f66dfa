// Package board holds board reports: what one machine measured, or what was
// published about one, in one form, so that they can be compared and drawn.
package board

import (
	"cmp"
	"slices"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/registry"
)

// Schema is the version of the report files that this package writes. A file
// with a higher one is refused.
const Schema = 1

// A Report is everything measured on one machine in one run. It holds no host
// name, user name, path, serial number or time of day.
type Report struct {
	Schema int `json:"schema"`
	// Board is a title for readers: "Raspberry Pi 4 (cortex-a72)".
	Board string `json:"board"`
	// Published says that the figures are other people's about their own code, as
	// internal/published has them.
	Published bool `json:"published,omitempty"`
	// Date is the day of the run, as 2006-01-02.
	Date string `json:"date,omitempty"`
	Host Host   `json:"host"`
	// Warnings say what may have spoiled the figures: the governor, an emulator,
	// a busy machine, a moving clock.
	Warnings []string `json:"warnings,omitempty"`
	// Points are the figures, sorted by algorithm, mode, length and backend.
	Points []Point `json:"points"`
	// Choices are what was selected there, with reasons.
	Choices []Choice `json:"choices,omitempty"`
}

// A Host says what the figures were measured on.
type Host struct {
	CPU cpu.Identity `json:"cpu"`
	// Features are the CPU's features after masking, sorted.
	Features []string `json:"features,omitempty"`
	// Kernel is the operating system's release, and GoVersion runtime.Version().
	Kernel    string `json:"kernel,omitempty"`
	GoVersion string `json:"go_version,omitempty"`
	// Override is the override that was in force.
	Override string `json:"override,omitempty"`
	// ClockHz is the clock that cycles are counted by, 0 if unknown, and
	// ClockSource who says so: the user ("-f"), or as in cpu.Identity.
	ClockHz     float64 `json:"clock_hz,omitempty"`
	ClockSource string  `json:"clock_source,omitempty"`
}

// The modes of a point.
const (
	Encrypt = "encrypt" // stream XOR, or seal of an AEAD
	Decrypt = "decrypt" // open of an AEAD
	Update  = "update"  // a MAC's input
	SetUp   = "set-up"  // key schedule, powers of a MAC's key, an AEAD's handle
	Call    = "call"    // overhead of a call: time at length 0
)

// Modes are all of them.
var Modes = []string{Encrypt, Decrypt, Update, SetUp, Call}

// The kinds of candidate that a point can be of.
const (
	Plan    = "plan"    // what Auto() chose; Candidate is "auto"
	Backend = "backend" // a forced backend or kernel of this module
	Process = "process" // a plugin, its wire included
	Peer    = "peer"    // another library, in its own process or in this one
)

// Kinds are all of them.
var Kinds = []string{Plan, Backend, Process, Peer}

// A Point is one figure: one algorithm, mode, length and candidate.
type Point struct {
	Algorithm string `json:"algorithm"`
	Mode      string `json:"mode"`
	// Length is the number of message bytes of a call, 0 where Mode has none, or
	// for long messages in published figures.
	Length int `json:"length"`
	// Candidate is "auto", "backend" or "backend/kernel", or the name of a peer or
	// published implementation.
	Candidate string `json:"candidate"`
	Kind      string `json:"kind"`
	// Technique is, for published figures, the kernel of this module that is the
	// same idea; otherwise it is empty.
	Technique string `json:"technique,omitempty"`
	// Group is, for published figures, the table they belong to. Figures of
	// different groups are by different people, compilers or versions.
	Group string `json:"group,omitempty"`
	// Nanoseconds is the median time of a call over the rounds, and Spread the half
	// distance of the quartiles as a fraction of it. Published figures that have
	// cycles only leave Nanoseconds 0.
	Nanoseconds float64 `json:"ns,omitempty"`
	Spread      float64 `json:"spread,omitempty"`
	// RatioSpread is the spread that is left when what all candidates of the cell
	// have in common from round to round is taken out: how well they compare.
	RatioSpread float64 `json:"ratio_spread,omitempty"`
	Rounds      int     `json:"rounds,omitempty"`
	// Cycles is the number of cycles of a call, or for a published figure of
	// Length 0 of one byte; 0 if no clock is known.
	Cycles float64 `json:"cycles,omitempty"`
	// Relative is, where a published table gave ratios only, the time as a multiple
	// of that of another point of the same group; Nanoseconds and Cycles are 0 then.
	Relative float64 `json:"relative,omitempty"`
	// Source is, for published figures, where the number stands, with its date, and
	// for peers that were measured, the library and its version.
	Source string `json:"source,omitempty"`
}

// A Choice is what was selected for one algorithm and length, and why.
type Choice struct {
	Algorithm string `json:"algorithm"`
	Length    int    `json:"length"`
	// Steps is the composition: "avx512/chacha-x16 x2, avx512/chacha-x4 x1".
	Steps      string `json:"steps"`
	Provenance string `json:"provenance"`
	RunnerUp   string `json:"runner_up,omitempty"`
	Reason     string `json:"reason,omitempty"`
}

// Emulated reports whether the figures are those of an emulator, which say
// nothing about the CPU that it plays.
func (r *Report) Emulated() bool { return r.Host.CPU.Emulator != "" }

// Sort puts the points and choices into their order: algorithms as the registry
// lists them, modes as [Modes] does, then lengths, then candidates by name.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Points, func(a, b Point) int {
		return cmp.Or(compareAlgorithms(a.Algorithm, b.Algorithm), cmp.Compare(slices.Index(Modes, a.Mode), slices.Index(Modes, b.Mode)),
			cmp.Compare(a.Length, b.Length), cmp.Compare(a.Candidate, b.Candidate))
	})
	slices.SortStableFunc(r.Choices, func(a, b Choice) int {
		return cmp.Or(compareAlgorithms(a.Algorithm, b.Algorithm), cmp.Compare(a.Length, b.Length))
	})
}

// compareAlgorithms puts unknown ones last, by name.
func compareAlgorithms(a, b string) int {
	x, known := registry.ParseAlgorithm(a)
	y, other := registry.ParseAlgorithm(b)
	switch {
	case known && other:
		return cmp.Compare(x, y)
	case known:
		return -1
	case other:
		return 1
	}
	return cmp.Compare(a, b)
}
