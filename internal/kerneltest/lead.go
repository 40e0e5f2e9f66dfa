package kerneltest

import (
	"testing"

	"github.com/quarterround/quarterround/registry"
)

// Leads checks that each lead belongs to the kernel whose name it is under.
func Leads(t *testing.T, kernels []registry.Kernel, leads map[string]registry.Lead) {
	used := map[string]bool{}
	for i := range kernels {
		used[kernels[i].Name] = kernels[i].Lead.XOR != nil
	}
	for name := range leads {
		if !used[name] {
			t.Errorf("the lead of %s, which is no kernel, is lost", name)
		}
	}
}
