// Command kernelrun calls one kernel by name, directly and without any
// selection, between two marker functions: what the cycle model traces and
// counts. It also seals or opens whole messages, with the kernels that are
// selected.
//
//	kernelrun list                              the kernels of this program
//	kernelrun BACKEND/KERNEL count BYTES CALLS  CALLS calls on BYTES bytes
//	kernelrun BACKEND/KERNEL setup CALLS        CALLS calls of the kernel's Setup
//	kernelrun messages                          the names of messages
//	kernelrun MESSAGE count BYTES CALLS         CALLS messages of BYTES bytes
//
// BYTES is a multiple of the kernel's step. One call precedes the marks, so that
// what happens only once is not counted. Stream kernels run with 20 rounds;
// fused kernels encrypt.
package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/registry"
)

// The marker functions between which instructions count.
//
//go:noinline
func markBegin() {}

//go:noinline
func markEnd() {}

const rounds = 20

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "kernelrun:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "list" {
		list()
		return nil
	}
	if len(args) == 1 && args[0] == "messages" {
		for _, name := range messages {
			fmt.Println(name)
		}
		return nil
	}
	if len(args) < 3 {
		return errors.New("usage: kernelrun list | messages | NAME count BYTES CALLS | BACKEND/KERNEL setup CALLS")
	}
	numbers, err := parseNumbers(args[2:])
	if err != nil {
		return err
	}
	call, err := routine(args[0], args[1], numbers)
	if err != nil {
		return err
	}
	call()
	runtime.Gosched() // a new time slice, which had better not end between the marks
	markBegin()
	for range numbers[len(numbers)-1] {
		call()
	}
	markEnd()
	return nil
}

// routine returns what is to be called, from the arguments.
func routine(name, mode string, numbers []int) (func(), error) {
	if slices.Contains(messages, name) && mode == "count" && len(numbers) == 2 {
		return messaging(name, numbers[0])
	}
	k := find(name)
	switch {
	case k == nil:
		return nil, fmt.Errorf("no kernel %s in this program", name)
	case mode == "setup" && len(numbers) == 1 && k.Setup != nil:
		return settingUp(k), nil
	case mode != "count" || len(numbers) != 2:
		return nil, fmt.Errorf("%s: cannot do %s with %d numbers", name, mode, len(numbers))
	case numbers[0] == 0 || numbers[0]%k.Step() != 0:
		return nil, fmt.Errorf("%s: %d is not a positive multiple of its step of %d bytes", name, numbers[0], k.Step())
	}
	return calling(k, numbers[0]), nil
}

func parseNumbers(args []string) ([]int, error) {
	var out []int
	for _, a := range args {
		n, err := strconv.Atoi(a)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is not a count", a)
		}
		out = append(out, n)
	}
	return out, nil
}

// list prints a line for each kernel that is compiled in: name, kind, cipher,
// step in bytes, whether it has a Setup, and whether it is assembly.
func list() {
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			if k := &b.Kernels[i]; compiled(k) {
				fmt.Printf("%s/%s\t%s\t%s\t%d\t%t\t%t\n", b.Name, k.Name, k.Kind, k.Cipher, k.Step(), k.Setup != nil, k.Simplicity > 0)
			}
		}
	}
}

func compiled(k *registry.Kernel) bool {
	return k.XOR != nil || k.Absorb != nil || k.Seal != nil
}

// find returns the kernel of that name if it is compiled in.
func find(name string) *registry.Kernel {
	backend, kernel, _ := strings.Cut(name, "/")
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			if k := &b.Kernels[i]; b.Name == backend && k.Name == kernel && compiled(k) {
				return k
			}
		}
	}
	return nil
}

// input is what kernels work on. What is in it does not matter: no kernel's
// path depends on it.
type input struct {
	dst, src []byte
	state    [16]uint32
	mac      registry.MACState
	powers   registry.Powers
}

func newInput(n int) *input {
	in := &input{dst: make([]byte, n), src: make([]byte, n)}
	for i := range in.src {
		in.src[i] = byte(i)
	}
	for i := range in.state {
		in.state[i] = uint32(i) * 0x9e3779b9
	}
	in.mac.R = [2]uint64{0x0ffffffc0fff1234 &^ 3, 0x0ffffffc0ffffabc}
	return in
}

// powersOf fills the powers if the kernel has any.
func (in *input) powersOf(k *registry.Kernel) *registry.Powers {
	if k.Setup == nil {
		return nil
	}
	k.Setup(&in.powers, &in.mac.R)
	return &in.powers
}

// calling returns what calls the kernel on n bytes.
func calling(k *registry.Kernel, n int) func() {
	in := newInput(n)
	powers := in.powersOf(k)
	switch k.Kind {
	case registry.KindStream:
		return func() { k.XOR(in.dst, in.src, &in.state, rounds) }
	case registry.KindMAC:
		return func() { k.Absorb(&in.mac, powers, in.src) }
	default:
		return func() { k.Seal(in.dst, in.src, &in.state, &in.mac, powers) }
	}
}

// settingUp returns what calls the kernel's Setup.
func settingUp(k *registry.Kernel) func() {
	in := newInput(0)
	return func() { k.Setup(&in.powers, &in.mac.R) }
}
