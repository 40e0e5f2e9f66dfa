//go:build arm.6 && !arm.7

package cpu

const goarm = 6
