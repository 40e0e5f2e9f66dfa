//go:build gc && !purego

package avx2

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend avx2 -out ../backends/avx2/stream_amd64.s

//go:noescape
func chachaX1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX3(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX4(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX8(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX16(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX1(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX2(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX3(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX4(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX8(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX16(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX5(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX9(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX17(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX25(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX6(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX10(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX18(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX21(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX5(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX9(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX17(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX25(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX23(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX8(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX9(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX16(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX17(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX21(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX23(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX25(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

// leads holds the leads by the name of the kernel. Only the last part of
// the output may lack room: From is a byte more than what comes before that.
var leads = map[string]registry.Lead{
	"chacha-x8":  {XOR: chachaLeadX8, From: 1},
	"chacha-x9":  {XOR: chachaLeadX9, From: 1},
	"chacha-x16": {XOR: chachaLeadX16, From: 449},
	"chacha-x17": {XOR: chachaLeadX17, From: 513},
	"chacha-x21": {XOR: chachaLeadX21, From: 1025},
	"chacha-x23": {XOR: chachaLeadX23, From: 1025},
	"chacha-x25": {XOR: chachaLeadX25, From: 1025},
}

// streamRoutines holds the routine of each stream kernel by its name.
var streamRoutines = map[string]registry.StreamFunc{
	"chacha-x1":  chachaX1,
	"chacha-x2":  chachaX2,
	"chacha-x3":  chachaX3,
	"chacha-x4":  chachaX4,
	"chacha-x8":  chachaX8,
	"chacha-x16": chachaX16,
	"salsa-x1":   salsaX1,
	"salsa-x2":   salsaX2,
	"salsa-x3":   salsaX3,
	"salsa-x4":   salsaX4,
	"salsa-x8":   salsaX8,
	"salsa-x16":  salsaX16,
	"chacha-x5":  chachaX5,
	"chacha-x9":  chachaX9,
	"chacha-x17": chachaX17,
	"chacha-x25": chachaX25,
	"chacha-x6":  chachaX6,
	"chacha-x10": chachaX10,
	"chacha-x18": chachaX18,
	"chacha-x21": chachaX21,
	"chacha-x23": chachaX23,
	"salsa-x5":   salsaX5,
	"salsa-x9":   salsaX9,
	"salsa-x17":  salsaX17,
	"salsa-x25":  salsaX25,
}
