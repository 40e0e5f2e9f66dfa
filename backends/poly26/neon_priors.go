package poly26

var (
	neonPriors     = priors["neon"]
	neonX8Priors   = priors["neon-x8"]
	neonX8A7Priors = priors["neon-x8-a7"]
	hybridPriors   = priors["hybrid"]
)
