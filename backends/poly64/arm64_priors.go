package poly64

import "github.com/quarterround/quarterround/registry"

var arm64Priors = []registry.Prior{}
var arm64X2Priors = []registry.Prior{}
