// Command libsodium is a plugin of Quarterround with the ciphers of libsodium.
package main

import "github.com/quarterround/quarterround/peers/plugins/internal/serve"

func main() { serve.Peer("libsodium") }
