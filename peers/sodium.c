// libsodium, whose functions take key and nonce with each message.
#include "peer.h"
#if __has_include(<sodium.h>)
#include <dlfcn.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) \
	X(sodium_init) X(sodium_version_string) X(crypto_stream_chacha20_ietf_xor) X(crypto_stream_salsa20_xor) \
	X(crypto_onetimeauth_poly1305) X(crypto_aead_chacha20poly1305_ietf_encrypt) \
	X(crypto_aead_chacha20poly1305_ietf_decrypt) X(crypto_secretbox_easy) X(crypto_secretbox_open_easy)
FUNCTIONS(FUNCTION)

static const char *load(void) {
	void *library = dlopen("libsodium.so", RTLD_NOW);
	if (!library)
		return "libsodium.so";
	FUNCTIONS(LOAD)
	return call_sodium_init() < 0 ? "working libsodium" : NULL;
}

static const char *version(void) { return call_sodium_version_string(); }

static peer_key new_key(const uint8_t *key) {
	void *k = malloc(32);
	return k ? memcpy(k, key, 32) : NULL;
}

#define MESSAGE(name, call) \
	static int name(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) { \
		int failed = 0; \
		while (times--) \
			failed |= call; \
		return !failed; \
	}

MESSAGE(chacha20, call_crypto_stream_chacha20_ietf_xor(dst, src, n, nonce, key))
MESSAGE(salsa20, call_crypto_stream_salsa20_xor(dst, src, n, nonce, key))
MESSAGE(poly1305, call_crypto_onetimeauth_poly1305(dst, src, n, key))
MESSAGE(seal, call_crypto_aead_chacha20poly1305_ietf_encrypt(dst, NULL, src, n, NULL, 0, NULL, nonce, key))
MESSAGE(open, call_crypto_aead_chacha20poly1305_ietf_decrypt(dst, NULL, NULL, src, n + 16, NULL, 0, nonce, key))
MESSAGE(seal_box, call_crypto_secretbox_easy(dst, src, n, nonce, key))
MESSAGE(open_box, call_crypto_secretbox_open_easy(dst, src, n + 16, nonce, key))

static const peer_algorithm algorithms[] = {
	{"chacha20", new_key, chacha20, free},
	{"salsa20", new_key, salsa20, free},
	{"poly1305", new_key, poly1305, free},
	{"chacha20poly1305 seal", new_key, seal, free},
	{"chacha20poly1305 open", new_key, open, free},
	{"secretbox seal", new_key, seal_box, free},
	{"secretbox open", new_key, open_box, free},
	{0},
};
#else
static const char *load(void) { return "sodium.h"; }
static const char *version(void) { return ""; }
static const peer_algorithm algorithms[] = {{0}};
#endif

const peer_library peer_sodium = {"libsodium", "libsodium-dev", load, version, algorithms};
