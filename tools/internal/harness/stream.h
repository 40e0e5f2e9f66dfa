// ChaCha and Salsa20 (D. J. Bernstein, 2005 and 2008), written from their definitions,
// with the vectors of RFC 8439 section 2.3.2 and of eSTREAM's Salsa20 (256 bits, set 1,
// vector 0).
static u32 rotl(u32 x, int n) { return x << n | x >> (32 - n); }

static void chacha_quarter(u32 *x, int a, int b, int c, int d) {
	x[a] += x[b]; x[d] = rotl(x[d] ^ x[a], 16);
	x[c] += x[d]; x[b] = rotl(x[b] ^ x[c], 12);
	x[a] += x[b]; x[d] = rotl(x[d] ^ x[a], 8);
	x[c] += x[d]; x[b] = rotl(x[b] ^ x[c], 7);
}

static void salsa_quarter(u32 *x, int a, int b, int c, int d) {
	x[b] ^= rotl(x[a] + x[d], 7);
	x[c] ^= rotl(x[b] + x[a], 9);
	x[d] ^= rotl(x[c] + x[b], 13);
	x[a] ^= rotl(x[d] + x[c], 18);
}

static void block(u8 out[64], const u32 in[16], int salsa, int rounds) {
	u32 x[16];
	for (int i = 0; i < 16; i++) x[i] = in[i];
	for (; rounds; rounds -= 2) {
		if (salsa) {
			salsa_quarter(x, 0, 4, 8, 12); salsa_quarter(x, 5, 9, 13, 1);
			salsa_quarter(x, 10, 14, 2, 6); salsa_quarter(x, 15, 3, 7, 11);
			salsa_quarter(x, 0, 1, 2, 3); salsa_quarter(x, 5, 6, 7, 4);
			salsa_quarter(x, 10, 11, 8, 9); salsa_quarter(x, 15, 12, 13, 14);
		} else {
			for (int i = 0; i < 4; i++) chacha_quarter(x, i, 4 + i, 8 + i, 12 + i);
			for (int i = 0; i < 4; i++) chacha_quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
		}
	}
	for (int i = 0; i < 16; i++) {
		u32 w = x[i] + in[i];
		for (int j = 0; j < 4; j++) out[4 * i + j] = w >> 8 * j;
	}
}

static void reference(u8 *dst, const u8 *src, size_t len, const u32 state[16], int salsa, int rounds) {
	u32 in[16];
	u8 key[64];
	int c = salsa ? 8 : 12;
	for (int i = 0; i < 16; i++) in[i] = state[i];
	for (; len; len -= 64, src += 64, dst += 64) {
		block(key, in, salsa, rounds);
		for (int i = 0; i < 64; i++) dst[i] = src[i] ^ key[i];
		if (!++in[c]) ++in[c + 1];
	}
}

static u32 word(const u8 *p) { return p[0] | p[1] << 8 | p[2] << 16 | (u32)p[3] << 24; }

static const u8 chacha_vector[64] = {
	0x10, 0xf1, 0xe7, 0xe4, 0xd1, 0x3b, 0x59, 0x15, 0x50, 0x0f, 0xdd, 0x1f, 0xa3, 0x20, 0x71, 0xc4,
	0xc7, 0xd1, 0xf4, 0xc7, 0x33, 0xc0, 0x68, 0x03, 0x04, 0x22, 0xaa, 0x9a, 0xc3, 0xd4, 0x6c, 0x4e,
	0xd2, 0x82, 0x64, 0x46, 0x07, 0x9f, 0xaa, 0x09, 0x14, 0xc2, 0xd7, 0x05, 0xd9, 0x8b, 0x02, 0xa2,
	0xb5, 0x12, 0x9c, 0xd1, 0xde, 0x16, 0x4e, 0xb9, 0xcb, 0xd0, 0x83, 0xe8, 0xa2, 0x50, 0x3c, 0x4e,
};
static const u8 salsa_vector[64] = {
	0xe3, 0xbe, 0x8f, 0xdd, 0x8b, 0xec, 0xa2, 0xe3, 0xea, 0x8e, 0xf9, 0x47, 0x5b, 0x29, 0xa6, 0xe7,
	0x00, 0x39, 0x51, 0xe1, 0x09, 0x7a, 0x5c, 0x38, 0xd2, 0x3b, 0x7a, 0x5f, 0xad, 0x9f, 0x68, 0x44,
	0xb2, 0x2c, 0x97, 0x55, 0x9e, 0x27, 0x23, 0xc7, 0xcb, 0xbd, 0x3f, 0xe4, 0xfc, 0x8d, 0x9a, 0x07,
	0x44, 0x65, 0x2a, 0x83, 0xe7, 0x2a, 0x9c, 0x46, 0x18, 0x76, 0xaf, 0x4d, 0x7e, 0xf1, 0xa1, 0x17,
};

static void vector_state(u32 s[16], int salsa) {
	static const char sigma[] = "expand 32-byte k";
	u8 key[32], nonce[16];
	memset(key, 0, sizeof key);
	memset(nonce, 0, sizeof nonce);
	if (salsa) {
		key[0] = 0x80;
		for (int i = 0; i < 4; i++) s[5 * i] = word((const u8 *)sigma + 4 * i);
		for (int i = 0; i < 4; i++) s[1 + i] = word(key + 4 * i), s[6 + i] = word(nonce + 4 * i), s[11 + i] = word(key + 16 + 4 * i);
		return;
	}
	for (int i = 0; i < 32; i++) key[i] = i;
	nonce[0] = 1; nonce[7] = 9; nonce[11] = 0x4a;
	for (int i = 0; i < 4; i++) s[i] = word((const u8 *)sigma + 4 * i), s[12 + i] = word(nonce + 4 * i);
	for (int i = 0; i < 8; i++) s[4 + i] = word(key + 4 * i);
}

// stream_vector is the first block of keystream for vector_state, with 20 rounds.
static const u8 *stream_vector(int salsa) { return salsa ? salsa_vector : chacha_vector; }
