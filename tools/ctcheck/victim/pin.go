package main

import _ "unsafe" // for go:linkname

// pin keeps the goroutine from yielding to others when the Go runtime asks it
// to. Asked it is every 10 ms, which is soon when single-stepped.
//
//go:linkname pin runtime.procPin
func pin() int
