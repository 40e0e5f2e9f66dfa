package poly32

var armPriors = priors["asm"]
