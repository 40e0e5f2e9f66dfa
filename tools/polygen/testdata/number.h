// Arithmetic modulo 2^130-5 in ten limbs of 13 bits, all of it in 32 bits, and Poly1305
// from its definition (D. J. Bernstein, 2005; RFC 8439 section 2.5).
typedef struct { u32 limb[10]; } number;

// carried brings limbs below 13 bits; what is above 2^130 comes back five times.
static number carried(number x) {
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

static number add(number a, number b) {
	for (int i = 0; i < 10; i++) a.limb[i] += b.limb[i];
	return carried(a);
}

// multiplied returns a * b; a sum of ten products, most of them five times, is below
// 2^32.
static number multiplied(number a, number b) {
	number x = {{0}};
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < 10; j++) x.limb[(i + j) % 10] += (i + j < 10 ? 1 : 5) * a.limb[i] * b.limb[j];
	return carried(x);
}

// canonical returns the least representative.
static number canonical(number x) {
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

static int equal(number a, number b) {
	a = canonical(a), b = canonical(b);
	for (int i = 0; i < 10; i++)
		if (a.limb[i] != b.limb[i]) return 0;
	return 1;
}

// from_bits returns the number of n < 2^32 at bit position at.
static number from_bits(u32 n, int at) {
	number x = {{0}};
	int i = at / 13, shift = at % 13;
	u64 v = (u64)n << shift;
	for (; v; v >>= 13, i++) x.limb[i % 10] += (i < 10 ? 1 : 5) * (u32)(v & 8191);
	return carried(x);
}

// block_of returns the number of n bytes with 2^8n added.
static number block_of(const u8 *p, int n) {
	number x = from_bits(1, 8 * n);
	for (int i = 0; i < n; i++) x = add(x, from_bits(p[i], 8 * i));
	return x;
}

// from_limbs64 returns the number of 64-bit limbs.
static number from_limbs64(const u64 *p, int n) {
	number x = {{0}};
	for (int i = 0; i < n; i++) x = add(x, add(from_bits((u32)p[i], 64 * i), from_bits(p[i] >> 32, 64 * i + 32)));
	return x;
}

// from_limbs26 returns the number of five limbs in base 2^26, of which every step-th
// word has one.
static number from_limbs26(const u32 *p, int step) {
	number x = {{0}};
	for (int i = 0; i < 5; i++) x = add(x, from_bits(p[i * step], 26 * i));
	return x;
}

// absorb returns h after n blocks.
static number absorb(number h, number r, const u8 *msg, size_t n) {
	for (; n; n--, msg += 16) h = multiplied(add(h, block_of(msg, 16)), r);
	return h;
}

// to_limbs64 writes h < 2^130, to_limbs26 too.
static void to_limbs64(u64 out[3], number x) {
	x = canonical(x);
	out[0] = out[1] = out[2] = 0;
	for (int i = 0; i < 10; i++) {
		int at = 13 * i;
		out[at / 64] |= (u64)x.limb[i] << at % 64;
		if (at % 64 > 51) out[at / 64 + 1] |= x.limb[i] >> (64 - at % 64);
	}
}

static void to_limbs26(u32 out[5], number x) {
	x = canonical(x);
	for (int i = 0; i < 5; i++) out[i] = x.limb[2 * i] | x.limb[2 * i + 1] << 13;
}
