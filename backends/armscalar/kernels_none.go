//go:build !arm || !gc || purego

package armscalar

import "github.com/quarterround/quarterround/registry"

var chachaXOR, salsaXOR registry.StreamFunc
