package registry

import (
	"slices"
	"testing"

	"github.com/quarterround/quarterround/internal/cpu"
)

func TestModels(t *testing.T) {
	a7 := cpu.Class{Model: "cortex-a7", MIDR: 0x410fc075}
	a53 := cpu.Class{Model: "cortex-a53", MIDR: 0x410fd034}
	a72 := cpu.Class{Model: "cortex-a72", MIDR: 0x410fd083}
	for _, tt := range []struct {
		name string
		id   cpu.Identity
		want []string
	}{
		{"32-bit core", cpu.Identity{GOARCH: "arm", Model: "cortex-a7", Classes: []cpu.Class{a7}}, []string{"cortex-a7"}},
		{"32-bit program on a 64-bit core", cpu.Identity{GOARCH: "arm", Model: "cortex-a53", Classes: []cpu.Class{a53}}, []string{"cortex-a53-arm32"}},
		{"64-bit program", cpu.Identity{GOARCH: "arm64", Model: "cortex-a53", Classes: []cpu.Class{a53}}, []string{"cortex-a53"}},
		{"two kinds", cpu.Identity{GOARCH: "arm", Model: "cortex-a72", Classes: []cpu.Class{a72, a53}}, []string{"cortex-a72-arm32", "cortex-a53-arm32"}},
		{"known by name only", cpu.Identity{GOARCH: "arm", Model: "cortex-a9"}, []string{"cortex-a9"}},
		{"hybrid", cpu.Identity{GOARCH: "amd64", Model: "alderlake", Classes: []cpu.Class{{Model: "goldencove"}, {Model: "gracemont"}}}, []string{"alderlake", "goldencove", "gracemont"}},
		{"unknown", cpu.Identity{GOARCH: "riscv64"}, nil},
	} {
		if got := slices.Compact(modelsOf(tt.id)); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
