//go:build !arm.7

package registrytest

// profilable is false because before ARMv7 the runtime's 64-bit atomic operations hold
// a spinlock. The handler of the profiler's signal has such operations, too: under QEMU
// processes did not get on any more once it had come at the wrong time.
const profilable = false
