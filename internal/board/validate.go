package board

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The longest text of a field, the longest message, and the longest time of a call
// that are believed: 1 GiB and a day.
const (
	maxText        = 1000
	maxLength      = 1 << 30
	maxNanoseconds = 24 * 3600 * 1e9
)

// validate reports the first fault, nil if there is none. Its File is empty.
func (r *Report) validate() *FileError {
	if r.Schema != Schema {
		return faulty("schema", "%d, not %d", r.Schema, Schema)
	}
	if r.Board == "" {
		return faulty("board", "missing; a report needs a title")
	}
	if err := r.validateTexts(); err != nil {
		return err
	}
	if !isPositive(r.Host.ClockHz) && r.Host.ClockHz != 0 || r.Host.ClockHz > 1e12 {
		return faulty("host.clock_hz", "%v is no clock in Hz", r.Host.ClockHz)
	}
	seen := map[Point]int{}
	for i := range r.Points {
		p := &r.Points[i]
		field := fmt.Sprintf("points[%d]", i)
		if err := p.validate(field); err != nil {
			return err
		}
		if first, again := seen[p.key()]; again {
			return faulty(field, "the same algorithm, mode, length and candidate as points[%d]", first)
		}
		seen[p.key()] = i
	}
	for i := range r.Choices {
		if err := r.Choices[i].validate(fmt.Sprintf("choices[%d]", i)); err != nil {
			return err
		}
	}
	return nil
}

// validateTexts checks what is neither in a point nor in a choice.
func (r *Report) validateTexts() *FileError {
	id := &r.Host.CPU
	list := []text{
		{"board", r.Board}, {"date", r.Date}, {"host.kernel", r.Host.Kernel}, {"host.go_version", r.Host.GoVersion},
		{"host.override", r.Host.Override}, {"host.clock_source", r.Host.ClockSource},
		{"host.cpu.goos", id.GOOS}, {"host.cpu.goarch", id.GOARCH}, {"host.cpu.byte_order", id.ByteOrder}, {"host.cpu.model", id.Model},
		{"host.cpu.brand", id.Brand}, {"host.cpu.board", id.Board}, {"host.cpu.vendor", id.Vendor},
		{"host.cpu.clock_source", id.ClockSource}, {"host.cpu.governor", id.Governor},
		{"host.cpu.hypervisor", id.Hypervisor}, {"host.cpu.emulator", id.Emulator},
	}
	for i, w := range r.Warnings {
		list = append(list, text{fmt.Sprintf("warnings[%d]", i), w})
	}
	for i, f := range r.Host.Features {
		list = append(list, text{fmt.Sprintf("host.features[%d]", i), f})
	}
	for i, c := range id.Classes {
		list = append(list, text{fmt.Sprintf("host.cpu.classes[%d].model", i), c.Model},
			text{fmt.Sprintf("host.cpu.classes[%d].governor", i), c.Governor})
	}
	for i, u := range id.Uneven {
		list = append(list, text{fmt.Sprintf("host.cpu.uneven[%d]", i), u})
	}
	return validateTexts(list)
}

// key is what tells a point from others.
func (p *Point) key() Point {
	return Point{Algorithm: p.Algorithm, Mode: p.Mode, Length: p.Length, Candidate: p.Candidate, Kind: p.Kind, Technique: p.Technique, Group: p.Group}
}

func (p *Point) validate(field string) *FileError {
	list := []text{{field + ".algorithm", p.Algorithm}, {field + ".candidate", p.Candidate}, {field + ".technique", p.Technique},
		{field + ".group", p.Group}, {field + ".source", p.Source}}
	for _, t := range list[:2] {
		if t.value == "" {
			return faulty(t.field, "missing")
		}
	}
	if err := validateTexts(list); err != nil {
		return err
	}
	switch {
	case !slices.Contains(Modes, p.Mode):
		return faulty(field+".mode", "%q; there are %s", p.Mode, strings.Join(Modes, ", "))
	case !slices.Contains(Kinds, p.Kind):
		return faulty(field+".kind", "%q; there are %s", p.Kind, strings.Join(Kinds, ", "))
	case p.Length < 0 || p.Length > maxLength:
		return faulty(field+".length", "%d is no message length", p.Length)
	case p.Rounds < 0:
		return faulty(field+".rounds", "%d", p.Rounds)
	}
	return p.validateNumbers(field)
}

// validateNumbers checks the figures themselves.
func (p *Point) validateNumbers(field string) *FileError {
	for _, number := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"ns", p.Nanoseconds, maxNanoseconds}, {"cycles", p.Cycles, maxNanoseconds * 10}, {"relative", p.Relative, 1e6}, {"spread", p.Spread, 1e6}, {"ratio_spread", p.RatioSpread, 1e6},
	} {
		if number.value != 0 && !isPositive(number.value) || number.value > number.most {
			return faulty(field+"."+number.name, "%v cannot be", number.value)
		}
	}
	if p.Nanoseconds == 0 && p.Cycles == 0 && p.Relative == 0 {
		return faulty(field, "no figure: ns, cycles or relative must be above 0")
	}
	return nil
}

func (c *Choice) validate(field string) *FileError {
	if c.Length < 0 || c.Length > maxLength {
		return faulty(field+".length", "%d is no message length", c.Length)
	}
	return validateTexts([]text{{field + ".algorithm", c.Algorithm}, {field + ".steps", c.Steps}, {field + ".provenance", c.Provenance},
		{field + ".runner_up", c.RunnerUp}, {field + ".reason", c.Reason}})
}

// A text is a field with its value.
type text struct{ field, value string }

// validateTexts lets through what can be printed in one line: a file from somebody
// else must not send commands to a terminal.
func validateTexts(list []text) *FileError {
	for _, t := range list {
		switch {
		case len(t.value) > maxText:
			return faulty(t.field, "%d bytes of text; the most is %d", len(t.value), maxText)
		case !utf8.ValidString(t.value) || strings.ContainsFunc(t.value, func(c rune) bool { return !unicode.IsPrint(c) }):
			return faulty(t.field, "%+.40q has characters that cannot be printed", t.value)
		}
	}
	return nil
}

func isPositive(x float64) bool { return x > 0 && !math.IsInf(x, 0) }

func faulty(field, format string, args ...any) *FileError {
	return &FileError{Place: field, Kind: ErrDamaged, Detail: fmt.Sprintf(format, args...)}
}
