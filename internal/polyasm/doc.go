// Package polyasm has the scalar Poly1305 assembly of arm and arm64. The
// backends by radix offer it as kernels of its own; the vector backend uses it
// for the blocks that do not fill a vector.
//
// Numbers are little-endian in limbs of 64 bits. An accumulator h is below
// 2^131 on entry and on return; r is clamped (RFC 8439 section 2.5).
//
// The routines are for little-endian machines, which all are that Go has with
// these instruction sets: they load bytes of the message, and halves of limbs, as
// words. Kernels made of them say so in registry.Kernel.ByteOrder. Their GNU text, which
// tools/polygen tests, is for both byte orders.
package polyasm

//go:generate go -C ../../tools run ./polygen -set scalar -arch arm -o ../internal/polyasm/blocks_arm.s
//go:generate go -C ../../tools run ./polygen -set scalar -arch arm64 -o ../internal/polyasm/blocks_arm64.s
