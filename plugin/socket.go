package plugin

import (
	"fmt"
	"os"
	"runtime"
)

// maxSocketFolder bounds the length of the folder of a socket: a socket's path
// has 104 bytes on BSD and 108 on Linux, and go-plugin adds a file name.
const maxSocketFolder = 80

// makeSocketFolder makes a folder that only this user can enter, in the first
// place that is short and can be written.
func makeSocketFolder() (string, error) {
	var last error
	for _, place := range socketPlaces() {
		if place == "" {
			continue
		}
		folder, err := os.MkdirTemp(place, socketFolderPrefix)
		if err != nil {
			last = err
			continue
		}
		if len(folder) > maxSocketFolder && runtime.GOOS != "windows" {
			os.Remove(folder)
			last = fmt.Errorf("%s is too long for a socket", folder)
			continue
		}
		return folder, nil
	}
	return "", fmt.Errorf("no folder for a socket (set XDG_RUNTIME_DIR or TMPDIR to a short path that can be written): %w", last)
}

// socketPlaces lists where a socket may go. systemd removes old files from /tmp,
// not from XDG_RUNTIME_DIR.
func socketPlaces() []string {
	places := []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir()}
	if runtime.GOOS != "windows" {
		places = append(places, "/tmp", "/var/tmp", "/dev/shm")
	}
	return places
}
