// OpenSSL's libcrypto, through EVP.
#include "peer.h"
#if __has_include(<openssl/evp.h>)
#include <dlfcn.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) \
	X(OpenSSL_version) X(EVP_CIPHER_CTX_new) X(EVP_CIPHER_CTX_free) X(EVP_CIPHER_CTX_ctrl) X(EVP_chacha20) X(EVP_chacha20_poly1305) \
	X(EVP_EncryptInit_ex) X(EVP_EncryptUpdate) X(EVP_EncryptFinal_ex) \
	X(EVP_DecryptInit_ex) X(EVP_DecryptUpdate) X(EVP_DecryptFinal_ex) \
	X(EVP_MAC_fetch) X(EVP_MAC_CTX_new) X(EVP_MAC_CTX_free) X(EVP_MAC_init) X(EVP_MAC_update) X(EVP_MAC_final)
FUNCTIONS(FUNCTION)

static const char *load(void) {
	void *library = dlopen("libcrypto.so", RTLD_NOW);
	if (!library)
		return "libcrypto.so";
	FUNCTIONS(LOAD)
	return NULL;
}

static const char *version(void) { return call_OpenSSL_version(OPENSSL_VERSION); }

static void free_cipher(peer_key key) { call_EVP_CIPHER_CTX_free(key); }

static peer_key new_stream(const uint8_t *key) {
	EVP_CIPHER_CTX *c = call_EVP_CIPHER_CTX_new();
	return call_EVP_EncryptInit_ex(c, call_EVP_chacha20(), NULL, key, NULL) ? c : NULL;
}

// The nonce of EVP_chacha20 begins with the 32-bit block counter.
static int stream(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	uint8_t iv[16] = {0};
	int done, ok = 1;
	memcpy(iv + 4, nonce, 12);
	while (times--) {
		ok &= call_EVP_EncryptInit_ex(key, NULL, NULL, NULL, iv);
		ok &= call_EVP_EncryptUpdate(key, dst, &done, src, (int)n);
	}
	return ok;
}

static peer_key new_seal(const uint8_t *key) {
	EVP_CIPHER_CTX *c = call_EVP_CIPHER_CTX_new();
	return call_EVP_EncryptInit_ex(c, call_EVP_chacha20_poly1305(), NULL, key, NULL) ? c : NULL;
}

static int seal(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	int done, ok = 1;
	while (times--) {
		ok &= call_EVP_EncryptInit_ex(key, NULL, NULL, NULL, nonce);
		ok &= call_EVP_EncryptUpdate(key, dst, &done, src, (int)n);
		ok &= call_EVP_EncryptFinal_ex(key, dst + n, &done);
		ok &= call_EVP_CIPHER_CTX_ctrl(key, EVP_CTRL_AEAD_GET_TAG, 16, dst + n);
	}
	return ok;
}

static peer_key new_open(const uint8_t *key) {
	EVP_CIPHER_CTX *c = call_EVP_CIPHER_CTX_new();
	return call_EVP_DecryptInit_ex(c, call_EVP_chacha20_poly1305(), NULL, key, NULL) ? c : NULL;
}

static int open(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	int done, ok = 1;
	while (times--) {
		ok &= call_EVP_DecryptInit_ex(key, NULL, NULL, NULL, nonce);
		ok &= call_EVP_CIPHER_CTX_ctrl(key, EVP_CTRL_AEAD_SET_TAG, 16, (void *)(src + n));
		ok &= call_EVP_DecryptUpdate(key, dst, &done, src, (int)n);
		ok &= call_EVP_DecryptFinal_ex(key, dst + n, &done) > 0;
	}
	return ok;
}

typedef struct {
	EVP_MAC_CTX *context;
	uint8_t key[32];
} mac_key;

static peer_key new_mac(const uint8_t *key) {
	mac_key *k = malloc(sizeof *k);
	if (!k || !(k->context = call_EVP_MAC_CTX_new(call_EVP_MAC_fetch(NULL, "POLY1305", NULL))))
		return NULL;
	memcpy(k->key, key, 32);
	return k;
}

static void free_mac(peer_key key) {
	mac_key *k = key;
	call_EVP_MAC_CTX_free(k->context);
	free(k);
}

static int mac(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	mac_key *k = key;
	size_t done;
	int ok = 1;
	while (times--) {
		ok &= call_EVP_MAC_init(k->context, k->key, 32, NULL);
		ok &= call_EVP_MAC_update(k->context, src, n);
		ok &= call_EVP_MAC_final(k->context, dst, &done, 16);
	}
	return ok;
}

static const peer_algorithm algorithms[] = {
	{"chacha20", new_stream, stream, free_cipher},
	{"poly1305", new_mac, mac, free_mac},
	{"chacha20poly1305 seal", new_seal, seal, free_cipher},
	{"chacha20poly1305 open", new_open, open, free_cipher},
	{0},
};
#else
static const char *load(void) { return "openssl/evp.h"; }
static const char *version(void) { return ""; }
static const peer_algorithm algorithms[] = {{0}};
#endif

const peer_library peer_openssl = {"OpenSSL", "libssl-dev", load, version, algorithms};
