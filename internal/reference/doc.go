// Package reference holds the portable scalar routines for ChaCha, Salsa20 and
// Poly1305. They are right on every GOARCH and in either byte order, they are
// the generic backend, and they are the oracle that every other kernel is
// checked against.
package reference
