//go:build !windows

package plugin

import (
	"os"
	"time"
)

// parentInterval is how often a plugin looks whether its parent has changed.
const parentInterval = 500 * time.Millisecond

// waitForParent returns when another process has become the parent.
func waitForParent(parent int) {
	for os.Getppid() == parent {
		time.Sleep(parentInterval)
	}
}
