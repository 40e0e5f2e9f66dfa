//go:build arm.7

package polyasm

// unalignedWords reports whether the CPUs this program runs on can load words
// from any address.
const unalignedWords = true
