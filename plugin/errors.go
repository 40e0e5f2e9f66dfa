package plugin

import "fmt"

// A Stage is when a plugin failed.
type Stage string

// The stages.
const (
	StageFile     Stage = "file"      // there is no such program, or it cannot be run
	StageManifest Stage = "manifest"  // the manifest is malformed or does not fit
	StageChecksum Stage = "checksum"  // the file is not the one that was allowed
	StageStart    Stage = "start"     // it exited, or hung, before the handshake
	StageVersion  Stage = "version"   // it speaks another version of the protocol
	StageDescribe Stage = "describe"  // what it says of itself is malformed
	StageSelfTest Stage = "self-test" // its results are wrong
	StageCall     Stage = "call"      // it crashed or answered wrongly at work
	StageDeadline Stage = "deadline"  // it did not answer in time
	StageClosed   Stage = "closed"    // Close was called
)

// An Error says what is wrong with a plugin in one line.
type Error struct {
	Path   string
	Stage  Stage
	Reason string
	Err    error // the cause, may be nil
}

// Error implements error.
func (e *Error) Error() string {
	return fmt.Sprintf("plugin %s: %s: %s", e.Path, e.Stage, e.Reason)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
