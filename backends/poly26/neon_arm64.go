//go:build gc && !purego

package poly26

func vectorX8(lanes *lanes26, table *uint32, msg *byte, n int, _ width) {
	neonX8(lanes, table, msg, n)
}
