package published

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"sync"
)

var algorithms = []string{"chacha20", "chacha20poly1305", "poly1305", "salsa20", "salsa20r12"}

// patterns are compiled when a board is loaded, not when a program starts.
var patterns = sync.OnceValue(func() (p struct{ name, technique, date *regexp.Regexp }) {
	p.name = regexp.MustCompile(`^[a-z0-9]+([.-][a-z0-9]+)*$`)
	p.technique = regexp.MustCompile(`^[a-z0-9]+/[a-z0-9-]+(\+[a-z0-9]+/[a-z0-9-]+)?$`)
	p.date = regexp.MustCompile(`^(by )?\d{4}(-\d\d)?(/\d{4}(-\d\d)?)?$`)
	return p
})

// validate reports the first fault of a board.
func (b *Board) validate() error {
	switch {
	case !patterns().name.MatchString(b.Name):
		return fmt.Errorf("name %q", b.Name)
	case b.Title == "" || b.CPU == "" || b.GOARCH == "":
		return errors.New("title, cpu or goarch is missing")
	case b.ByteOrder != "little" && b.ByteOrder != "big":
		return fmt.Errorf("byte order %q", b.ByteOrder)
	}
	seen := map[string]bool{}
	for _, g := range b.Groups {
		if err := b.validateGroup(g); err != nil {
			return fmt.Errorf("group %q: %w", g.Name, err)
		}
		if seen[g.Name] {
			return fmt.Errorf("group %q is there twice", g.Name)
		}
		seen[g.Name] = true
	}
	for i, f := range b.Figures {
		if err := b.validateFigure(f); err != nil {
			return fmt.Errorf("figure %d, %s by %s: %w", i, f.Algorithm, f.Implementation, err)
		}
		for _, g := range f.Groups {
			key := fmt.Sprint(g, "|", f.Algorithm, "|", f.Implementation, "|", f.Technique, "|", f.Length)
			if seen[key] {
				return fmt.Errorf("figure %d is there twice: %s", i, key)
			}
			seen[key] = true
		}
	}
	return b.validateDefaults()
}

func (b *Board) validateGroup(g Group) error {
	if !patterns().name.MatchString(g.Name) || g.Title == "" {
		return errors.New("name or title is missing")
	}
	isMember := func(f Figure) bool { return slices.Contains(f.Groups, g.Name) }
	if !slices.ContainsFunc(b.Figures, isMember) {
		return errors.New("no figure belongs to it")
	}
	return nil
}

func (b *Board) validateFigure(f Figure) error {
	switch {
	case !slices.Contains(algorithms, f.Algorithm):
		return errors.New("unknown algorithm")
	case f.Implementation == "" || f.Source == "":
		return errors.New("implementation or source is missing")
	case !patterns().technique.MatchString(f.Technique):
		return fmt.Errorf("technique %q", f.Technique)
	case !patterns().date.MatchString(f.Date):
		return fmt.Errorf("date %q", f.Date)
	case f.Blocks < 1 || f.Blocks > 64:
		return fmt.Errorf("%d blocks", f.Blocks)
	case f.Length < 0:
		return fmt.Errorf("length %d", f.Length)
	case f.SingleFigure != (f.Length == 0):
		return errors.New("single_figure must be set for long messages and only for them")
	case len(f.Groups) == 0:
		return errors.New("it belongs to no group")
	}
	for _, name := range f.Groups {
		i := slices.IndexFunc(b.Groups, func(g Group) bool { return g.Name == name })
		if i < 0 {
			return fmt.Errorf("group %q is not declared", name)
		}
		if err := f.validateNumber(b.Groups[i].Relative); err != nil {
			return err
		}
	}
	return nil
}

// validateNumber checks the number itself: between a tenth of a cycle per byte
// and a hundred, and the same in both of its forms.
func (f Figure) validateNumber(relative bool) error {
	if relative {
		if f.CyclesPerByte != 0 || f.CyclesPerBlock != 0 || f.Relative < 0.1 || f.Relative > 10 {
			return errors.New("a relative group needs relative alone")
		}
		return nil
	}
	if f.Relative != 0 || f.CyclesPerByte < 0.1 || f.CyclesPerByte > 100 {
		return errors.New("cycles_per_byte is missing or not believable")
	}
	const rounding = 0.0051 // of a figure with two decimals
	if f.CyclesPerBlock != 0 && math.Abs(f.CyclesPerBlock/64-f.CyclesPerByte) > rounding {
		return errors.New("cycles_per_block does not fit cycles_per_byte")
	}
	return nil
}

// validateDefaults checks that every algorithm has a default that leads to
// figures.
func (b *Board) validateDefaults() error {
	for algorithm, group := range b.Defaults {
		if len(b.figures(algorithm, group)) == 0 {
			return fmt.Errorf("default %q of %s has no figures", group, algorithm)
		}
	}
	for _, f := range b.Figures {
		if b.Defaults[f.Algorithm] == "" {
			return fmt.Errorf("%s has figures but no default group", f.Algorithm)
		}
	}
	return nil
}
