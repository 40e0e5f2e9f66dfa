// Package all links every built-in backend: import it for its side effect.
package all

import (
	_ "github.com/quarterround/quarterround/backends/generic"
	_ "github.com/quarterround/quarterround/backends/poly26"
	_ "github.com/quarterround/quarterround/backends/poly32"
	_ "github.com/quarterround/quarterround/backends/poly64"
)
