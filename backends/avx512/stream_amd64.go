//go:build gc && !purego

package avx512

import "github.com/quarterround/quarterround/registry"

//go:generate go -C ../../tools run ./amd64gen/stream -backend avx512 -out ../backends/avx512/stream_amd64.s

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
func chachaYMMX8(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX12(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX16(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX32(dst, src []byte, state *[16]uint32, rounds int)

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
func salsaYMMX8(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX12(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX16(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX32(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX5(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX9(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaX17(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX5(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX9(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func salsaX17(dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX8(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX9(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX12(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX16(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX17(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

//go:noescape
func chachaLeadX32(first *[64]byte, dst, src []byte, state *[16]uint32, rounds int)

// leads holds the leads by the name of the kernel. Only the last part of
// the output may lack room: From is a byte more than what comes before that.
var leads = map[string]registry.Lead{
	"chacha-x8":  {XOR: chachaLeadX8, From: 193},
	"chacha-x9":  {XOR: chachaLeadX9, From: 257},
	"chacha-x12": {XOR: chachaLeadX12, From: 449},
	"chacha-x16": {XOR: chachaLeadX16, From: 1},
	"chacha-x17": {XOR: chachaLeadX17, From: 1},
	"chacha-x32": {XOR: chachaLeadX32, From: 961},
}

// streamRoutines holds the routine of each stream kernel by its name.
var streamRoutines = map[string]registry.StreamFunc{
	"chacha-x1":     chachaX1,
	"chacha-x2":     chachaX2,
	"chacha-x3":     chachaX3,
	"chacha-x4":     chachaX4,
	"chacha-x8":     chachaX8,
	"chacha-ymm-x8": chachaYMMX8,
	"chacha-x12":    chachaX12,
	"chacha-x16":    chachaX16,
	"chacha-x32":    chachaX32,
	"salsa-x1":      salsaX1,
	"salsa-x2":      salsaX2,
	"salsa-x3":      salsaX3,
	"salsa-x4":      salsaX4,
	"salsa-x8":      salsaX8,
	"salsa-ymm-x8":  salsaYMMX8,
	"salsa-x12":     salsaX12,
	"salsa-x16":     salsaX16,
	"salsa-x32":     salsaX32,
	"chacha-x5":     chachaX5,
	"chacha-x9":     chachaX9,
	"chacha-x17":    chachaX17,
	"salsa-x5":      salsaX5,
	"salsa-x9":      salsaX9,
	"salsa-x17":     salsaX17,
}
