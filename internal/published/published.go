// Package published holds figures that others published about their own code on
// CPUs that may not be at hand.
//
// None of them is a cost of a kernel of this module. Each describes somebody
// else's implementation of an idea that a kernel here shares, which is what its
// technique names; how well the idea was carried out, by which compiler, on
// which board, differs. They serve to replay selection for a CPU that is not
// here, and nothing else: no program's choice rests on them.
//
// The data lie in data, one file for each board or CPU. Figures of different
// groups stem from different tables, versions and people, and are never compared
// unless somebody asks for two groups by name.
package published

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
)

//go:embed data/*.json
var data embed.FS

// A Board is a CPU with what was published about it.
type Board struct {
	// Name is the name of the file, by which the board is asked for.
	Name string `json:"name"`
	// Title is for readers.
	Title string `json:"title"`
	// CPU is the model by the names of internal/cpu.
	CPU string `json:"cpu"`
	// GOARCH and ByteOrder ("little" or "big") are those of the code.
	GOARCH    string `json:"goarch"`
	ByteOrder string `json:"byte_order"`
	// ClockHz is the clock of that board, 0 if unknown.
	ClockHz uint64 `json:"clock_hz,omitempty"`
	// Defaults names, for each algorithm, the group to use if none is named.
	Defaults map[string]string `json:"defaults"`
	Groups   []Group           `json:"groups"`
	Figures  []Figure          `json:"figures"`
}

// A Group is one published table: figures that may be compared.
type Group struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Relative says that the table gave only the ratio of the figures.
	Relative bool `json:"relative,omitempty"`
}

// A Figure is one published number about somebody else's code.
type Figure struct {
	// Algorithm is the algorithm by the names of this module.
	Algorithm string `json:"algorithm"`
	// Implementation says whose code it is.
	Implementation string `json:"implementation"`
	// Technique is the kernel of this module, real or possible, that is the same
	// idea: "neon3core/chacha". With a plus sign it is a stream and a MAC kernel
	// one after the other.
	Technique string `json:"technique"`
	// Blocks is how many blocks one step covers, of 64 bytes, or of 16 for
	// poly1305.
	Blocks int `json:"blocks"`
	// CyclesPerByte is the figure, and CyclesPerBlock the same for 64 bytes where
	// it was given more exactly. In a relative group both are 0 and Relative is
	// the cost as a multiple of that of another figure of the group.
	CyclesPerByte  float64 `json:"cycles_per_byte,omitempty"`
	CyclesPerBlock float64 `json:"cycles_per_block,omitempty"`
	Relative       float64 `json:"relative,omitempty"`
	// Length is the message length in bytes that was measured, 0 for long ones.
	Length int `json:"length,omitempty"`
	// SingleFigure says that one number for long messages is all there is, so that
	// Cost has no fixed part. It is set for all of Length 0.
	SingleFigure bool `json:"single_figure,omitempty"`
	// Source is where the number stands, Date when that was published: a year, a
	// month, a span with a slash, or "by" the month in which it was read there.
	Source string `json:"source"`
	Date   string `json:"date"`
	// Groups are the tables it belongs to.
	Groups []string `json:"groups"`
	// Derived says how the number was computed, if it was not given itself.
	Derived string `json:"derived,omitempty"`
	// Note is what else to know.
	Note string `json:"note,omitempty"`
}

// Label describes the figure so that nobody takes it for one of this module's
// kernels.
func (f Figure) Label() string {
	return fmt.Sprintf("%s (not ours; technique of %s)", f.Implementation, f.Technique)
}

// StepBytes is the number of message bytes in one step.
func (f Figure) StepBytes() int {
	if f.Algorithm == "poly1305" {
		return 16 * f.Blocks
	}
	return 64 * f.Blocks
}

// Cost returns the cost of a call as a fixed part and that of each step, in
// cycles; of a relative figure, in units of the group. A single figure says
// nothing of a fixed part, which is 0 then.
func (f Figure) Cost() (fixed, perStep float64) {
	switch {
	case f.Relative != 0:
		return 0, f.Relative * float64(f.StepBytes())
	case f.CyclesPerBlock != 0:
		return 0, f.CyclesPerBlock / 64 * float64(f.StepBytes())
	}
	return 0, f.CyclesPerByte * float64(f.StepBytes())
}

// An UnknownError says that a name is not in the data.
type UnknownError struct {
	What  string   // "board", "algorithm" or "group"
	Name  string   // what was asked for
	Valid []string // what there is, sorted
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("no published figures for %s %q; there are %s", e.What, e.Name, strings.Join(e.Valid, ", "))
}

// Names returns the names of all boards, sorted.
func Names() []string {
	files, _ := data.ReadDir("data") // an embedded folder can be read
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(file.Name(), ".json")
	}
	slices.Sort(names) // '-' sorts before '.', so that the files' order is another
	return names
}

// Load returns the board of that name. The error is an [*UnknownError] if there
// is none.
func Load(name string) (*Board, error) {
	if !slices.Contains(Names(), name) {
		return nil, &UnknownError{What: "board", Name: name, Valid: Names()}
	}
	text, err := data.ReadFile(path.Join("data", name+".json"))
	if err != nil {
		return nil, err
	}
	return decode(name, text)
}

// decode reads and checks a file.
func decode(name string, text []byte) (*Board, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var b Board
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("published figures of %s: %w", name, err)
	}
	if b.Name != name {
		return nil, fmt.Errorf("published figures of %s call themselves %q", name, b.Name)
	}
	if err := b.validate(); err != nil {
		return nil, fmt.Errorf("published figures of %s: %w", name, err)
	}
	return &b, nil
}

// Algorithms returns the algorithms of the board that have a default group,
// sorted.
func (b *Board) Algorithms() []string {
	var names []string
	for name := range b.Defaults {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// CheckGroup returns an [*UnknownError] if the board has no group of that name.
func (b *Board) CheckGroup(name string) error {
	var valid []string
	for _, g := range b.Groups {
		if g.Name == name {
			return nil
		}
		valid = append(valid, g.Name)
	}
	return &UnknownError{What: "group", Name: name, Valid: valid}
}

// GroupsOf returns the groups that have figures for long messages of the
// algorithm, in the order of the file.
func (b *Board) GroupsOf(algorithm string) []Group {
	var groups []Group
	for _, g := range b.Groups {
		if len(b.figures(algorithm, g.Name)) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Select returns the figures for long messages of one algorithm that may be
// compared: those of the named group, or of the default group if it is empty.
// The error is an [*UnknownError].
func (b *Board) Select(algorithm, group string) ([]Figure, error) {
	if group == "" {
		group = b.Defaults[algorithm]
	}
	if group == "" {
		return nil, &UnknownError{What: "algorithm", Name: algorithm, Valid: b.Algorithms()}
	}
	figures := b.figures(algorithm, group)
	if len(figures) == 0 {
		var valid []string
		for _, g := range b.GroupsOf(algorithm) {
			valid = append(valid, g.Name)
		}
		return nil, &UnknownError{What: "group", Name: group, Valid: valid}
	}
	return figures, nil
}

func (b *Board) figures(algorithm, group string) []Figure {
	var list []Figure
	for _, f := range b.Figures {
		if f.Algorithm == algorithm && f.Length == 0 && slices.Contains(f.Groups, group) {
			list = append(list, f)
		}
	}
	return list
}
