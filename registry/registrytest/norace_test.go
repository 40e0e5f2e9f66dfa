//go:build !race

package registrytest

const raceEnabled = false
