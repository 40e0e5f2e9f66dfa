//go:build unix

package main

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/registry"
)

func init() {
	commands["select-crashing"] = func() { runWith(crashing) }
	commands["select-hanging"] = func() { runWith(hanging) }
}

// crashing is a backend whose kernels do what ends a process, but for the last two:
// one is wrong, and one is good.
var crashing = &registry.Backend{Name: "crashing", Kernels: []registry.Kernel{
	crashingKernel("illegal", executeIllegal),
	crashingKernel("segment", faultElsewhere),
	crashingKernel("exiting", func([]byte) { unix.Exit(7) }),
	crashingKernel("killed", func([]byte) { unix.Kill(unix.Getpid(), unix.SIGKILL); select {} }),
	crashingKernel("wrong", func(dst []byte) { dst[0] ^= 1 }),
	crashingKernel("good", func([]byte) {}),
}}

// hanging is a backend whose kernel never returns. It is apart so that the others have
// all the time that they need.
var hanging = &registry.Backend{Name: "hanging", Kernels: []registry.Kernel{crashingKernel("hanging", func([]byte) { select {} })}}

func crashingKernel(name string, fault func(dst []byte)) registry.Kernel {
	return registry.Kernel{Name: name, Kind: registry.KindStream, Cipher: registry.ChaCha, Blocks: 1,
		Priors: []registry.Prior{{Rounds: 20, Fixed: 1e6, PerStep: 1e6, Provenance: "estimated"}},
		XOR: func(dst, src []byte, state *[16]uint32, rounds int) {
			reference.XORChaCha(dst, src, state, rounds)
			fault(dst)
		}}
}

// executeIllegal jumps to an instruction that no CPU has.
func executeIllegal([]byte) {
	code, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE|unix.PROT_EXEC, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	undefined := map[string][]byte{
		"amd64": {0x0f, 0x0b}, "386": {0x0f, 0x0b}, "arm64": {0, 0, 0, 0}, "arm": {0xf0, 0x00, 0xf0, 0xe7},
	}[runtime.GOARCH]
	copy(code, undefined)
	entry := unsafe.Pointer(&code[0])
	routine := unsafe.Pointer(&entry)
	(*(*func())(unsafe.Pointer(&routine)))()
}

// faultElsewhere reads from where nothing is, in a goroutine that nobody recovers.
func faultElsewhere([]byte) {
	page, err := unix.Mmap(-1, 0, 4096, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	go func() { page[0]++ }()
	select {}
}
