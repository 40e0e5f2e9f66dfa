package chart

import (
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// The text form fits a terminal of 80 columns. Names longer than nameColumns have
// a line to themselves.
const (
	textColumns = 80
	nameColumns = 28
)

// A textBar is a line of the text form.
type textBar struct {
	name  string
	value Value
}

// Text implements [Chart].
func (b *Bars) Text(w io.Writer) error {
	var sections []textSection
	for i, cluster := range b.Clusters {
		s := textSection{heading: cluster}
		for _, series := range b.Series {
			if v := series.Values[i]; v.known() {
				s.bars = append(s.bars, textBar{series.Name, v})
			}
		}
		sections = append(sections, s)
	}
	return writeText(w, b.Title, b.Unit, b.Subtitle, sections, nil)
}

// Text implements [Chart].
func (l *Lines) Text(w io.Writer) error {
	at := pointsByLength(l.Lines)
	var sections []textSection
	for _, x := range slices.Sorted(maps.Keys(at)) {
		s := textSection{heading: Bytes(x)}
		for i, line := range l.Lines {
			if p, ok := at[x][i]; ok {
				s.bars = append(s.bars, textBar{line.Name, p.Value})
			}
		}
		sections = append(sections, s)
	}
	var notes []string
	for _, x := range l.Crossovers {
		notes = append(notes, x.String()+".")
	}
	return writeText(w, l.Title, l.Unit, l.Subtitle, sections, notes)
}

// A textSection is the bars under one heading.
type textSection struct {
	heading string
	bars    []textBar
}

func writeText(w io.Writer, title, unit, subtitle string, sections []textSection, notes []string) error {
	var out strings.Builder
	paragraph := func(s string) {
		if s != "" {
			indent := s[:len(s)-len(strings.TrimLeft(s, " "))]
			s = wrap(s, func(line string) bool { return utf8.RuneCountInString(indent+line) <= textColumns })
			fmt.Fprintln(&out, indent+strings.ReplaceAll(s, "\n", "\n"+indent))
		}
	}
	paragraph(title + ": " + unit)
	paragraph(subtitle)
	names, values, top := 0, 0, 0.0
	for _, s := range sections {
		for _, b := range s.bars {
			if n := utf8.RuneCountInString(b.name); n <= nameColumns {
				names = max(names, n)
			}
			values, top = max(values, utf8.RuneCountInString(b.value.text())), max(top, b.value.Y)
		}
	}
	room := textColumns - 2 - names - 2 - values - 1
	for _, s := range sections {
		fmt.Fprintln(&out)
		paragraph(s.heading)
		for _, b := range s.bars {
			name := b.name
			if utf8.RuneCountInString(name) > nameColumns {
				paragraph("  " + name)
				name = ""
			}
			fmt.Fprintf(&out, "  %-*s  %s %s\n", names, name, textRun(b.value.Y/top, room), b.value.text())
		}
	}
	if len(notes) > 0 {
		fmt.Fprintln(&out)
	}
	for _, note := range notes {
		paragraph(note)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// text formats a value with its spread.
func (v Value) text() string {
	if v.Error == 0 {
		return number(v.Y)
	}
	return fmt.Sprintf("%s ±%s", number(v.Y), number(v.Error))
}

// textRun returns a bar over a share of so many columns, to an eighth of one. No
// bar is shorter than that.
func textRun(share float64, columns int) string {
	const blocks = "▏▎▍▌▋▊▉"
	eighths := max(1, int(math.Round(share*float64(columns)*8)))
	run := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		run += string([]rune(blocks)[rest-1])
	}
	return run
}
