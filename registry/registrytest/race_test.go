//go:build race

package registrytest

// raceEnabled reports whether the race detector is on, which reports some
// deliberate faults before the checks can.
const raceEnabled = true
