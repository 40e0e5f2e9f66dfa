package poly32

import "github.com/quarterround/quarterround/registry"

var armPriors = []registry.Prior{}
