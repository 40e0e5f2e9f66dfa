package poly64

var arm64Priors = priors["asm"]
var arm64X2Priors = priors["asm-x2"]
