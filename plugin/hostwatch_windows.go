package plugin

import "golang.org/x/sys/windows"

// waitForParent returns when the parent has ended. Windows gives orphans no other
// parent, and may give its number to another process, so the parent is held by a
// handle from the start.
func waitForParent(parent int) {
	process, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(parent))
	if err == windows.ERROR_INVALID_PARAMETER {
		return // it is gone already
	} else if err != nil {
		select {} // it cannot be watched
	}
	defer windows.CloseHandle(process)
	for {
		event, err := windows.WaitForSingleObject(process, windows.INFINITE)
		if err != nil || event == windows.WAIT_OBJECT_0 {
			return
		}
	}
}
