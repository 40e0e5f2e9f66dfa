// Package all links every built-in backend: import it for its side effect.
package all

import (
	_ "github.com/quarterround/quarterround/backends/amd64scalar"
	_ "github.com/quarterround/quarterround/backends/armscalar"
	_ "github.com/quarterround/quarterround/backends/avx2"
	_ "github.com/quarterround/quarterround/backends/avx512"
	_ "github.com/quarterround/quarterround/backends/generic"
	_ "github.com/quarterround/quarterround/backends/neon1way"
	_ "github.com/quarterround/quarterround/backends/neon2core"
	_ "github.com/quarterround/quarterround/backends/neon3core"
	_ "github.com/quarterround/quarterround/backends/neon4core"
	_ "github.com/quarterround/quarterround/backends/neonfused"
	_ "github.com/quarterround/quarterround/backends/neonmixed"
	_ "github.com/quarterround/quarterround/backends/poly26"
	_ "github.com/quarterround/quarterround/backends/poly32"
	_ "github.com/quarterround/quarterround/backends/poly64"
	_ "github.com/quarterround/quarterround/backends/ssse3"
)
