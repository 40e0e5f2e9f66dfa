// Arithmetic modulo 2^130-5 in ten limbs of 13 bits, all of it in 32 bits, and Poly1305
// from its definition (D. J. Bernstein, 2005; RFC 8439 section 2.5).
typedef struct { u32 limb[10]; } number;

// carried brings limbs below 13 bits; what is above 2^130 comes back five times.
static inline number carried(number x) {
	u32 c;
	do {
		c = 0;
		for (int i = 0; i < 10; i++) {
			c += x.limb[i];
			x.limb[i] = c & 8191;
			c >>= 13;
		}
		x.limb[0] += 5 * c;
	} while (c || x.limb[0] > 8191);
	return x;
}

static inline number add(number a, number b) {
	for (int i = 0; i < 10; i++) a.limb[i] += b.limb[i];
	return carried(a);
}

// multiplied returns a * b; a sum of ten products, most of them five times, is below
// 2^32.
static inline number multiplied(number a, number b) {
	number x = {{0}};
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < 10; j++) x.limb[(i + j) % 10] += (i + j < 10 ? 1 : 5) * a.limb[i] * b.limb[j];
	return carried(x);
}

// canonical returns the least representative.
static inline number canonical(number x) {
	number y = x;
	y.limb[0] += 5;
	for (int i = 0; i < 9; i++) {
		y.limb[i + 1] += y.limb[i] >> 13;
		y.limb[i] &= 8191;
	}
	if (y.limb[9] >> 13 == 0) return x;
	y.limb[9] &= 8191;
	return y;
}

static inline int equal(number a, number b) {
	a = canonical(a), b = canonical(b);
	for (int i = 0; i < 10; i++)
		if (a.limb[i] != b.limb[i]) return 0;
	return 1;
}

// from_bits returns the number of n < 2^32 at bit position at.
static inline number from_bits(u32 n, int at) {
	number x = {{0}};
	int i = at / 13, shift = at % 13;
	u64 v = (u64)n << shift;
	for (; v; v >>= 13, i++) x.limb[i % 10] += (i < 10 ? 1 : 5) * (u32)(v & 8191);
	return carried(x);
}

// block_of returns the number of n bytes with 2^8n added.
static inline number block_of(const u8 *p, int n) {
	number x = from_bits(1, 8 * n);
	for (int i = 0; i < n; i++) x = add(x, from_bits(p[i], 8 * i));
	return x;
}

// from_limbs64 returns the number of 64-bit limbs.
static inline number from_limbs64(const u64 *p, int n) {
	number x = {{0}};
	for (int i = 0; i < n; i++) x = add(x, add(from_bits((u32)p[i], 64 * i), from_bits(p[i] >> 32, 64 * i + 32)));
	return x;
}

// from_limbs26 returns the number of five limbs in base 2^26, of which every step-th
// word has one.
static inline number from_limbs26(const u32 *p, int step) {
	number x = {{0}};
	for (int i = 0; i < 5; i++) x = add(x, from_bits(p[i * step], 26 * i));
	return x;
}

// absorb returns h after n blocks.
static inline number absorb(number h, number r, const u8 *msg, size_t n) {
	for (; n; n--, msg += 16) h = multiplied(add(h, block_of(msg, 16)), r);
	return h;
}

// to_limbs64 writes h < 2^130, to_limbs26 too.
static inline void to_limbs64(u64 out[3], number x) {
	x = canonical(x);
	out[0] = out[1] = out[2] = 0;
	for (int i = 0; i < 10; i++) {
		int at = 13 * i;
		out[at / 64] |= (u64)x.limb[i] << at % 64;
		if (at % 64 > 51) out[at / 64 + 1] |= x.limb[i] >> (64 - at % 64);
	}
}

static inline void to_limbs26(u32 out[5], number x) {
	x = canonical(x);
	for (int i = 0; i < 5; i++) out[i] = x.limb[2 * i] | x.limb[2 * i + 1] << 13;
}

static u64 seed;

// random_word is a xorshift* generator (S. Vigna, 2016).
static inline u32 random_word(void) {
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * 0x2545f4914f6cdd1dull >> 32;
}

static inline u64 random_limb64(void) { return (u64)random_word() << 32 | random_word(); }

static inline void random_h(u64 h[3]) {
	static const u64 extremes[][3] = {
		{0, 0, 0}, {1, 0, 0}, {-1, -1, 0}, {-5, -1, 3}, {-1, -1, 3}, {0, 0, 4}, {-1, -1, 7},
	};
	u32 i = random_word() % 14;
	for (int j = 0; j < 3; j++) h[j] = i < 7 ? extremes[i][j] : random_limb64();
	h[2] &= 7;
}

static inline void random_r(u64 r[2]) {
	u32 i = random_word() % 8;
	r[0] = (i == 0 ? -1 : i == 1 ? 0 : random_limb64()) & 0x0ffffffc0fffffffull;
	r[1] = (i == 0 ? -1 : i == 2 ? 0 : random_limb64()) & 0x0ffffffc0ffffffcull;
}

// check_h compares a returned accumulator.
static inline int check_h(const char *kernel, const u64 h[3], number expected, u32 n) {
	digest_words((u32[]){h[0], h[0] >> 32, h[1], h[1] >> 32, h[2], h[2] >> 32}, 6);
	if (h[2] > 7) return fail(kernel, "accumulator too large, blocks", n, h[2]);
	if (!equal(from_limbs64(h, 3), expected)) return fail(kernel, "accumulator, blocks", n, 0);
	return 0;
}
