// Command xcrypto is a plugin of Quarterround with the ciphers of golang.org/x/crypto.
package main

import "github.com/quarterround/quarterround/peers/plugins/internal/serve"

func main() { serve.Peer("x/crypto") }
