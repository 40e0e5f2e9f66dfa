// Runs the kernels that neongen writes as GNU assembly, without a C library,
// in either byte order.
//
//   harness                     check every kernel; 0 if all are right
//   harness NAME BYTES COUNT    run one kernel, for counters and models
//
// Lengths are whole steps from 1 to 4, offsets of both buffers from 0 to 15,
// rounds 8, 12 and 20, counters around both wraps, results compared with the
// scalar routines below, which are themselves checked against published
// vectors (RFC 8439 section 2.3.2; eSTREAM Salsa20 256-bit set 1 vector 0).
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef void kernel_func(u8 *dst, const u8 *src, size_t len, const u32 state[16], size_t rounds);

struct kernel {
	const char *name;
	kernel_func *f;
	int salsa;
	int blocks;
	int offset; // of the buffers in checks; 1 where aligned words would be in the wrong order
};

// Kernels that move aligned words are right on little-endian machines only;
// unaligned they move bytes.
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define WORD_OFFSET 1
#else
#define WORD_OFFSET 0
#endif

#include "kernels.h"

static long syscall3(long n, long a, long b, long c) {
#ifdef __arm__
	register long r7 __asm__("r7") = n, r0 __asm__("r0") = a, r1 __asm__("r1") = b, r2 __asm__("r2") = c;
	__asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
	return r0;
#else
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
	__asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
	return x0;
#endif
}

#ifdef __arm__
enum { SYS_write = 4, SYS_exit = 1 };
#else
enum { SYS_write = 64, SYS_exit = 93 };
#endif

void *memset(void *p, int c, size_t n) {
	for (u8 *b = p; n; n--) *b++ = c;
	return p;
}

void *memcpy(void *p, const void *q, size_t n) {
	const u8 *s = q;
	for (u8 *b = p; n; n--) *b++ = *s++;
	return p;
}

static size_t length(const char *s) {
	size_t n = 0;
	while (s[n]) n++;
	return n;
}

static void print(const char *s) { syscall3(SYS_write, 1, (long)s, length(s)); }

static void print_number(u32 n) {
	char b[11], *p = b + 10;
	*p = 0;
	do *--p = '0' + n % 10; while (n /= 10);
	print(p);
}

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

enum { MAX = 64 * 12 * 4 };
static u8 in[65536 + 64] __attribute__((aligned(64))), out[65536 + 64] __attribute__((aligned(64))), want[MAX];

static int fail(const struct kernel *k, const char *what, u32 a, u32 b) {
	print(k->name);
	print(": ");
	print(what);
	print(" ");
	print_number(a);
	print(" ");
	print_number(b);
	print("\n");
	return 1;
}

static int check_vector(const struct kernel *k) {
	u32 s[16];
	vector_state(s, k->salsa);
	memset(in, 0, sizeof in);
	k->f(out + k->offset, in + k->offset, 64 * k->blocks, s, 20);
	const u8 *v = k->salsa ? salsa_vector : chacha_vector;
	for (int i = 0; i < 64; i++)
		if (out[k->offset + i] != v[i]) return fail(k, "published vector, byte", i, 0);
	return 0;
}

static int check_one(const struct kernel *k, u32 s[16], size_t len, int from, int to, int rounds) {
	for (size_t i = 0; i < sizeof in; i++) in[i] = i * 167 + (i >> 8);
	memset(out, 0xa5, len + 64);
	u32 before[16];
	for (int i = 0; i < 16; i++) before[i] = s[i];
	reference(want, in + from, len, s, k->salsa, rounds);
	if (from == to) memcpy(out + to, in + from, len);
	k->f(out + to, from == to ? out + to : in + from, len, s, rounds);
	for (int i = 0; i < 16; i++)
		if (before[i] != s[i]) return fail(k, "state changed, word", i, 0);
	for (size_t i = 0; i < len; i++)
		if (out[to + i] != want[i]) return fail(k, "rounds, byte", rounds, i);
	for (int i = 0; i < to; i++)
		if (out[i] != 0xa5) return fail(k, "write before dst", i, 0);
	for (size_t i = to + len; i < len + 64; i++)
		if (out[i] != 0xa5) return fail(k, "write after dst", i - to - len, 0);
	return 0;
}

static int check(const struct kernel *k) {
	u32 s[16];
	int bad = check_vector(k), c = k->salsa ? 8 : 12;
	for (int i = 0; i < 16; i++) s[i] = 0x9e3779b9u * (i + 1);
	for (int rounds = 8; rounds <= 20; rounds += rounds == 8 ? 4 : 8)
		for (int steps = 1; steps <= 4; steps++)
			for (u32 wrap = 0; wrap <= (u32)k->blocks; wrap++) {
				s[c] = -wrap;
				s[c + 1] = wrap & 1 ? -1 : 5;
				size_t len = 64 * k->blocks * steps;
				bad |= check_one(k, s, len, k->offset, k->offset, rounds);
				if (rounds == 8 && steps == 1)
					for (int o = k->offset; o < 16; o += k->offset ? 4 : 1) bad |= check_one(k, s, len, o, k->offset ? (o ^ 8) : 15 - o, rounds);
				if (bad) return bad;
			}
	return bad;
}

__attribute__((noinline)) void mark_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void mark_end(void) { __asm__ volatile(""); }

static u32 decimal(const char *s) {
	u32 n = 0;
	for (; *s; s++) n = 10 * n + *s - '0';
	return n;
}

static int same(const char *a, const char *b) {
	for (; *a && *a == *b; a++) b++;
	return *a == *b;
}

static int run(const char *name, size_t len, u32 count) {
	static u32 s[16];
	for (const struct kernel *k = kernels; k->name; k++)
		if (same(name, k->name)) {
			mark_begin();
			for (; count; count--) k->f(out, in, len, s, 20);
			mark_end();
			return 0;
		}
	return 3;
}

__attribute__((used)) void start(long *sp) {
	int bad = 0;
	if (sp[0] >= 4)
		bad = run((char *)sp[2], decimal((char *)sp[3]), decimal((char *)sp[4]));
	else
		for (const struct kernel *k = kernels; k->name; k++) {
			int b = check(k);
			print(k->name);
			print(b ? " FAIL\n" : " ok\n");
			bad |= b;
		}
	syscall3(SYS_exit, bad, 0, 0);
}

#ifdef __arm__
__asm__(".globl _start\n.arm\n_start: mov r0, sp\nbic sp, sp, #7\nbl start\n");
#else
__asm__(".globl _start\n_start: mov x0, sp\nbl start\n");
#endif
