package vectors

// Salsa holds the published Salsa20 and XSalsa20 vectors.
var Salsa = []Stream{
	{
		Name:   "Set 1, vector 0, bytes from 0, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "80000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"4dfa5e481da23ea09a31022050859936da52fcee218005164f267cb65f5cfd7f2b4f97e0ff16924a52df269515110a07f9e460bc65ef95da58f740b7d1dbb0aa",
	},
	{
		Name:    "Set 1, vector 0, bytes from 448, 20 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  20,
		Key:     "80000000000000000000000000000000",
		Nonce:   "0000000000000000",
		Counter: 7,
		Ciphertext: "" +
			"b375703739daced4dd4059fd71c3c47fc2f9939670fad4a46066adcc6a5645783308b90ffb72be04a6b147cbe38cc0c3b9267c296a92a7c69873f9f263be9703",
	},
	{
		Name:    "Set 1, vector 0, bytes from 192, 20 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  20,
		Key:     "80000000000000000000000000000000",
		Nonce:   "0000000000000000",
		Counter: 3,
		Ciphertext: "" +
			"da9c1581f429e0a00f7d67e23b730676783b262e8eb43a25f55fb90b3e753aef8c6713ec66c51881111593ccb3e8cb8f8de124080501eeeb389c4bcb6977cf95" +
			"7d5789631eb4554400e1e025935dfa7b3e9039d61bdc58a8697d36815bf1985cefdf7ae112e5bb81e37ecf0616ce7147fc08a93a367e08631f23c03b00a8da2f",
	},
	{
		Name:   "Set 3, vector243, bytes from 0, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"b4c0afa503be7fc29a62058166d56f8f5d27dc246f75b9ad8760c8c39dfd87492d3b76d5d9637f009eada14458a52dfb09815337e72672681dddc24633750d83",
	},
	{
		Name:    "Set 3, vector243, bytes from 448, 20 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  20,
		Key:     "f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112",
		Nonce:   "0000000000000000",
		Counter: 7,
		Ciphertext: "" +
			"5a5fb5c8f0afea471f0318a4a2792f7aa5c67b6d6e0f0ddb79961c34e3a564ba2eece78d9aff45e510feab1030b102d39dfcecb77f5798f7d2793c0ab09c7a04",
	},
	{
		Name:    "Set 3, vector243, bytes from 192, 20 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  20,
		Key:     "f3f4f5f6f7f8f9fafbfcfdfeff000102030405060708090a0b0c0d0e0f101112",
		Nonce:   "0000000000000000",
		Counter: 3,
		Ciphertext: "" +
			"dbba0683df48c335a9802eef0252256354c9f763c3fde19131a6bb7b85040624b1d6cd4bf66d16f7482236c8602a6d58505eedcca0b77aed574ab583115124b9" +
			"f0c5f98bae05e019764ef6b65e0694a904cb9ec9c10c297b1ab1a6052365bb78e55d3c6cb9f06184ba7d425a92e7e987757fc5d9afd7082418dd64125ca6f2b6",
	},
	{
		Name:   "Set 1, vector 0, bytes from 0, 12 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 12,
		Key:    "80000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"fc207dbfc76c5e1774961e7a5aad09069b2225ac1ce0fe7a0ce77003e7e5bdf8b31af821000813e6c56b8c1771d6ee7039b2fbd0a68e8ad70a3944b677937897",
	},
	{
		Name:    "Set 1, vector 0, bytes from 192, 12 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  12,
		Key:     "80000000000000000000000000000000",
		Nonce:   "0000000000000000",
		Counter: 3,
		Ciphertext: "" +
			"4b62a4881fa1af9560586510d5527ed48a51ecafa4deceebbddc10e9918d44ab26b10c0a31ed242f146c72940c6e9c3753f641da84e9f68b4f9e76b6c48ca5ac",
	},
	{
		Name:   "Set 1, vector 0, bytes from 0, 8 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 8,
		Key:    "80000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"a9c9f888ab552a2d1bbff9f36bebeb337a8b4b107c75b63bae26cb9a235bba9d784f38befc3adf4cd3e266687ea7b9f09ba650ae81eac6063ae31ff12218ddc5",
	},
	{
		Name:    "Set 1, vector 0, bytes from 192, 8 rounds",
		Source:  "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher:  "salsa",
		Rounds:  8,
		Key:     "80000000000000000000000000000000",
		Nonce:   "0000000000000000",
		Counter: 3,
		Ciphertext: "" +
			"bb5b6bb2cc8b8a0222dccc1753ed4aeb23377accbd5d4c0b69a8a03bb115ef71871bc10559080aca7c68f0def32a80ddbaf497259bb76a3853a7183b51cc4b9f",
	},
	{
		Name:   "Set 1, vector 0, 256-bit key, bytes from 0, 12 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 12,
		Key:    "8000000000000000000000000000000000000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"afe411ed1c4e07e4d0cde3b33e31ec190fa4cc796a58bafb848ead8d07d02cd2d4b6f9f30cb0b57007e3733895cc8d1060107975acaeeb689b6cf614ab64a3d6",
	},
	{
		Name:   "Set 1, vector 0, 256-bit key, bytes from 0, 8 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 8,
		Key:    "8000000000000000000000000000000000000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"b1f599e9b0d96df436ae31f5ef589565b92d245db5a1d4c7a78e5e8d0146f8a49d326c1a3bf50c052c9c8f114dc74972c4469591e31c9ed11927aa9871f38583",
	},
	{
		Name:    "32-bit carry after 0xfffffff2 blocks, 20 rounds",
		Source:  "Crypto++ 8.7 TestVectors, made with the cipher's reference code",
		Cipher:  "salsa",
		Rounds:  20,
		Key:     "0000000000000000000000000000000000000000000000000000000000000000",
		Nonce:   "0000000000000000",
		Counter: 0xfffffff2,
		Ciphertext: "" +
			"da196754a8e7e3816f1125e5869fb10d138c07a07b9c0c10b1ef6d8408b59db18d25812f19af0e1c1ba020ae4b1c19022776ce998e6b9ecda6e2d8b946ecf987" +
			"a448a793d6af0fa41ed1b31f574a0cd55fc2352d53f6cc5f04c2765dd94a858f49e649770e5bdf470cfc879c05b0c2ba3bdfe040ea258dedf8c047a6564723ed" +
			"60245a40cd404492b2f23717852db15ccccc4dfa01e20f6c2d22a4a0bcad64294abbd2f829f023ec8a9110defcbd6252b3d81d2bfaa18d222dbdce519cc6ed49" +
			"9df23e480ea415b5b1df880697b7a7bb76e95ba1c71f36c8489b89d791ef9dc7af25f0dd23179cc473462ff4b7166a3267f7e538fda9bec0e894ef420aceb25c" +
			"2bccb1bb4e3e72ff7575ec76d2f9eefe2b4a22abfea5e27f9bc958467d151544c485888676ed238bcd536f579f5451bece583181db529488a8f44916842178b6" +
			"e8d83460f152d9f6d995b4dc5d8ff48dbd66dd46863d1c9ee068e6903c737aaad33a82f3b349897ac9b97f705f7b431a6438b0d2336ccbae9a00c03a9086a5e8" +
			"f559134c4337d27a600445fba2feab937483680e0327fafeff8f1cd02ef7a7ac2e76748f04203a7ad1f3263ca1b17e244cf0bbdac799bc4e822658427150242a" +
			"ffc1f8be91475cc5f02ca6e2488ce0913fc191a8f1e49403c783ca06b1de7dbfb25c4e6cb6932dd0cc6f9bc748bdd85ec80eff37b50432effdedcf7ed4d43673" +
			"0bcb581d4c0a9cd46f10d05c254902cc1896006fc3b65d1eeb2e333cb808b45ff0f51fd264937f74fba7ec21c1fd347f78220cfc50aa03bea9a0eec62d3d833d" +
			"3048618a5983b6191948921eec72f0c52dc1621f2b7e82ab9940948374014b338ef906c38a13a5ed3b392777ea1cbdfe50605f995cabe83c2157b48aa273710c" +
			"908f37e7c4a76ddf87de31a0209323487a1a122582c24cc2d283b32ae96ad0db0c12d2332b36fb54ddb6a9fa776f6a2f38bb0456cd29d208ee19bfd1d0f787b5" +
			"fbfc3cd1ec25bbe32258c0373e3738f613b4867ab4ce042bff8d0fc44857e66454e29790b9d72780d0089c06b5c0f12868797f9918f7c0c347affed02dad9aa5" +
			"4ea79d03bb6dab09fb849bddf6534e8465015f966cb46dd891eca04b997570e44e2a9a72dc128cb98865ca9c64319484070d4f85e5b13524b5480b453877869b" +
			"59fc4dd73f4b7b28ce1b0ef562bab604824076898a800797b59902a99f3122545231e85b887ffa19f71f24aaf352dc6afe47281d8f546c9d419194479a369392" +
			"b65fc777c4f950ec0274ff0ffbb0a6e3ededf78477e94945e87f26e3162bf6a1050933421833f249da1162db6e92a7678505190c80dc46350b81e831f974b28c" +
			"13a4a90b48300deb77cdfc5378e32b30e9dd3dda3b8b090ab4d87ef9c7c2d1976b21db54289c482083b82083e45e874a54308ce43ec450fad96a5aee5d383736",
	},
	{
		Name:   "Set 1, vector 0 (256-bit key), bytes from 0, 20 rounds",
		Source: "eSTREAM Salsa20 verified test vectors (ECRYPT, 2005-2008)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "8000000000000000000000000000000000000000000000000000000000000000",
		Nonce:  "0000000000000000",
		Ciphertext: "" +
			"e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844b22c97559e2723c7cbbd3fe4fc8d9a0744652a83e72a9c461876af4d7ef1a117",
	},
	{
		Name:   "XSalsa20 keystream",
		Source: "NaCl 20110221, tests/stream3 (139 bytes as in Crypto++ 8.7)",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389",
		Nonce:  "69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37",
		Ciphertext: "" +
			"eea6a7251c1e72916d11c2cb214d3c252539121d8e234e652d651fa4c8cff880309e645a74e9e0a60d8243acd9177ab51a1beb8d5a2f5d700c093c5e55855796" +
			"25337bd3ab619d615760d8c5b224a85b1d0efe0eb8a7ee163abb0376529fcc09bab506c618e13ce777d82c3ae9d1a6f972d4160287cbfe60bf2130fc0a6ff604" +
			"9d0a5c8a82f429231f0080",
	},
	{
		Name:   "XSalsa20 keystream",
		Source: "golang.org/x/crypto/salsa20 tests",
		Cipher: "salsa",
		Rounds: 20,
		Key:    "746869732069732033322d62797465206b657920666f72207873616c73613230",
		Nonce:  "32342d62797465206e6f6e636520666f72207873616c7361",
		Ciphertext: "" +
			"4848297feb1fb52fb66d81609bd547fabcbe7026edc8b5e5e449d088bfa69c088f5d8da1d791267c2c195a7f8cae9c4b4050d08ce6d3a151ec265f3a58e47648",
	},
}
