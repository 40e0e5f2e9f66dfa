//go:build gc && !purego

package poly26

// hybridAhead is the number of blocks that the scalar chain of the hybrid takes
// besides two an iteration: it adds a block before the iteration that
// multiplies it.
const hybridAhead = 1
