package vectors

// Derivations holds the published HChaCha20 and HSalsa20 vectors.
var Derivations = []Derivation{
	{
		Name:   "HChaCha20",
		Source: "draft-irtf-cfrg-xchacha-03 section 2.2.1",
		Cipher: "chacha",
		Rounds: 20,
		Key:    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
		Input:  "000000090000004a0000000031415927",
		Output: "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc",
	},
	{
		Name:   "HSalsa20 of a shared secret",
		Source: "NaCl 20110221, tests/core1",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
		Input:  "00000000000000000000000000000000",
		Output: "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389",
	},
	{
		Name:   "HSalsa20 of a nonce",
		Source: "NaCl 20110221, tests/core2",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389",
		Input:  "69696ee955b62b73cd62bda875fc73d6",
		Output: "dc908dda0b9344a953629b733820778880f3ceb421bb61b91cbd4c3e66256ce4",
	},
}
