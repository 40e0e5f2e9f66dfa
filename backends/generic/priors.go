package generic

import "github.com/quarterround/quarterround/registry"

// priors are the costs by kernel, as modelled for the cores that have a model.
var priors = map[string][]registry.Prior{}
