package main

import (
	"fmt"
	"strings"
)

// A program collects the lines of a text.
type program struct {
	b strings.Builder
}

// line appends an instruction or label.
func (p *program) line(format string, args ...any) {
	fmt.Fprintf(&p.b, format+"\n", args...)
}

// text appends finished lines.
func (p *program) text(s string) {
	p.b.WriteString(s)
}

func (p *program) String() string { return p.b.String() }
