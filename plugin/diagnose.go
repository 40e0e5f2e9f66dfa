package plugin

import (
	"cmp"
	"context"
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// errorf returns an Error of this plugin.
func (p *Plugin) errorf(stage Stage, cause error, format string, args ...any) *Error {
	return &Error{Path: p.path, Stage: stage, Reason: oneLine(fmt.Sprintf(format, args...)), Err: cause}
}

// oneLine returns the first line of s without spaces around it, of a length that
// can be read.
func oneLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	const most = 200
	if len(line) > most {
		line = line[:most] + "..."
	}
	return line
}

// checkFile looks at what go-plugin would otherwise report in many words.
func (p *Plugin) checkFile() error {
	info, err := os.Stat(p.path)
	switch {
	case err != nil && isLink(p.path):
		return p.errorf(StageFile, err, "a link to what does not exist")
	case err != nil:
		return p.errorf(StageFile, err, "no such file")
	case info.IsDir():
		return p.errorf(StageFile, nil, "a folder; a program is wanted")
	case !info.Mode().IsRegular():
		return p.errorf(StageFile, nil, "not a regular file")
	case info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
		return p.errorf(StageFile, nil, "not executable")
	}
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}

// secureConfig has a hash of its own: go-plugin does not reset it.
func secureConfig(sum []byte) *goplugin.SecureConfig {
	return &goplugin.SecureConfig{Checksum: sum, Hash: sha256.New()}
}

// explainStart turns an error of go-plugin's start into one of a line.
func (p *Plugin) explainStart(err error) error {
	text := err.Error()
	switch {
	case errors.Is(err, goplugin.ErrChecksumsDoNotMatch):
		return p.errorf(StageChecksum, err, "the SHA-256 is not the one that is allowed")
	case strings.Contains(text, "exec format error"):
		return p.errorf(StageFile, err, "%s", p.whatItIs())
	case strings.Contains(text, "timeout while waiting"):
		return p.errorf(StageStart, err, "no handshake within %v", p.config.StartTimeout)
	case strings.Contains(text, "exited before"), strings.Contains(text, "Failed to read any lines"):
		return p.errorf(StageStart, err, "%s", p.whyExited())
	case strings.Contains(text, "ncompatible API version"), strings.Contains(text, "core API version"):
		return p.errorf(StageVersion, err, "%s; this host speaks %d", oneLine(text), protocolVersion)
	case strings.HasPrefix(text, "Unrecognized remote plugin message"):
		return p.errorf(StageStart, err, "it printed something else than the handshake: %s",
			oneLine(strings.TrimPrefix(text, "Unrecognized remote plugin message:")))
	}
	return p.errorf(StageStart, err, "%s", text)
}

// whyExited says why the program ended before the handshake, in its own words if
// it had any.
func (p *Plugin) whyExited() string {
	_, fatal := p.stderr.fatalError()
	if said := cmp.Or(fatal, p.stderr.lastLine()); said != "" {
		return "it exited before the handshake: " + said
	}
	return "it exited before the handshake; it may be no plugin of this host"
}

// whatItIs says why the system cannot run the file.
func (p *Plugin) whatItIs() string {
	f, err := elf.Open(p.path)
	if err != nil {
		return "not a program"
	}
	defer f.Close()
	return fmt.Sprintf("a program for %v, which this system (%s) does not run", f.Machine, runtime.GOARCH)
}

// reasonGone is why a call fails whose process has ended.
const reasonGone = "the process is gone"

// explain says what an error of a call means.
func explain(err error) (Stage, string) {
	if errors.Is(err, context.DeadlineExceeded) || status.Code(err) == codes.DeadlineExceeded {
		return StageDeadline, "no answer in time"
	}
	if status.Code(err) == codes.Unavailable {
		return StageCall, reasonGone
	}
	return StageCall, oneLine(status.Convert(err).Message())
}
