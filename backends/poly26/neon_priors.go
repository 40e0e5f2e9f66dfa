package poly26

import "github.com/quarterround/quarterround/registry"

var neonPriors = []registry.Prior{}
var neonX8Priors = []registry.Prior{}
var hybridPriors = []registry.Prior{}
var neonX8A7Priors = []registry.Prior{}
