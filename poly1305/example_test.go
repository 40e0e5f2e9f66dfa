package poly1305_test

import (
	"encoding/hex"
	"fmt"

	"github.com/quarterround/quarterround/poly1305"
)

// The example of RFC 8439 section 2.5.2.
func Example() {
	b, _ := hex.DecodeString("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
	key := [32]byte(b)
	mac := poly1305.New(&key)
	fmt.Fprint(mac, "Cryptographic Forum ")
	fmt.Fprint(mac, "Research Group")
	fmt.Printf("%x\n", mac.Sum(nil))
	// Output:
	// a8061dc1305136c6c22b8baf0c0127a9
}
