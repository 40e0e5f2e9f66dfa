package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/quarterround/quarterround/tools/cyclemodel/peers"
	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

// xcryptoRoutines are the names that package xcrypto lists.
var xcryptoRoutines = []string{"xcrypto/chacha", "xcrypto/salsa", "xcrypto/poly1305", "xcrypto/chacha20poly1305", "xcrypto/chacha20poly1305-open"}

// module is the path of the tools module.
const module = "github.com/quarterround/quarterround/tools"

// A routine is something to model: one kernel of ours, or one routine of
// another library.
type routine struct {
	name  string // BACKEND/KERNEL or LIBRARY/ROUTINE
	arch  *trace.Arch
	ours  bool   // a kernel
	kind  string // "stream", "mac" or "fused"
	group string // "ChaCha20", "Salsa20", "Poly1305" or "ChaCha20-Poly1305"
	step  int    // in bytes; 1 for routines that take any length
	setup bool   // a kernel with a Setup
	asm   bool   // a kernel in assembly
	prog  *trace.Program
}

// A lab holds the programs to model, and the tracer.
type lab struct {
	dir      string
	tracer   *trace.Tracer
	routines []routine
	hasPeers bool
}

// newLab builds our programs and lists what is in them and in those of other
// libraries, if peersDir has them: as far as the options ask for any of it. The
// caller calls Close.
func newLab(peersDir string, o options) (*lab, error) {
	dir, err := os.MkdirTemp("", "cyclemodel")
	if err != nil {
		return nil, err
	}
	l := &lab{dir: dir, hasPeers: true}
	if l.tracer, err = trace.New(); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	for _, arch := range []*trace.Arch{trace.ARM, trace.ARM64} {
		if len(columns(arch, o)) == 0 {
			continue
		}
		if err := l.addArch(arch, peersDir, o); err != nil {
			return nil, errors.Join(err, l.Close())
		}
	}
	return l, nil
}

// Close removes the programs.
func (l *lab) Close() error {
	var err error
	if l.tracer != nil {
		err = l.tracer.Close()
	}
	return errors.Join(err, os.RemoveAll(l.dir))
}

func (l *lab) addArch(arch *trace.Arch, peersDir string, o options) error {
	own, err := l.goProgram("kernelrun", arch)
	if err != nil {
		return err
	}
	if err := l.addKernels(own); err != nil {
		return err
	}
	if err := l.addMessages(own, "messages"); err != nil {
		return err
	}
	if c, err := peers.C(peersDir, arch); err != nil {
		l.hasPeers = false
	} else if err := l.addMessages(c, "list"); err != nil {
		return err
	}
	if !slices.ContainsFunc(xcryptoRoutines, o.only.MatchString) {
		return nil
	}
	x, err := l.goProgram("cyclemodel/xcrypto", arch)
	if err != nil {
		return err
	}
	return l.addMessages(x, "list")
}

// goProgram builds a program of the tools module.
func (l *lab) goProgram(pkg string, arch *trace.Arch) (*trace.Program, error) {
	p := &trace.Program{
		Arch: arch, Begin: "main.markBegin", End: "main.markEnd",
		Foreign: "runtime.schedule", // the goroutine lost its thread meanwhile
		Path:    filepath.Join(l.dir, filepath.Base(pkg)+"."+arch.Name),
	}
	cmd := exec.Command("go", "build", "-o", p.Path, module+"/"+pkg)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch.Name, "GOARM=7", "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s for %s: %w\n%s", pkg, arch.Name, err, out)
	}
	return p, nil
}

// listOf returns the lines that a program prints with this argument.
func listOf(p *trace.Program, arg string) ([]string, error) {
	out, err := exec.Command(p.Arch.QEMU, p.Path, arg).Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", filepath.Base(p.Path), arg, err)
	}
	var lines []string
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines, nil
}

// addKernels adds what kernelrun lists.
func (l *lab) addKernels(p *trace.Program) error {
	lines, err := listOf(p, "list")
	if err != nil {
		return err
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		step, err := strconv.Atoi(f[3])
		if err != nil {
			return err
		}
		l.routines = append(l.routines, routine{
			name: f[0], arch: p.Arch, ours: true, kind: f[1], group: groupOf(f[1], f[2]),
			step: step, setup: f[4] == "true", asm: f[5] == "true", prog: p,
		})
	}
	return nil
}

// addMessages adds the routines that a program lists with this argument, and that
// take any length: whole messages, and all of another library's.
func (l *lab) addMessages(p *trace.Program, arg string) error {
	lines, err := listOf(p, arg)
	if err != nil {
		return err
	}
	for _, name := range lines {
		_, r, _ := strings.Cut(name, "/")
		kind, cipher := "stream", "chacha"
		switch {
		case strings.HasPrefix(r, "chacha20poly1305"):
			kind = "fused"
		case strings.HasPrefix(r, "salsa"):
			cipher = "salsa"
		case strings.HasPrefix(r, "poly1305"):
			kind = "mac"
		}
		l.routines = append(l.routines, routine{name: name, arch: p.Arch, kind: kind, group: groupOf(kind, cipher), step: 1, prog: p})
	}
	return nil
}

// groups are the parts of a table, in order.
var groups = []string{"ChaCha20", "Salsa20", "Poly1305", "ChaCha20-Poly1305", "Salsa20-Poly1305"}

func groupOf(kind, cipher string) string {
	switch {
	case kind == "mac":
		return "Poly1305"
	case kind == "fused" && cipher == "salsa":
		return "Salsa20-Poly1305"
	case kind == "fused":
		return "ChaCha20-Poly1305"
	case cipher == "salsa":
		return "Salsa20"
	}
	return "ChaCha20"
}

// chosen returns the routines that the options name, in order of group.
func (l *lab) chosen(o options) []routine {
	var out []routine
	for _, g := range groups {
		for _, r := range l.routines {
			if r.group == g && o.only.MatchString(r.name) {
				out = append(out, r)
			}
		}
	}
	return out
}

// parallel calls f for each index below n, two at a time, and joins the errors.
func parallel(n int, f func(int) error) error {
	errs := make([]error, n)
	slots := make(chan struct{}, 2)
	var wg sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		wg.Go(func() {
			errs[i] = f(i)
			<-slots
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}
