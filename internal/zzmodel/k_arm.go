package main

import (
	"github.com/quarterround/quarterround/internal/polyasm"
	"github.com/quarterround/quarterround/registry"
	_ "github.com/quarterround/quarterround/backends/poly26"
	_ "github.com/quarterround/quarterround/backends/poly32"
	_ "github.com/quarterround/quarterround/backends/poly64"
)

func init() {
	r := [2]uint64{0x0123456789abcdef & 0x0ffffffc0fffffff, 0xfedcba9876543210 & 0x0ffffffc0ffffffc}
	kernels["blocks32"] = func(b []byte) { var h [3]uint64; polyasm.Blocks(&h, &r, b) }
}

func init() {
	for _, b := range registry.Backends() {
		for i := range b.Kernels {
			k := &b.Kernels[i]
			if k.Absorb == nil {
				continue
			}
			var p registry.Powers
			s := registry.MACState{R: [2]uint64{0x0123456789abcdef & 0x0ffffffc0fffffff, 0xfedcba9876543210 & 0x0ffffffc0ffffffc}}
			if k.Setup != nil {
				k.Setup(&p, &s.R)
			}
			kernels[b.Name+"/"+k.Name] = func(b []byte) { k.Absorb(&s, &p, b) }
			kernels["setup/"+b.Name+"/"+k.Name] = func([]byte) { k.Setup(&p, &s.R) }
		}
	}
}
