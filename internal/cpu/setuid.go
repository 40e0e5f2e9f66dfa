package cpu

import "sync"

// Setuid reports whether the program runs with more rights than the user who
// started it, so that it must not obey that user's environment: the kernel says
// so (AT_SECURE, issetugid), or the real and effective user or group differ.
var Setuid = sync.OnceValue(setuid)
