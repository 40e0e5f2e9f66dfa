//go:build gc && !purego && (386 || amd64)

package cpu

// cpuid executes the instruction of that name.
//
//go:noescape
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

const haveCPUID = true
