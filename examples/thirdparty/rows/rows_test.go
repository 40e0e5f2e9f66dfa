package rows

import (
	"testing"

	"github.com/quarterround/quarterround/registry/registrytest"
)

// TestBackend runs the whole conformance suite over the backend.
func TestBackend(t *testing.T) { registrytest.TestBackend(t, backend) }
