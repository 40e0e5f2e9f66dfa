//go:build !wasip1

package main

import (
	"bufio"
	"errors"
	"os/exec"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"
)

// status runs a command and compares its exit status: status 2 select list.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit status %d, want %s", got, args[0])
	}
}

// columns fails if a line of the file is wider: columns 80 stdout.
func columns(ts *testscript.TestScript, neg bool, args []string) {
	most, err := strconv.Atoi(args[0])
	if neg || err != nil || len(args) != 2 {
		ts.Fatalf("usage: columns N file")
	}
	lines := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[1])))
	for lines.Scan() {
		if n := utf8.RuneCountInString(lines.Text()); n > most {
			ts.Fatalf("%d columns: %s", n, lines.Text())
		}
	}
}
