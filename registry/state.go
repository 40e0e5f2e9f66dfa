package registry

// A State says what became of a kernel as a candidate for an algorithm. The
// list is closed; the strings are the same in text, in JSON and in errors.
type State string

// The states.
const (
	Selected          State = "selected"         // in the plan for some length
	Forced            State = "forced"           // in the plan because an override says so
	Slower            State = "slower"           // the plan is faster; the detail says by how much
	WithinNoise       State = "within-noise"     // no faster than something simpler beyond the noise
	NotMeasured       State = "not-measured"     // budget, noise, clock or emulator; lost by its prior
	NotTested         State = "not-tested"       // no plan uses it, so it was not run
	NotCompiled       State = "not-compiled"     // GOARCH or build tag
	MissingFeature    State = "missing-feature"  // the CPU lacks what the detail names
	FeaturesUnknown   State = "features-unknown" // it cannot be told what the CPU has
	WrongByteOrder    State = "wrong-byte-order" // made for the other byte order
	SelfTestFailed    State = "self-test-failed" // wrong result; the detail says where
	Crashed           State = "crashed"          // panic or signal
	Excluded          State = "excluded"         // by an override, or by a force on another kernel
	RegisteredLate    State = "registered-late"  // after the selection was made
	PluginDown        State = "plugin-down"      // its process is gone; the detail says at which stage
	stateUndetermined State = ""                 // eligible, not yet decided
)

// refuted reports whether a kernel that seemed able to run was found not to be.
func (s State) refuted() bool { return s == SelfTestFailed || s == Crashed || s == PluginDown }

// An Outcome is a state with what there is to say about it.
type Outcome struct {
	State  State  `json:"state"`
	Detail string `json:"detail,omitempty"`
}

// String returns "state (detail)" or the state alone.
func (o Outcome) String() string {
	if o.Detail == "" {
		return string(o.State)
	}
	return string(o.State) + " (" + o.Detail + ")"
}

// eligible reports whether a kernel with this outcome may be planned with.
func (o Outcome) eligible() bool { return o.State == stateUndetermined }
