package plugin

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// exitWithHost ends this process when the host is gone, however it went, and
// removes the folder of the socket. The host holds the other end of a pipe; a
// host that gives none, as on Windows, is watched as the parent process.
func exitWithHost() {
	parent := os.Getppid()
	go func() {
		if number, err := strconv.Atoi(os.Getenv(hostPipeVariable)); err == nil && number > 2 {
			waitForEnd(os.NewFile(uintptr(number), "host"))
		} else {
			waitForParent(parent)
		}
		removeSocketFolder(os.Getenv(socketVariable))
		os.Exit(1)
	}()
}

// waitForEnd returns when the other end of the pipe is closed.
func waitForEnd(pipe *os.File) {
	var b [1]byte
	for {
		if _, err := pipe.Read(b[:]); err != nil {
			return
		}
	}
}

// socketFolderPrefix begins the names of folders that hosts make for sockets.
const socketFolderPrefix = "quarterround-"

// removeSocketFolder removes a folder that a host made, and no other.
func removeSocketFolder(folder string) {
	if strings.HasPrefix(filepath.Base(folder), socketFolderPrefix) {
		os.RemoveAll(folder)
	}
}
