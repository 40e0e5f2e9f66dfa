package poly26

var neonPriors = priors["neon"]
var neonX8Priors = priors["neon-x8"]
var hybridPriors = priors["hybrid"]
var neonX8A7Priors = priors["neon-x8-a7"]
