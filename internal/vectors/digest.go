package vectors

// Digests holds the vectors that give a long keystream by the XOR of its blocks.
var Digests = []Digest{
	{
		Name:   "Set 6, vector 0, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "0053a6f94c9ff24598eb3e91e4378add3083d6297ccf2275c81b6ec11467ba0d",
		Nonce:  "0d74db42a91077de",
		Length: 131072,
		XOR: "" +
			"c349b6a51a3ec9b712eaed3f90d8bcee69b7628645f251a996f55260c62ef31fd6c6b0aea94e136c9d984ad2df3578f78e457527b03a0450580dd874f63b1ab9",
	},
	{
		Name:   "Set 6, vector 1, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "0558abfe51a4f74a9df04396e93c8fe23588db2e81d4277acd2073c6196cbf12",
		Nonce:  "167de44bb21980e7",
		Length: 131072,
		XOR: "" +
			"c3eaaf32836bace32d04e1124231ef47e101367d6305413a0eeb07c60698a2876e4d031870a739d6ffddd208597aff0a47ac17edb0167dd67eba84f1883d4dfd",
	},
	{
		Name:   "Set 6, vector 2, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "0a5db00356a9fc4fa2f5489bee4194e73a8de03386d92c7fd22578cb1e71c417",
		Nonce:  "1f86ed54bb2289f0",
		Length: 131072,
		XOR: "" +
			"3cd23c3dc90201acc0cf49b440b6c417f0dc8d8410a716d5314c059e14b1a8d9a9fb8ea3d9c8dae12b21402f674aa95c67b1fc514e994c9d3f3a6e41dff5bba6",
	},
	{
		Name:   "Set 6, vector 3, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "0f62b5085bae0154a7fa4da0f34699ec3f92e5388bde3184d72a7dd02376c91c",
		Nonce:  "288ff65dc42b92f9",
		Length: 131072,
		XOR: "" +
			"e00ebccd70d69152725f9987982178a2e2e139c7bcbe04ca8a0e99e318d9ab76f988c8549f75add790ba4f81c176da653c1a043f11a958e169b6d2319f4eec1a",
	},
}
