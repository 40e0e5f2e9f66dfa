//go:build !windows

package measure

import "time"

var start = time.Now()

// Now is the finest clock of this system.
func Now() time.Duration { return time.Since(start) }
