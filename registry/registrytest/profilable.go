//go:build !arm || arm.7

package registrytest

// profilable says that the CPU profiler can run while all threads are at work.
const profilable = true
