package plugin

import (
	"bytes"
	"regexp"
	"sync"
)

// stderrLines keeps what matters of a plugin's standard error: the line in which
// the Go runtime says why it ends the process, and the last line.
type stderrLines struct {
	mu      sync.Mutex
	partial []byte
	fatal   string
	last    string
}

// fatalLine matches what the runtime writes first when it ends a process: before
// exit status 2 there may have been a signal, a panic, or an error of its own.
var fatalLine = regexp.MustCompile(`^(SIG[A-Z0-9]+: |panic: |fatal error: |unexpected fault address |runtime: out of memory)`)

// mostPartial bounds a line.
const mostPartial = 1 << 10

// Write implements io.Writer.
func (s *stderrLines) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for rest := p; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		if room := mostPartial - len(s.partial); room > 0 {
			s.partial = append(s.partial, line[:min(room, len(line))]...)
		}
		rest = after
		if ended {
			s.end()
		}
	}
	return len(p), nil
}

// end takes the line that is complete.
func (s *stderrLines) end() {
	line := string(bytes.TrimSpace(s.partial))
	s.partial = s.partial[:0]
	if line == "" {
		return
	}
	s.last = line
	if s.fatal == "" && fatalLine.MatchString(line) {
		s.fatal = line
	}
}

// fatalError returns why the runtime ended the process, empty if it did not.
func (s *stderrLines) fatalError() string { s.mu.Lock(); defer s.mu.Unlock(); return s.fatal }

// lastLine returns the last line.
func (s *stderrLines) lastLine() string { s.mu.Lock(); defer s.mu.Unlock(); return s.last }
