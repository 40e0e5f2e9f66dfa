// Package cipher builds the algorithms, stream ciphers, MAC and AEADs, on the
// plans of a registry.Source. Key, nonce, length and overlap checks with the
// texts that users see are in the packages on top; this one requires what its
// comments say.
package cipher
