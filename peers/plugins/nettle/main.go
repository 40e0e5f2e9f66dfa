// Command nettle is a plugin of Quarterround with the ciphers of nettle.
package main

import "github.com/quarterround/quarterround/peers/plugins/internal/serve"

func main() { serve.Peer("nettle") }
