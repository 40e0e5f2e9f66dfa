// Command openssl is a plugin of Quarterround with the ciphers of OpenSSL's libcrypto.
package main

import "github.com/quarterround/quarterround/peers/plugins/internal/serve"

func main() { serve.Peer("OpenSSL") }
