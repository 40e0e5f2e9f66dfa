// Package cpu says what the CPU of this machine can do and which one it is.
//
// [Detect] gives the features. It reads no file and costs about a microsecond,
// for it lies on the way of the first use of a cipher. [Read] gives everything
// else: model, kinds of core, clock, hypervisor or emulator. It reads small
// files of /proc and /sys and belongs to reports, profiles and measuring.
//
// Nothing here fails: what cannot be learned is left at its zero value.
package cpu
