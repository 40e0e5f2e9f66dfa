// Command victim runs one kernel on many keys and messages of one length, each
// between two marks, so that a tracer can compare what was executed.
//
//	victim list                              the kernels of this program
//	victim BACKEND/KERNEL BYTES COUNT MARK   COUNT inputs of BYTES bytes
//
// The first input comes twice, because what happens first may differ from what
// happens later.
//
// MARK is "trap" for a breakpoint instruction before and after each call, or
// "call" for calls of main.markBegin and main.markEnd. The first inputs are
// extremes, the others random. BYTES is a multiple of the kernel's step.
// Stream kernels run with 8 rounds: every round is the same code.
package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"

	_ "github.com/quarterround/quarterround/backends/all"
	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/registry"
)

// The main goroutine stays on the main thread, the one that is traced.
func init() { runtime.LockOSThread() }

//go:noinline
func markBegin() {}

//go:noinline
func markEnd() {}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "victim:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 1 && args[0] == "list" {
		list()
		return nil
	}
	if len(args) != 4 {
		return errors.New("usage: victim list | BACKEND/KERNEL BYTES COUNT MARK")
	}
	k := find(args[0])
	if k == nil {
		return fmt.Errorf("no kernel %s in this program", args[0])
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n <= 0 || n%k.Step() != 0 {
		return fmt.Errorf("%s is not a positive multiple of %d", args[1], k.Step())
	}
	count, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	begin, end := markBegin, markEnd
	if args[3] == "trap" {
		begin, end = runtime.Breakpoint, runtime.Breakpoint
	}
	in := newInput(k, n)
	in.call()
	pin()
	for i := -1; i < count; i++ {
		in.choose(max(i, 0))
		begin()
		in.call()
		end()
	}
	return nil
}

// list prints a line for each kernel that is compiled in: its name, the length
// in bytes to trace it on, and the features it needs that are missing here.
func list() {
	eachKernel(func(name string, k *registry.Kernel) {
		fmt.Println(name, length(k), cpu.Detect().Features.Missing(k.Features))
	})
}

// length returns a message length that runs all code of the kernel: two steps,
// or 128 bytes if that is more. Wide stream kernels do every step alike.
func length(k *registry.Kernel) int {
	if k.Kind == registry.KindStream && k.Step() >= 512 {
		return k.Step()
	}
	return max(2, 128/k.Step()) * k.Step()
}

func find(wanted string) (found *registry.Kernel) {
	eachKernel(func(name string, k *registry.Kernel) {
		if name == wanted {
			found = k
		}
	})
	return found
}

// eachKernel calls f for the kernels of all backends and for the leaky ones.
func eachKernel(f func(name string, k *registry.Kernel)) {
	for _, b := range append(registry.Backends(), leaky) {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.XOR != nil || k.Absorb != nil || k.Seal != nil {
				f(b.Name+"/"+k.Name, k)
			}
		}
	}
}

// An input is the memory that a kernel works on; it is the same for all calls.
type input struct {
	dst, src []byte
	state    [16]uint32
	mac      registry.MACState
	powers   registry.Powers
	random   *rand.Rand
	call     func()
}

func newInput(k *registry.Kernel, n int) *input {
	in := &input{dst: make([]byte, n), src: make([]byte, n), random: rand.New(rand.NewPCG(1, 2))}
	in.call = in.callOf(k)
	return in
}

// callOf returns what runs the kernel once. The multiplier is secret, so Setup
// is part of it.
func (in *input) callOf(k *registry.Kernel) func() {
	setup, powers := func() {}, (*registry.Powers)(nil)
	if k.Setup != nil {
		powers = &in.powers
		setup = func() { k.Setup(powers, &in.mac.R) }
	}
	switch k.Kind {
	case registry.KindStream:
		if k.Lead.XOR != nil {
			return in.leads(k)
		}
		return func() { k.XOR(in.dst, in.src, &in.state, 8) }
	case registry.KindMAC:
		return func() { setup(); k.Absorb(&in.mac, powers, in.src) }
	}
	return func() {
		setup()
		k.Seal(in.dst, in.src, &in.state, &in.mac, powers)
		k.Open(in.dst, in.src, &in.state, &in.mac, powers)
	}
}

// leads returns what runs XOR and, over a step, over less and over the least, Lead.
func (in *input) leads(k *registry.Kernel) func() {
	dst, src := in.dst[registry.BlockSize:k.Step()], in.src[registry.BlockSize:k.Step()]
	less := max(k.Lead.From, len(src)-27)
	return func() {
		k.XOR(in.dst, in.src, &in.state, 8)
		first := (*[registry.BlockSize]byte)(in.dst)
		k.Lead.XOR(first, dst, src, &in.state, 8)
		k.Lead.XOR(first, dst[:less], src[:less], &in.state, 8)
		k.Lead.XOR(first, dst[:k.Lead.From], src[:k.Lead.From], &in.state, 8)
	}
}

// extremes is how many of the first inputs are not random.
const extremes = 8

// choose fills the input for call i: with zeros, with ones, with zeros and ones
// by parts, or at random. The counter is public and stays 0.
func (in *input) choose(i int) {
	word := func(part int) uint64 {
		if i < extremes {
			return -(uint64(i) >> part & 1)
		}
		return in.random.Uint64()
	}
	for j := range in.src {
		in.src[j] = byte(word(0))
	}
	for j := range in.state {
		in.state[j] = uint32(word(1))
	}
	for _, j := range []int{8, 9, 12, 13} { // the counters of Salsa20 and ChaCha
		in.state[j] = 0
	}
	in.mac.R = [2]uint64{word(1) & 0x0ffffffc0fffffff, word(1) & 0x0ffffffc0ffffffc}
	in.mac.H = [3]uint64{word(2), word(2), word(2) & 7}
	in.mac.S = [2]uint64{word(1), word(1)}
}
