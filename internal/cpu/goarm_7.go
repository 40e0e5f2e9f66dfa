//go:build arm.7

package cpu

const goarm = 7
