// Command libgcrypt is a plugin of Quarterround with the ciphers of libgcrypt.
package main

import "github.com/quarterround/quarterround/peers/plugins/internal/serve"

func main() { serve.Peer("libgcrypt") }
