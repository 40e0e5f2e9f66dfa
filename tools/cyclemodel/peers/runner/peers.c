/*
 * Runs one routine of OpenSSL, nettle or libsodium over and over, below the
 * library's own choice by CPU, for the cycle model to trace:
 *
 *   peers list                      names, one a line
 *   peers NAME count BYTES CALLS    CALLS calls on BYTES bytes between the marks
 *
 * Linked statically with Debian's libraries. The routines that no header
 * declares are declared here.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nettle/chacha-poly1305.h>
#include <nettle/chacha.h>
#include <nettle/poly1305.h>
#include <nettle/salsa20.h>
#include <openssl/evp.h>
#include <sodium.h>

#define LARGEST 65536

/* OpenSSL. In its capability word bit 0 is NEON (arm) and ASIMD (arm64). */
extern unsigned OPENSSL_armcap_P;
extern void ChaCha20_ctr32(uint8_t *out, const uint8_t *in, size_t n, const uint32_t key[8], const uint32_t counter[4]);
typedef struct {
	_Alignas(16) uint8_t room[1024];
} openssl_poly1305;
extern void Poly1305_Init(openssl_poly1305 *p, const uint8_t key[32]);
extern void Poly1305_Update(openssl_poly1305 *p, const uint8_t *in, size_t n);

#ifdef __arm__
extern void _nettle_chacha_crypt32_1core(struct chacha_ctx *c, size_t n, uint8_t *out, const uint8_t *in);
extern void _nettle_chacha_crypt32_3core(struct chacha_ctx *c, size_t n, uint8_t *out, const uint8_t *in);
extern void _nettle_salsa20_crypt_1core(struct salsa20_ctx *c, unsigned rounds, size_t n, uint8_t *out, const uint8_t *in);
extern void _nettle_salsa20_crypt_2core(struct salsa20_ctx *c, unsigned rounds, size_t n, uint8_t *out, const uint8_t *in);
#endif

static uint8_t in[LARGEST] __attribute__((aligned(64)));
static uint8_t out[LARGEST] __attribute__((aligned(64)));
static uint8_t key[32], nonce[12], tag[16];
static uint32_t counter[4];

static openssl_poly1305 openssl_mac;
static EVP_CIPHER_CTX *openssl_aead;
static struct chacha_ctx nettle_chacha;
static struct salsa20_ctx nettle_salsa;
static struct poly1305_aes_ctx nettle_mac;
static struct chacha_poly1305_ctx nettle_aead;

static void run_openssl_chacha(size_t n) { ChaCha20_ctr32(out, in, n, (uint32_t *)key, counter); }
static void run_openssl_poly1305(size_t n) { Poly1305_Update(&openssl_mac, in, n); }

static void run_openssl_aead(size_t n)
{
	int length;

	EVP_EncryptInit_ex(openssl_aead, NULL, NULL, NULL, nonce);
	EVP_EncryptUpdate(openssl_aead, out, &length, in, (int)n);
	EVP_EncryptFinal_ex(openssl_aead, out + length, &length);
	EVP_CIPHER_CTX_ctrl(openssl_aead, EVP_CTRL_AEAD_GET_TAG, 16, tag);
}

static void run_nettle_chacha(size_t n) { chacha_crypt32(&nettle_chacha, n, out, in); }
static void run_nettle_salsa(size_t n) { salsa20_crypt(&nettle_salsa, n, out, in); }
static void run_nettle_poly1305(size_t n) { poly1305_aes_update(&nettle_mac, n, in); }

static void run_nettle_aead(size_t n)
{
	chacha_poly1305_set_nonce(&nettle_aead, nonce);
	chacha_poly1305_encrypt(&nettle_aead, n, out, in);
	chacha_poly1305_digest(&nettle_aead, sizeof tag, tag);
}

#ifdef __arm__
static void run_nettle_chacha_c(size_t n) { _nettle_chacha_crypt32_1core(&nettle_chacha, n, out, in); }
static void run_nettle_chacha_3core(size_t n) { _nettle_chacha_crypt32_3core(&nettle_chacha, n, out, in); }
static void run_nettle_salsa_c(size_t n) { _nettle_salsa20_crypt_1core(&nettle_salsa, 20, n, out, in); }
static void run_nettle_salsa_2core(size_t n) { _nettle_salsa20_crypt_2core(&nettle_salsa, 20, n, out, in); }
#endif

static void run_sodium_chacha(size_t n) { crypto_stream_chacha20_ietf_xor_ic(out, in, n, nonce, 0, key); }
static void run_sodium_salsa(size_t n) { crypto_stream_salsa20_xor_ic(out, in, n, nonce, 0, key); }
static void run_sodium_poly1305(size_t n) { crypto_onetimeauth_poly1305(tag, in, n, key); }

static void run_sodium_aead(size_t n)
{
	crypto_aead_chacha20poly1305_ietf_encrypt_detached(out, tag, NULL, in, n, NULL, 0, NULL, nonce, key);
}

static const struct routine {
	const char *name;
	void (*run)(size_t n);
	unsigned capabilities; /* OpenSSL's */
} routines[] = {
	{"openssl/chacha-scalar", run_openssl_chacha, 0},
	{"openssl/chacha-neon", run_openssl_chacha, 1},
	{"openssl/poly1305-scalar", run_openssl_poly1305, 0},
	{"openssl/poly1305-neon", run_openssl_poly1305, 1},
	{"openssl/chacha20poly1305", run_openssl_aead, 1},
#ifdef __arm__
	{"nettle/chacha-c", run_nettle_chacha_c, 1},
	{"nettle/chacha-3core", run_nettle_chacha_3core, 1},
	{"nettle/salsa-c", run_nettle_salsa_c, 1},
	{"nettle/salsa-2core", run_nettle_salsa_2core, 1},
#else
	{"nettle/chacha-4core", run_nettle_chacha, 1},
	{"nettle/salsa-c", run_nettle_salsa, 1},
#endif
	{"nettle/poly1305", run_nettle_poly1305, 1},
	{"nettle/chacha20poly1305", run_nettle_aead, 1},
	{"sodium/chacha", run_sodium_chacha, 1},
	{"sodium/salsa", run_sodium_salsa, 1},
	{"sodium/poly1305", run_sodium_poly1305, 1},
	{"sodium/chacha20poly1305", run_sodium_aead, 1},
};

#define ROUTINES (sizeof routines / sizeof routines[0])

__attribute__((noinline)) void mark_begin(void) { __asm__ volatile(""); }
__attribute__((noinline)) void mark_end(void) { __asm__ volatile(""); }

static void prepare(const struct routine *r)
{
	memset(in, 0x5a, sizeof in);
	memset(out, 0, sizeof out);
	for (size_t i = 0; i < sizeof key; i++)
		key[i] = (uint8_t)i;
	OPENSSL_armcap_P = r->capabilities;
	Poly1305_Init(&openssl_mac, key);
	if (r->run == run_openssl_aead) {
		openssl_aead = EVP_CIPHER_CTX_new();
		EVP_EncryptInit_ex(openssl_aead, EVP_chacha20_poly1305(), NULL, key, nonce);
		OPENSSL_armcap_P = r->capabilities; /* the library has now looked for itself */
	}
	chacha_set_key(&nettle_chacha, key);
	chacha_set_nonce96(&nettle_chacha, nonce);
	salsa20_set_key(&nettle_salsa, sizeof key, key);
	salsa20_set_nonce(&nettle_salsa, nonce);
	poly1305_aes_set_key(&nettle_mac, key);
	poly1305_aes_set_nonce(&nettle_mac, key);
	chacha_poly1305_set_key(&nettle_aead, key);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "list")) {
		for (size_t i = 0; i < ROUTINES; i++)
			puts(routines[i].name);
		return 0;
	}
	if (argc != 5 || strcmp(argv[2], "count")) {
		fputs("usage: peers list | NAME count BYTES CALLS\n", stderr);
		return 1;
	}
	size_t bytes = strtoul(argv[3], NULL, 10);
	long calls = strtol(argv[4], NULL, 10);

	if (bytes > LARGEST)
		return 1;
	for (size_t i = 0; i < ROUTINES; i++) {
		const struct routine *r = &routines[i];

		if (strcmp(r->name, argv[1]))
			continue;
		prepare(r);
		r->run(bytes); /* what happens only once is not counted */
		mark_begin();
		for (; calls > 0; calls--)
			r->run(bytes);
		mark_end();
		return 0;
	}
	fprintf(stderr, "peers: no routine %s\n", argv[1]);
	return 1;
}
