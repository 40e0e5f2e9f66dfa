package neonfused

import "github.com/quarterround/quarterround/registry"

var priors = map[string][]registry.Prior{}
