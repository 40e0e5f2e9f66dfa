package poly26

var (
	neonX2Priors   = priors["neon-x2"]
	neonPriors     = priors["neon"]
	neonX8Priors   = priors["neon-x8"]
	neonX8A7Priors = priors["neon-x8-a7"]
	hybridPriors   = priors["hybrid"]
)
