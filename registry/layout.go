package registry

import (
	"slices"
	"sync"
)

// A layoutID stands for the name of a Powers layout; 0 is none. IDs hold for the
// whole process, because a MAC may change plans, and with it selections, between
// two writes.
type layoutID uint32

var layouts struct {
	sync.Mutex
	names []string // the ID is the index plus one
}

// layoutOf returns the ID of a layout name.
func layoutOf(name string) layoutID {
	if name == "" {
		return 0
	}
	layouts.Lock()
	defer layouts.Unlock()
	i := slices.Index(layouts.names, name)
	if i < 0 {
		i = len(layouts.names)
		layouts.names = append(layouts.names, name)
	}
	return layoutID(i + 1)
}
