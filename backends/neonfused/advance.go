//go:build gc && !purego && (arm || arm64)

package neonfused

// advanced returns state with the counter advanced.
func advanced(state *[16]uint32, blocks uint64) [16]uint32 {
	s := *state
	counter := (uint64(s[13])<<32 | uint64(s[12])) + blocks
	s[12], s[13] = uint32(counter), uint32(counter>>32)
	return s
}
