// Runs the kernels that neongen writes as GNU assembly, without a C library, in either
// byte order.
//
// Lengths are whole steps from 1 to 4, offsets of both buffers from 0 to 15, rounds 8,
// 12 and 20, counters around both wraps, results compared with the scalar routines of
// stream.h and poly1305.h and with published vectors. The MAC of fused kernels is over
// the source, in place too, or over other bytes.
#include "freestanding.h"
#include "stream.h"
#include "poly1305.h"

typedef void stream_func(u8 *dst, const u8 *src, size_t len, const u32 state[16], size_t rounds);

typedef void fused_func(u8 *dst, const u8 *src, size_t len, const u32 state[16], u64 h[3], const u64 r[2], const u8 *mac);

// A kernel is one of the two.
struct kernel {
	const char *name;
	stream_func *stream;
	fused_func *fused; // with 20 rounds
	int salsa;
	int blocks;
};

#include "kernels.h"

enum { MAX = 64 * 12 * 4 };
static u8 in[MAX + 64] __attribute__((aligned(64))), out[MAX + 64] __attribute__((aligned(64))), want[MAX];

static int check_vector(const struct kernel *k) {
	u32 s[16];
	vector_state(s, k->salsa);
	memset(in, 0, sizeof in);
	u64 h[3] = {0, 0, 0}, r[2] = {0, 0};
	if (k->fused)
		k->fused(out, in, 64 * k->blocks, s, h, r, in);
	else
		k->stream(out, in, 64 * k->blocks, s, 20);
	for (int i = 0; i < 64; i++)
		if (out[i] != stream_vector(k->salsa)[i]) return fail(k->name, "published vector, byte", i, 0);
	return 0;
}

static int check_one(const struct kernel *k, u32 s[16], size_t len, int from, int to, int rounds) {
	for (size_t i = 0; i < sizeof in; i++) in[i] = i * 167 + (i >> 8);
	memset(out, 0xa5, len + 64);
	u32 before[16];
	for (int i = 0; i < 16; i++) before[i] = s[i];
	reference(want, in + from, len, s, k->salsa, rounds);
	if (from == to) memcpy(out + to, in + from, len);
	const u8 *src = from == to ? out + to : in + from;
	u64 h[3], r[2];
	random_h(h), random_r(r);
	const u8 *mac = from % 3 == 1 ? in + from / 3 : src;
	number expected = absorb(from_limbs64(h, 3), from_limbs64(r, 2), mac, k->fused ? len / 16 : 0);
	if (k->fused)
		k->fused(out + to, src, len, s, h, r, mac);
	else
		k->stream(out + to, src, len, s, rounds);
	digest_bytes(out + to, len);
	for (int i = 0; i < 16; i++)
		if (before[i] != s[i]) return fail(k->name, "state changed, word", i, 0);
	for (size_t i = 0; i < len; i++)
		if (out[to + i] != want[i]) return fail(k->name, "rounds, byte", rounds, i);
	for (int i = 0; i < to; i++)
		if (out[i] != 0xa5) return fail(k->name, "write before dst", i, 0);
	for (size_t i = to + len; i < len + 64; i++)
		if (out[i] != 0xa5) return fail(k->name, "write after dst", i - to - len, 0);
	return k->fused && check_h(k->name, h, expected, len / 16);
}

static int check(const struct kernel *k) {
	u32 s[16];
	int bad = check_vector(k), c = k->salsa ? 8 : 12;
	for (int i = 0; i < 16; i++) s[i] = 0x9e3779b9u * (i + 1);
	seed = 0x9e3779b97f4a7c15ull;
	int least = k->fused ? 20 : 8;
	for (int rounds = least; rounds <= 20; rounds += rounds == 8 ? 4 : 8)
		for (int steps = 1; steps <= 4; steps++)
			for (u32 wrap = 0; wrap <= (u32)k->blocks; wrap++) {
				s[c] = -wrap;
				s[c + 1] = wrap & 1 ? -1 : 5;
				size_t len = 64 * k->blocks * steps;
				bad |= check_one(k, s, len, 0, 0, rounds);
				if (rounds == least && steps == 1)
					for (int o = 0; o < 16; o++) bad |= check_one(k, s, len, o, 15 - o, rounds) | check_one(k, s, len, o, o ^ 4, rounds);
				if (bad) return bad;
			}
	return bad;
}

static int check_all(void) {
	int bad = 0;
	for (const struct kernel *k = kernels; k->name; k++) bad |= report(k->name, check(k));
	return bad;
}
