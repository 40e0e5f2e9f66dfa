//go:build !gc || purego || !(386 || amd64)

package cpu

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) { return }

const haveCPUID = false
