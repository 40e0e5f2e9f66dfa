//go:build linux

package plugin

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestHostDies ends hosts in three ways: neither the plugin nor its socket may
// be left.
func TestHostDies(t *testing.T) {
	for _, test := range []struct {
		role   string
		signal syscall.Signal
	}{{"host", syscall.SIGKILL}, {"host", syscall.SIGTERM}, {"host-panics", 0}} {
		t.Run(fmt.Sprint(test.role, test.signal), func(t *testing.T) {
			host := exec.Command(program(t))
			host.Env = append(os.Environ(), roleVariable+"="+test.role)
			out, err := host.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := host.Start(); err != nil {
				t.Fatal(err)
			}
			var pid int
			var folder string
			if _, err := fmt.Fscan(out, &pid, &folder); err != nil {
				t.Fatal(err)
			}
			if test.signal != 0 {
				host.Process.Signal(test.signal)
			}
			host.Wait()
			waitFor(t, "the plugin to end", func() bool { return ended(pid) })
			waitFor(t, "the socket to be removed", func() bool { return !exists(folder) })
		})
	}
}

// TestHostWithoutPipe ends a host that gave its plugin no pipe: the plugin sees that
// it has another parent.
func TestHostWithoutPipe(t *testing.T) {
	host := exec.Command(program(t))
	host.Env = append(os.Environ(), roleVariable+"=starts-watching")
	out, err := host.Output()
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Sscan(string(out), &pid); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	waitFor(t, "the plugin to end", func() bool { return ended(pid) })
}

// ended reports whether a process is gone, or dead and not yet waited for by
// whoever has inherited it.
func ended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	var number int
	var name, state string
	fmt.Sscan(string(stat), &number, &name, &state)
	return state == "Z"
}
