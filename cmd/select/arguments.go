package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// arguments returns a check that there are from least to most arguments, any number
// if most is negative. Its error names the first one that is missing or too many.
func arguments(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		words := strings.Fields(cmd.Use)[1:]
		switch {
		case len(args) < least:
			return fmt.Errorf("%s is missing; usage: %s", strings.TrimSuffix(words[len(args)], "..."), cmd.UseLine())
		case most == 0 && len(args) > 0:
			return fmt.Errorf("%s takes no arguments, and got %q", cmd.CommandPath(), args[0])
		case most >= 0 && len(args) > most:
			return fmt.Errorf("%q is one argument too many; usage: %s", args[most], cmd.UseLine())
		}
		return nil
	}
}

// subcommandsOnly is the check of a command whose arguments can only be names of
// subcommands that it has not.
func subcommandsOnly(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	hint := ""
	cmd.SuggestionsMinimumDistance = 2 // in letters to change
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		hint = "; nearest: " + near[0]
	}
	return fmt.Errorf("%s has no command %q%s; there are %s", cmd.CommandPath(), args[0], hint, strings.Join(names, ", "))
}

// wrongFlag adds to the errors of flags where it is said what would be right.
func wrongFlag(cmd *cobra.Command, err error) error {
	return fmt.Errorf("%w; %s --help says which flags there are and what they take", err, cmd.CommandPath())
}

// notTogether returns an error if more than one of these flags is given.
func notTogether(cmd *cobra.Command, names ...string) error {
	var given []string
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			given = append(given, "--"+name)
		}
	}
	if len(given) < 2 {
		return nil
	}
	return fmt.Errorf("%s: one or the other", strings.Join(given, " and "))
}

// onlyWith returns an error if a flag is given that means nothing beside the named
// one: that is neither this nor one of the others.
func onlyWith(cmd *cobra.Command, name string, others ...string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != name && !slices.Contains(others, f.Name) {
			err = fmt.Errorf("--%s does not go with --%s", f.Name, name)
		}
	})
	return err
}

// mostBytes bounds the lengths that are not measured but computed with, and leaves
// room for that.
const mostBytes = min(1<<40, math.MaxInt/2)

// parseLength returns a number of bytes from least to most: "100", "64k", "1m".
func parseLength(word string, least, most int) (int, error) {
	digits, shift := strings.ToLower(strings.TrimSpace(word)), 0
	switch {
	case strings.HasSuffix(digits, "k"):
		digits, shift = digits[:len(digits)-1], 10
	case strings.HasSuffix(digits, "m"):
		digits, shift = digits[:len(digits)-1], 20
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || n > most>>shift || n<<shift < least {
		return 0, fmt.Errorf("%q is not a length from %s to %s, such as 1350, 64k or 1m", word, formatLength(least), formatLength(most))
	}
	return n << shift, nil
}

// A lengthFlag is a number of bytes given as a flag.
type lengthFlag int

func (l *lengthFlag) String() string { return strconv.Itoa(int(*l)) }
func (l *lengthFlag) Type() string   { return "length" }

func (l *lengthFlag) Set(word string) error {
	n, err := parseLength(word, 1, mostBytes)
	*l = lengthFlag(n)
	return err
}
