// nettle. It has no Poly1305 but the one keyed by AES, and no secretbox.
#include "peer.h"
#if __has_include(<nettle/chacha-poly1305.h>)
#include <dlfcn.h>
#include <nettle/chacha-poly1305.h>
#include <nettle/chacha.h>
#include <nettle/memops.h>
#include <nettle/salsa20.h>
#include <nettle/version.h>
#include <stdlib.h>

#define FUNCTIONS(X) \
	X(chacha_set_key) X(chacha_set_nonce96) X(chacha_crypt32) X(salsa20_256_set_key) X(salsa20_set_nonce) X(salsa20_crypt) \
	X(chacha_poly1305_set_key) X(chacha_poly1305_set_nonce) X(chacha_poly1305_encrypt) X(chacha_poly1305_decrypt) \
	X(chacha_poly1305_digest) X(memeql_sec)
FUNCTIONS(FUNCTION)

static const char *load(void) {
	void *library = dlopen("libnettle.so", RTLD_NOW);
	if (!library)
		return "libnettle.so";
	FUNCTIONS(LOAD)
	return NULL;
}

static const char *version(void) { return PEER_STRING(NETTLE_VERSION_MAJOR) "." PEER_STRING(NETTLE_VERSION_MINOR); }

static peer_key new_chacha(const uint8_t *key) {
	struct chacha_ctx *k = malloc(sizeof *k);
	if (k)
		call_chacha_set_key(k, key);
	return k;
}

static int chacha(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	while (times--) {
		call_chacha_set_nonce96(key, nonce);
		call_chacha_crypt32(key, n, dst, src);
	}
	return 1;
}

static peer_key new_salsa(const uint8_t *key) {
	struct salsa20_ctx *k = malloc(sizeof *k);
	if (k)
		call_salsa20_256_set_key(k, key);
	return k;
}

static int salsa(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	while (times--) {
		call_salsa20_set_nonce(key, nonce);
		call_salsa20_crypt(key, n, dst, src);
	}
	return 1;
}

static peer_key new_aead(const uint8_t *key) {
	struct chacha_poly1305_ctx *k = malloc(sizeof *k);
	if (k)
		call_chacha_poly1305_set_key(k, key);
	return k;
}

static int seal(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	while (times--) {
		call_chacha_poly1305_set_nonce(key, nonce);
		call_chacha_poly1305_encrypt(key, n, dst, src);
		call_chacha_poly1305_digest(key, 16, dst + n);
	}
	return 1;
}

static int open(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	uint8_t tag[16];
	int ok = 1;
	while (times--) {
		call_chacha_poly1305_set_nonce(key, nonce);
		call_chacha_poly1305_decrypt(key, n, dst, src);
		call_chacha_poly1305_digest(key, 16, tag);
		ok &= call_memeql_sec(tag, src + n, 16);
	}
	return ok;
}

static const peer_algorithm algorithms[] = {
	{"chacha20", new_chacha, chacha, free},
	{"salsa20", new_salsa, salsa, free},
	{"chacha20poly1305 seal", new_aead, seal, free},
	{"chacha20poly1305 open", new_aead, open, free},
	{0},
};
#else
static const char *load(void) { return "nettle/chacha-poly1305.h"; }
static const char *version(void) { return ""; }
static const peer_algorithm algorithms[] = {{0}};
#endif

const peer_library peer_nettle = {"nettle", "nettle-dev", load, version, algorithms};
