package plugin

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// stderrLines keeps what matters of a plugin's standard error: the line in which
// the Go runtime says why it ends the process, and the last line.
type stderrLines struct {
	mu      sync.Mutex
	partial []byte
	fatal   string
	signal  string
	last    string
}

// fatalLine matches what the runtime writes first when it ends a process: before
// exit status 2 there may have been a signal, a panic, or an error of its own.
var fatalLine = regexp.MustCompile(`^(SIG[A-Z0-9]+: |panic: |fatal error: |unexpected fault address |runtime: out of memory)`)

// signalName finds the signal in such a line, or in the one after it:
// "[signal SIGSEGV: segmentation violation code=0x1 ...".
var signalName = regexp.MustCompile(`^(?:\[signal )?(SIG[A-Z0-9]+): `)

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
	if name := signalName.FindStringSubmatch(line); s.signal == "" && s.fatal != "" && name != nil {
		s.signal = name[1]
	}
}

// fatalError returns why the Go runtime ended the process: the name of the signal,
// or "panic" or "fatal", and the line that says it; both are empty if it did not.
func (s *stderrLines) fatalError() (name, line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.signal != "" && strings.HasPrefix(s.fatal, s.signal+": "):
		return s.signal, s.fatal
	case s.signal != "":
		return s.signal, s.signal + ": " + s.fatal
	case strings.HasPrefix(s.fatal, "panic: "):
		return "panic", s.fatal
	case s.fatal != "":
		return "fatal", s.fatal
	}
	return "", ""
}

// lastLine returns the last line.
func (s *stderrLines) lastLine() string { s.mu.Lock(); defer s.mu.Unlock(); return s.last }
