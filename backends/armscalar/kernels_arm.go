//go:build gc && !purego

package armscalar

import "github.com/quarterround/quarterround/registry"

//go:noescape
func chacha(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsa(dst, src []byte, state *[16]uint32, rounds int)

var chachaXOR, salsaXOR registry.StreamFunc = chacha, salsa
