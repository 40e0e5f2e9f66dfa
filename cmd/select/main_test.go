package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run the command as "select".
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"select": func() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "columns": columns},
		Setup: func(e *testscript.Env) error {
			e.Setenv("QUARTERROUND", "mode=prior")
			return nil
		},
	})
}
