// libgcrypt. It has no secretbox.
#include "peer.h"
#if __has_include(<gcrypt.h>)
#include <dlfcn.h>
#include <gcrypt.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X) \
	X(gcry_check_version) X(gcry_control) X(gcry_cipher_open) X(gcry_cipher_close) X(gcry_cipher_setkey) X(gcry_cipher_setiv) \
	X(gcry_cipher_encrypt) X(gcry_cipher_decrypt) X(gcry_cipher_gettag) X(gcry_cipher_checktag) \
	X(gcry_mac_open) X(gcry_mac_close) X(gcry_mac_setkey) X(gcry_mac_write) X(gcry_mac_read)
FUNCTIONS(FUNCTION)

static const char *load(void) {
	void *library = dlopen("libgcrypt.so", RTLD_NOW);
	if (!library)
		return "libgcrypt.so";
	FUNCTIONS(LOAD)
	if (!call_gcry_check_version(GCRYPT_VERSION))
		return "libgcrypt.so of the version of its header";
	call_gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
	call_gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
	return NULL;
}

static const char *version(void) { return call_gcry_check_version(NULL); }

static peer_key new_cipher(const uint8_t *key, int algorithm, int mode) {
	gcry_cipher_hd_t c;
	if (call_gcry_cipher_open(&c, algorithm, mode, 0) || call_gcry_cipher_setkey(c, key, 32))
		return NULL;
	return c;
}

static void free_cipher(peer_key key) { call_gcry_cipher_close(key); }

static peer_key new_chacha(const uint8_t *key) { return new_cipher(key, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_STREAM); }
static peer_key new_salsa(const uint8_t *key) { return new_cipher(key, GCRY_CIPHER_SALSA20, GCRY_CIPHER_MODE_STREAM); }
static peer_key new_aead(const uint8_t *key) { return new_cipher(key, GCRY_CIPHER_CHACHA20, GCRY_CIPHER_MODE_POLY1305); }

static int stream(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t size, size_t times) {
	gcry_error_t failed = 0;
	while (times--) {
		failed |= call_gcry_cipher_setiv(key, nonce, size);
		failed |= call_gcry_cipher_encrypt(key, dst, n, src, n);
	}
	return !failed;
}

static int chacha(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	return stream(key, dst, src, n, nonce, 12, times);
}

static int salsa(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	return stream(key, dst, src, n, nonce, 8, times);
}

static int seal(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	gcry_error_t failed = 0;
	while (times--) {
		failed |= call_gcry_cipher_setiv(key, nonce, 12);
		failed |= call_gcry_cipher_encrypt(key, dst, n, src, n);
		failed |= call_gcry_cipher_gettag(key, dst + n, 16);
	}
	return !failed;
}

static int open(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	gcry_error_t failed = 0;
	while (times--) {
		failed |= call_gcry_cipher_setiv(key, nonce, 12);
		failed |= call_gcry_cipher_decrypt(key, dst, n, src, n);
		failed |= call_gcry_cipher_checktag(key, src + n, 16);
	}
	return !failed;
}

typedef struct {
	gcry_mac_hd_t handle;
	uint8_t key[32];
} mac_key;

static peer_key new_mac(const uint8_t *key) {
	mac_key *k = malloc(sizeof *k);
	if (!k || call_gcry_mac_open(&k->handle, GCRY_MAC_POLY1305, 0, NULL))
		return NULL;
	memcpy(k->key, key, 32);
	return k;
}

static void free_mac(peer_key key) {
	mac_key *k = key;
	call_gcry_mac_close(k->handle);
	free(k);
}

static int mac(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times) {
	mac_key *k = key;
	gcry_error_t failed = 0;
	while (times--) {
		size_t size = 16;
		failed |= call_gcry_mac_setkey(k->handle, k->key, 32);
		failed |= call_gcry_mac_write(k->handle, src, n);
		failed |= call_gcry_mac_read(k->handle, dst, &size);
	}
	return !failed;
}

static const peer_algorithm algorithms[] = {
	{"chacha20", new_chacha, chacha, free_cipher},
	{"salsa20", new_salsa, salsa, free_cipher},
	{"poly1305", new_mac, mac, free_mac},
	{"chacha20poly1305 seal", new_aead, seal, free_cipher},
	{"chacha20poly1305 open", new_aead, open, free_cipher},
	{0},
};
#else
static const char *load(void) { return "gcrypt.h"; }
static const char *version(void) { return ""; }
static const peer_algorithm algorithms[] = {{0}};
#endif

const peer_library peer_gcrypt = {"libgcrypt", "libgcrypt20-dev", load, version, algorithms};
