//go:build gc && !purego

package poly26

func vectorX8(lanes *[10]uint32, table *uint32, msg *byte, n int, _ width) {
	neonX8(lanes, table, msg, n)
}
