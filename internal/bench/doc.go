// Package bench times everything that can do an algorithm against each other: the
// plan, single backends and kernels, and other libraries.
//
// A cell is one algorithm, mode and length. All candidates of a cell do the same
// whole messages, from the same memory, in interleaved rounds; and all cells are
// gone through several times, so that the rounds of a cell lie far apart and its
// spread shows how much the machine changes meanwhile.
package bench
