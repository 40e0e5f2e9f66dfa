package armscalar

import "github.com/quarterround/quarterround/registry"

// priors are the assumed costs by kernel.
var priors = map[string][]registry.Prior{}
