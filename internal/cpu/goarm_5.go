//go:build !arm || !arm.6

package cpu

// goarm is the GOARM the program was built with; it means nothing elsewhere.
const goarm = 5
