package main

import (
	"regexp"
	"testing"
)

// mustOptions returns options that choose routines and CPUs.
func mustOptions(t *testing.T, only, cpu string) options {
	t.Helper()
	var o options
	var err error
	if o.only, err = regexp.Compile(only); err != nil {
		t.Fatal(err)
	}
	if o.cpu, err = regexp.Compile(cpu); err != nil {
		t.Fatal(err)
	}
	return o
}
