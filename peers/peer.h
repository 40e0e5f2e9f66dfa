// What a peer library offers: algorithms that do one whole message per call.

#include <stddef.h>
#include <stdint.h>

// A peer_key is an algorithm under a key, in the form the library keeps it.
typedef void *peer_key;

// A peer_new makes a key from 32 bytes, NULL if the library refuses.
typedef peer_key (*peer_new)(const uint8_t *key);

// A peer_message does the same message as often as times says, so that whoever
// measures it need not count the way from Go to C, and returns 0 if a message
// was refused. dst and src do not overlap; n is the length of the plaintext.
typedef int (*peer_message)(peer_key key, uint8_t *dst, const uint8_t *src, size_t n, const uint8_t *nonce, size_t times);

// A peer_free lets go of a key.
typedef void (*peer_free)(peer_key key);

typedef struct {
	const char *name; // as in peers.go
	peer_new new;
	peer_message message;
	peer_free free;
} peer_algorithm;

typedef struct {
	const char *name;
	const char *package; // of Debian
	// load returns NULL, or what is missing.
	const char *(*load)(void);
	const char *(*version)(void);
	const peer_algorithm *algorithms; // the last one has no name
} peer_library;

extern const peer_library peer_openssl, peer_sodium, peer_nettle, peer_gcrypt;

// The libraries are opened at run time, so that this module can be built where
// some of them are missing. Their headers say how the functions are called:
// FUNCTION(f) declares the pointer call_f, and LOAD(f) fills it.
#define PEER_STRING2(x) #x
#define PEER_STRING(x) PEER_STRING2(x)
#define FUNCTION(f) static __typeof__(f) *call_##f;
#define LOAD(f) \
	if (!(call_##f = dlsym(library, PEER_STRING(f)))) \
		return "function " PEER_STRING(f);
