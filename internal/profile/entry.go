package profile

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// EntryName returns the name of a kernel's entry: "avx2/chacha-x8@20" for a
// number of rounds, "poly64/mulx" for a MAC kernel, whose rounds are 0.
func EntryName(kernel string, rounds int) string {
	if rounds == 0 {
		return kernel
	}
	return kernel + "@" + strconv.Itoa(rounds)
}

// An Entry is what was measured of a kernel at a number of rounds. In the file it is
// one text, because the first handle of a program waits for all of them to be read:
//
//	revision measured | fixed step setup spread residual samples | ...
//
// with six figures for each class of core, and six digits of each.
type Entry struct {
	// Revision is that of the kernel.
	Revision int
	// Measured is the time of measuring in UTC, empty if not known.
	Measured string
	// Classes are the costs on each class of core, in the order of the key.
	Classes []Cost
}

// A Cost is in ns: of a call apart from its steps, of a step, and of the powers
// of a MAC. The rest says how good the figures are: relative uncertainty,
// largest relative distance of a measured time from this line, and samples.
type Cost struct {
	Fixed, PerStep, Setup float64
	Spread, Residual      float64
	Samples               int
}

// plausible reports whether a cost could have been measured: finite, not
// negative, less than a second.
func (c *Cost) plausible() bool {
	for _, x := range []float64{c.Fixed, c.PerStep, c.Setup, c.Spread, c.Residual} {
		if math.IsNaN(x) || x < 0 || x > 1e9 {
			return false
		}
	}
	return c.Fixed+c.PerStep > 0 && c.Samples >= 0
}

// MarshalText implements encoding.TextMarshaler.
func (e Entry) MarshalText() ([]byte, error) {
	text := strconv.AppendInt(nil, int64(e.Revision), 10)
	if e.Measured != "" {
		text = append(append(text, ' '), e.Measured...)
	}
	for i := range e.Classes {
		c := &e.Classes[i]
		text = append(text, " |"...)
		for _, x := range []float64{c.Fixed, c.PerStep, c.Setup, c.Spread, c.Residual} {
			text = strconv.AppendFloat(append(text, ' '), x, 'g', 6, 64)
		}
		text = strconv.AppendInt(append(text, ' '), int64(c.Samples), 10)
	}
	return text, nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Entry) UnmarshalText(text []byte) (err error) {
	*e, err = parseEntry(string(text), new([]Cost))
	return err
}

// parseEntry parses the text of an entry. Its costs are put behind those in room.
func parseEntry(text string, room *[]Cost) (e Entry, err error) {
	head, rest, more := strings.Cut(text, "|")
	revision, measured := cutWord(strings.TrimRight(head, " "))
	if e.Revision, err = strconv.Atoi(revision); err != nil {
		return e, fmt.Errorf("%q has no revision", text)
	}
	e.Measured = measured
	before := len(*room)
	for more {
		var class string
		class, rest, more = strings.Cut(rest, "|")
		c, err := parseCost(class)
		if err != nil {
			return e, fmt.Errorf("%q: %w", text, err)
		}
		*room = append(*room, c)
	}
	if n := len(*room); n > before {
		e.Classes = (*room)[before:n:n]
	}
	return e, nil
}

// parseCost parses the figures of one class of core.
func parseCost(text string) (c Cost, err error) {
	rest := text
	for _, figure := range [...]*float64{&c.Fixed, &c.PerStep, &c.Setup, &c.Spread, &c.Residual} {
		var word string
		if word, rest = cutWord(rest); word == "" {
			return c, wrongNumber(text)
		}
		if *figure, err = strconv.ParseFloat(word, 64); err != nil {
			return c, err
		}
	}
	samples, rest := cutWord(rest)
	if samples == "" || rest != "" {
		return c, wrongNumber(text)
	}
	c.Samples, err = strconv.Atoi(samples)
	return c, err
}

// wrongNumber returns the error for a text that has not the figures of a class of core.
func wrongNumber(text string) error {
	return fmt.Errorf("%d figures, not 6", len(strings.Fields(text)))
}

// cutWord returns the first word of text, empty if there is none, and what is behind it
// and the spaces that follow.
func cutWord(text string) (word, rest string) {
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && text[end] != ' ' {
		end++
	}
	return text[:end], strings.TrimLeft(text[end:], " ")
}
