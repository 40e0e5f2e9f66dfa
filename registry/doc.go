// Package registry is where backends meet algorithms: backends register the
// kernels they have, and a selection says which kernels each algorithm uses for
// each message length on this CPU, and why.
package registry
