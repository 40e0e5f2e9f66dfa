// Runs the routines that polygen writes as GNU assembly, without a C library, in either
// byte order: every number of blocks up to 1100 bytes, messages of ones, zeros and
// random bytes at all offsets, accumulators and limbs random and at the limits that the
// routines accept, results compared with the arithmetic of poly1305.h, and with published
// vectors of Poly1305.
#include "freestanding.h"
#include "stream.h"
#include "poly1305.h"

// What a routine takes; arguments as in the Go declarations.
enum kind { ABSORB, ABSORB_TWO, MULTIPLY, POWERS, PAIRS, END, HYBRID, STREAM, FUSED };

typedef void absorb_func(u64 h[3], const u64 r[2], const u8 *msg, size_t n);
typedef void absorb_two_func(u64 h[2][3], const u64 r[2], const u8 *msg0, const u8 *msg1, size_t n);
typedef void multiply_func(u32 x[10], const u32 y[10]);
typedef void powers_func(u32 *table, const u64 r[2], size_t n);
typedef void pairs_func(u64 h[3], const u32 *table, const u8 *msg, size_t n, size_t width);
typedef void end_func(u64 h[3], const u32 lanes[10], const u32 *table, const u8 *msg, size_t n);
typedef void hybrid_func(u32 lanes[10], const u32 *table, const u8 *msg, size_t n, u64 h[3], const u64 r[2], const u8 *tail);
typedef void stream_func(u8 *dst, const u8 *src, size_t n, const u32 state[16]);
typedef void fused_func(u8 *dst, const u8 *src, size_t n, const u32 state[16], u64 h[3], const u64 r[2], const u8 *mac);

struct routine {
	const char *name;
	enum kind kind;
	int blocks; // an iteration, of HYBRID, STREAM and FUSED
	void *f;
};

struct vector {
	const u8 *key, *msg, *tag;
	size_t len;
};

// The tables of routines and vectors: kernels.h.
#include "kernels.h"

// AHEAD is the number of blocks that HYBRID takes beside two an iteration. PAIRS have
// WIDTHS - FIRST loops, of pairs_of[width] pairs an iteration.
#ifdef __arm__
enum { AHEAD = 0, FIRST = 0, WIDTHS = 4 };
#else
enum { AHEAD = 1, FIRST = 1, WIDTHS = 3 };
#endif
static const u32 pairs_of[] = {1, 2, 4, 4};

// A table has entries of r^8, r^6, r^4 and r^2, and r^2 and r side by side.
enum { ENTRY = 9, SQUARE = 27, PAIR = 36, TABLE = 54 };

enum {
	MAX_LIMB = 1 << 27,             // that is accepted of an accumulator
	MAX_OUT = (1 << 26) + (1 << 9), // of powers, and that is returned
	MAX_BLOCKS = 69,
	GUARD = 64,
};

// random_limb returns a limb up to the limit, often at it or at another edge.
static u32 random_limb(u32 limit) {
	u32 edges[] = {limit, limit - 1, (1 << 26) - 1, 1 << 26, 0, 1};
	u32 i = random_word() % 12;
	return i < 6 ? (edges[i] < limit ? edges[i] : limit) : random_word() % (limit + 1);
}

static u8 in[16384 + 2 * GUARD] __attribute__((aligned(64))), out[sizeof in] __attribute__((aligned(64))), want[sizeof in];

// random_message returns n bytes: ones, zeros or random, at any offset.
static u8 *random_message(u8 *buffer, size_t n) {
	u8 *msg = buffer + random_word() % 16;
	u32 fill = random_word() % 4;
	for (size_t i = 0; i < n; i++) msg[i] = fill == 0 ? 0xff : fill == 1 ? 0 : random_word();
	return msg;
}

static int check_absorb(const struct routine *k) {
	absorb_func *f = (absorb_func *)k->f;
	for (u32 n = 1; n < MAX_BLOCKS; n++)
		for (int round = 0; round < 12; round++) {
			u64 h[3], r[2];
			random_h(h), random_r(r);
			const u8 *msg = random_message(in, 16 * n);
			number expected = absorb(from_limbs64(h, 3), from_limbs64(r, 2), msg, n);
			f(h, r, msg, n);
			if (check_h(k->name, h, expected, n)) return 1;
		}
	return 0;
}

static int check_absorb_two(const struct routine *k) {
	absorb_two_func *f = (absorb_two_func *)k->f;
	for (u32 n = 1; n < MAX_BLOCKS; n++)
		for (int round = 0; round < 12; round++) {
			u64 h[2][3], r[2];
			number expected[2];
			random_r(r);
			const u8 *msg[2] = {random_message(in, 16 * n), random_message(out, 16 * n)};
			for (int i = 0; i < 2; i++) {
				random_h(h[i]);
				expected[i] = absorb(from_limbs64(h[i], 3), from_limbs64(r, 2), msg[i], n);
			}
			f(h, r, msg[0], msg[1], n);
			if (check_h(k->name, h[0], expected[0], n) || check_h(k->name, h[1], expected[1], n)) return 1;
		}
	return 0;
}

// check_lanes compares returned lanes, behind which nothing may have been written.
static int check_lanes(const struct routine *k, const u32 lanes[11], const number expected[2], u32 n) {
	digest_words(lanes, 10);
	if (lanes[10] != 0xa5a5a5a5) return fail(k->name, "write behind the lanes, iterations", n, lanes[10]);
	for (int i = 0; i < 10; i++)
		if (lanes[i] > MAX_OUT || (i < 8 && lanes[i] >> 26)) return fail(k->name, "limb too large, iterations", n, i);
	for (int lane = 0; lane < 2; lane++)
		if (!equal(from_limbs26(lanes + lane, 2), expected[lane])) return fail(k->name, "lane, iterations", n, lane);
	return 0;
}

static void random_lanes(u32 lanes[11], u32 limit) {
	for (int i = 0; i < 10; i++) lanes[i] = random_limb(limit);
	lanes[10] = 0xa5a5a5a5;
}

static int check_multiply(const struct routine *k) {
	multiply_func *f = (multiply_func *)k->f;
	for (int round = 0; round < 2000; round++) {
		u32 x[11], y[11];
		random_lanes(x, MAX_LIMB), random_lanes(y, MAX_LIMB);
		number expected[2];
		for (int lane = 0; lane < 2; lane++) expected[lane] = multiplied(from_limbs26(x + lane, 2), from_limbs26(y + lane, 2));
		f(x, y);
		if (check_lanes(k, x, expected, 1)) return 1;
	}
	return 0;
}

// put_power writes an entry of a table: five limbs, and five times all but the first.
static void put_power(u32 *entry, int step, const u32 limbs[5]) {
	for (int i = 0; i < 5; i++) entry[step * i] = limbs[i];
	for (int i = 1; i < 5; i++) entry[step * (4 + i)] = 5 * limbs[i];
}

// A power_table is a table and the numbers in it.
struct power_table {
	u32 words[TABLE];
	number powers[4], pair[2];
};

static void random_table(struct power_table *t) {
	u32 limbs[5];
	for (int i = 0; i < 4; i++) {
		for (int j = 0; j < 5; j++) limbs[j] = random_limb(MAX_OUT);
		t->powers[i] = from_limbs26(limbs, 1);
		put_power(t->words + ENTRY * i, 1, limbs);
	}
	for (int i = 0; i < 2; i++) {
		for (int j = 0; j < 5; j++) limbs[j] = random_limb(MAX_OUT);
		t->pair[i] = from_limbs26(limbs, 1);
		put_power(t->words + PAIR + i, 2, limbs);
	}
}

// check_powers compares a table with powers of r: its numbers, and that five times a
// limb is that. What n does not ask for must not be written.
static int check_powers(const struct routine *k) {
	for (int round = 0; round < 300; round++) {
		u32 n = round % 3 == 0 ? 4 : round % 3 == 1 ? 2 : FIRST == 0 ? 1 : 2;
		u64 r[2];
		random_r(r);
		u32 table[TABLE + 1];
		memset(table, 0xa5, sizeof table);
		((powers_func *)k->f)(table, r, n);
		digest_words(table, TABLE);
		number x = from_limbs64(r, 2), square = multiplied(x, x), power = from_bits(1, 0);
		for (u32 i = 0; i < 4; i++) {
			const u32 *entry = table + SQUARE - ENTRY * i;
			power = multiplied(power, square);
			if (i >= n) {
				for (int j = 0; j < ENTRY; j++)
					if (entry[j] != 0xa5a5a5a5) return fail(k->name, "wrote a power, of", i, n);
				continue;
			}
			if (!equal(from_limbs26(entry, 1), power)) return fail(k->name, "power, of", i, n);
			for (int j = 0; j < 5; j++)
				if (entry[j] > MAX_OUT || (j > 0 && entry[4 + j] != 5 * entry[j])) return fail(k->name, "limb of power", j, i);
		}
		for (int j = 0; j < 5; j++) {
			const u32 *pair = table + PAIR;
			if (pair[2 * j] != table[SQUARE + j]) return fail(k->name, "limb of the pair's square", j, 0);
			for (int i = 0; i < 2; i++)
				if (j > 0 && pair[2 * (4 + j) + i] != 5 * pair[2 * j + i]) return fail(k->name, "limb of the pair", j, i);
		}
		if (!equal(from_limbs26(table + PAIR + 1, 2), x)) return fail(k->name, "the pair's r", n, 0);
		if (table[TABLE] != 0xa5a5a5a5) return fail(k->name, "write behind the table", n, 0);
	}
	return 0;
}

// absorb_lanes absorbs n pairs into lanes by the last powers of a table, given their
// number, of which n is a multiple.
static void absorb_lanes(number h[2], const struct power_table *t, u32 powers, const u8 *msg, u32 n) {
	for (; n; n -= powers, msg += 32 * powers)
		for (int lane = 0; lane < 2; lane++) {
			number sum = {{0}};
			for (u32 i = 0; i < powers; i++) {
				number b = block_of(msg + 32 * i + 16 * lane, 16);
				sum = add(sum, multiplied(i == 0 ? add(b, h[lane]) : b, t->powers[4 - powers + i]));
			}
			h[lane] = sum;
		}
}

// end_lanes returns what END makes of lanes and n pairs.
static number end_lanes(number h[2], const struct power_table *t, const u8 *msg, u32 n) {
	absorb_lanes(h, t, 1, msg, n - 1);
	msg += 32 * (n - 1);
	number x = multiplied(add(h[0], block_of(msg, 16)), t->pair[0]);
	return add(x, multiplied(add(h[1], block_of(msg + 16, 16)), t->pair[1]));
}

static int check_pairs(const struct routine *k) {
	for (u32 n = 1; n <= MAX_BLOCKS / 2; n++)
		for (int round = 0; round < 20; round++) {
			u32 width = FIRST + random_word() % (WIDTHS - FIRST), powers = pairs_of[width];
			struct power_table t;
			random_table(&t);
			u64 h[3];
			random_h(h);
			number lanes[2] = {from_limbs64(h, 3), from_bits(0, 0)};
			const u8 *msg = random_message(in, 32 * n);
			u32 looped = (n - 1) / powers * powers;
			absorb_lanes(lanes, &t, powers, msg, looped);
			number expected = end_lanes(lanes, &t, msg + 32 * looped, n - looped);
			((pairs_func *)k->f)(h, t.words, msg, n, width);
			if (check_h(k->name, h, expected, 2 * n)) return 1;
		}
	return 0;
}

static int check_end(const struct routine *k) {
	for (u32 n = 1; n <= 5; n++)
		for (int round = 0; round < 100; round++) {
			struct power_table t;
			random_table(&t);
			u32 lanes[11];
			random_lanes(lanes, MAX_LIMB);
			number start[2] = {from_limbs26(lanes, 2), from_limbs26(lanes + 1, 2)};
			const u8 *msg = random_message(in, 32 * n);
			number expected = end_lanes(start, &t, msg, n);
			u64 h[3] = {0, 0, 0};
			((end_func *)k->f)(h, lanes, t.words + SQUARE, msg, n);
			if (check_h(k->name, h, expected, 2 * n)) return 1;
		}
	return 0;
}

static int check_hybrid(const struct routine *k) {
	for (u32 n = 1; n <= MAX_BLOCKS / (u32)k->blocks; n++)
		for (int round = 0; round < 60; round++) {
			struct power_table t;
			random_table(&t);
			u32 lanes[11];
			random_lanes(lanes, MAX_LIMB);
			number expected[2] = {from_limbs26(lanes, 2), from_limbs26(lanes + 1, 2)};
			const u8 *msg = random_message(in, 16 * k->blocks * n);
			absorb_lanes(expected, &t, 4, msg, 4 * n);
			u64 h[3], r[2];
			random_h(h), random_r(r);
			size_t beside = 2 * n + AHEAD;
			const u8 *tail = random_message(out, 16 * beside);
			number scalar = absorb(from_limbs64(h, 3), from_limbs64(r, 2), tail, beside);
			((hybrid_func *)k->f)(lanes, t.words, msg, n, h, r, tail);
			if (check_h(k->name, h, scalar, n) || check_lanes(k, lanes, expected, n)) return 1;
		}
	return 0;
}

// A placement says where source, destination and the bytes of the MAC are.
enum placement { APART, IN_PLACE, OTHER_MAC, PLACEMENTS };

static int check_step(const struct routine *k, size_t n, const u32 s[16], enum placement place) {
	static u8 other[sizeof in];
	size_t len = 64 * k->blocks * n;
	u64 h[3], r[2];
	random_h(h), random_r(r);
	memset(out, 0xa5, sizeof out);
	const u8 *src = random_message(in, len), *mac = src;
	u8 *dst = out + GUARD + random_word() % 16;
	reference(want, src, len, s, 0, 20);
	if (place == IN_PLACE) {
		memcpy(dst, src, len);
		mac = src = dst;
	} else if (place == OTHER_MAC) {
		mac = random_message(other, len);
	}
	number expected = absorb(from_limbs64(h, 3), from_limbs64(r, 2), mac, len / 16);
	u32 before[16];
	for (int i = 0; i < 16; i++) before[i] = s[i];
	if (k->kind == STREAM)
		((stream_func *)k->f)(dst, src, n, s);
	else
		((fused_func *)k->f)(dst, src, n, s, h, r, mac);
	digest_bytes(dst, len);
	for (int i = 0; i < 16; i++)
		if (before[i] != s[i]) return fail(k->name, "state changed, word", i, 0);
	for (size_t i = 0; i < len; i++)
		if (dst[i] != want[i]) return fail(k->name, "steps, byte", n, i);
	for (u8 *p = out; p < out + sizeof out; p++)
		if ((p < dst || p >= dst + len) && *p != 0xa5) return fail(k->name, "write outside dst, steps", n, p - out);
	return k->kind == FUSED && check_h(k->name, h, expected, len / 16);
}

static int check_steps(const struct routine *k) {
	u32 s[16];
	for (size_t n = 1; n <= 4; n++)
		for (u32 wrap = 0; wrap <= (u32)k->blocks; wrap++)
			for (enum placement place = APART; place < PLACEMENTS; place++) {
				for (int i = 0; i < 16; i++) s[i] = random_word();
				s[12] = -wrap;
				s[13] = wrap & 1 ? -1 : 5;
				if (check_step(k, n, s, place)) return 1;
			}
	return 0;
}

// check_keystream compares a published block of keystream.
static int check_keystream(const struct routine *k) {
	u32 s[16];
	u64 h[3] = {0, 0, 0}, r[2] = {0, 0};
	vector_state(s, 0);
	memset(in, 0, sizeof in);
	if (k->kind == STREAM)
		((stream_func *)k->f)(out, in, 1, s);
	else
		((fused_func *)k->f)(out, in, 1, s, h, r, in);
	for (int i = 0; i < 64; i++)
		if (out[i] != stream_vector(0)[i]) return fail(k->name, "published keystream, byte", i, 0);
	return 0;
}

static number power(number r, u32 n) {
	number x = from_bits(1, 0);
	for (; n; n--) x = multiplied(x, r);
	return x;
}

// powers_of writes the table of r.
static void powers_of(u32 table[TABLE], number r) {
	u32 limbs[5];
	for (int i = 0; i < 4; i++) {
		to_limbs26(limbs, power(r, 8 - 2 * i));
		put_power(table + ENTRY * i, 1, limbs);
	}
	to_limbs26(limbs, power(r, 2));
	put_power(table + PAIR, 2, limbs);
	to_limbs26(limbs, r);
	put_power(table + PAIR + 1, 2, limbs);
}

// absorb_pairs absorbs n blocks by PAIRS, an odd one at the end by definition.
static number absorb_pairs(const struct routine *k, size_t width, number r, const u8 *msg, u32 n) {
	u32 table[TABLE];
	u64 h[3] = {0, 0, 0};
	powers_of(table, r);
	if (n > 1) ((pairs_func *)k->f)(h, table, msg, n / 2, width);
	return absorb(from_limbs64(h, 3), r, msg + 16 * (n / 2 * 2), n % 2);
}

// absorb_hybrid absorbs n blocks by HYBRID as far as they fill iterations, with two more
// that join the lanes, and the rest by definition.
static number absorb_hybrid(const struct routine *k, number r, const u64 limbs[2], const u8 *msg, u32 n) {
	u32 times = n < 2 + AHEAD ? 0 : (n - 2 - AHEAD) / (k->blocks + 2);
	if (times == 0) return absorb(from_bits(0, 0), r, msg, n);
	u32 lanes[11] = {0}, table[TABLE];
	u64 h[3] = {0, 0, 0};
	u32 first = times * k->blocks, second = 2 * times + AHEAD;
	const u8 *end = msg + 16 * first, *tail = end + 32, *rest = tail + 16 * second;
	powers_of(table, r);
	((hybrid_func *)k->f)(lanes, table, msg, times, h, limbs, tail);
	number x = absorb(from_limbs26(lanes, 2), r, end, 1);
	x = absorb(add(x, from_limbs26(lanes + 1, 2)), r, end + 16, 1);
	x = add(multiplied(x, power(r, second)), from_limbs64(h, 3));
	return absorb(x, r, rest, n - first - 2 - second);
}

// absorb_by absorbs n blocks by the routine, of PAIRS by a width.
static number absorb_by(const struct routine *k, size_t width, number r, const u64 limbs[2], const u8 *msg, u32 n) {
	u64 h[2][3] = {{0}};
	u32 step = 4 * k->blocks;
	switch (k->kind) {
	case ABSORB:
		if (n > 0) ((absorb_func *)k->f)(h[0], limbs, msg, n);
		return from_limbs64(h[0], 3);
	case ABSORB_TWO: // one half each
		if (n > 1) ((absorb_two_func *)k->f)(h, limbs, msg, msg + 16 * (n / 2), n / 2);
		number x = add(multiplied(from_limbs64(h[0], 3), power(r, n / 2)), from_limbs64(h[1], 3));
		return absorb(x, r, msg + 16 * (n / 2 * 2), n % 2);
	case FUSED:
		if (n >= step) ((fused_func *)k->f)(out, in, n / step, (u32[16]){0}, h[0], limbs, msg);
		return absorb(from_limbs64(h[0], 3), r, msg + 16 * (n / step * step), n % step);
	case PAIRS:
		return absorb_pairs(k, width, r, msg, n);
	default:
		return absorb_hybrid(k, r, limbs, msg, n);
	}
}

static u64 limb64(const u8 *p) { return word(p) | (u64)word(p + 4) << 32; }

static int check_vectors(const struct routine *k, size_t width) {
	for (const struct vector *v = vectors; v->key; v++) {
		u64 limbs[2] = {limb64(v->key) & 0x0ffffffc0fffffffull, limb64(v->key + 8) & 0x0ffffffc0ffffffcull};
		number r = from_limbs64(limbs, 2);
		number h = absorb_by(k, width, r, limbs, v->msg, v->len / 16);
		u32 rest = v->len % 16;
		if (rest) h = multiplied(add(h, block_of(v->msg + v->len - rest, rest)), r);
		u64 x[3], tag[2], s = limb64(v->key + 16);
		to_limbs64(x, h);
		tag[0] = x[0] + s;
		tag[1] = x[1] + limb64(v->key + 24) + (tag[0] < s);
		if (tag[0] != limb64(v->tag) || tag[1] != limb64(v->tag + 8)) return fail(k->name, "published tag, vector", v - vectors, 0);
	}
	return 0;
}

static int check(const struct routine *k) {
	seed = 0x9e3779b97f4a7c15ull;
	switch (k->kind) {
	case ABSORB:
		return check_vectors(k, 0) || check_absorb(k);
	case ABSORB_TWO:
		return check_vectors(k, 0) || check_absorb_two(k);
	case MULTIPLY:
		return check_multiply(k);
	case POWERS:
		return check_powers(k);
	case PAIRS:
		for (size_t width = FIRST; width < WIDTHS; width++)
			if (check_vectors(k, width)) return 1;
		return check_pairs(k);
	case END:
		return check_end(k);
	case HYBRID:
		return check_vectors(k, 0) || check_hybrid(k);
	case STREAM:
		return check_keystream(k) || check_steps(k);
	case FUSED:
		return check_vectors(k, 0) || check_keystream(k) || check_steps(k);
	}
	return fail(k->name, "no check of kind", k->kind, 0);
}

static int check_all(void) {
	int bad = 0;
	for (const struct routine *k = routines; k->name; k++) bad |= report(k->name, check(k));
	return bad;
}
