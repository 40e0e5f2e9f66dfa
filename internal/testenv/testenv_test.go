package testenv

import (
	"cmp"
	"testing"
)

// A recorder is a test that notes how it ended.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper()               {}
func (r *recorder) Fatalf(string, ...any) { r.end("failed") }
func (r *recorder) Skipf(string, ...any)  { r.end("skipped") }

// end notes the first end: a test that has ended does not go on.
func (r *recorder) end(how string) { r.ended = cmp.Or(r.ended, how) }

func TestNeed(t *testing.T) {
	for _, c := range []struct {
		ci, lacks string
		have      bool
		want      string
	}{
		{"", "", true, ""},
		{"true", "neon", true, ""},
		{"", "", false, "skipped"},
		{"true", "", false, "failed"},
		{"true", "avx2 neons", false, "failed"},
		{"true", "avx2 neon", false, "skipped"},
	} {
		t.Setenv("CI", c.ci)
		t.Setenv(LacksVariable, c.lacks)
		r := &recorder{TB: t}
		Need(r, "neon", c.have)
		if r.ended != c.want {
			t.Errorf("%+v: %q", c, r.ended)
		}
	}
	r := &recorder{TB: t}
	if NeedTool(r, "no such program"); r.ended != "failed" {
		t.Errorf("a tool that is missing: %q", r.ended)
	}
}
