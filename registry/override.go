package registry

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// EnvironmentVariable is the name of the variable that Auto and the drop-in
// packages read their override from, once, at first use.
//
// Its value, and the argument of WithOverride, is a comma-separated list of
// words. Later words win over earlier ones; to force what is excluded is an error. Case and surrounding space do not
// matter. The words are:
//
//	NAME             every algorithm uses NAME where it has a kernel for it
//	alg=NAME         that algorithm uses NAME
//	alg@>1024=NAME   for lengths above 1024 bytes; also >=, <, <=
//	-NAME            NAME is not used
//	?NAME            as NAME, but if NAME cannot be used here, go on without
//	mode=auto        profile, else measuring, else priors (the default)
//	mode=measure     measure even if there is a profile
//	mode=prior       neither profile nor measuring
//	mode=generic     only the generic backend
//	profile=PATH     use this profile file; profile=off uses none
//	budget=10ms      time for self-tests and measuring
//	plugins=LIST     paths of plugins, or of folders with a manifest, separated by
//	                 colons (on Windows by semicolons); only in programs that import
//	                 the package plugin
//
// NAME is a backend ("neon3core") or a kernel of one ("poly26/neon"). Lengths
// are those of a call for streams and MACs, of the message for AEADs. A forced
// name binds every byte: no other kernel of the same kind runs.
const EnvironmentVariable = "QUARTERROUND"

// A mode says where costs come from.
type mode string

const (
	modeAuto    mode = "auto"
	modeMeasure mode = "measure"
	modePrior   mode = "prior"
	modeGeneric mode = "generic"
)

var modes = []string{string(modeAuto), string(modeMeasure), string(modePrior), string(modeGeneric)}

// A word is one parsed word of an override.
type word struct {
	text  string
	place int
	verb  verb
	// Of verbForce: the algorithm, or every algorithm, and the lengths.
	algorithm    Algorithm
	everywhere   bool
	lengths      lengthRange
	name         string // backend or backend/kernel
	value        string // of the settings
	budget       time.Duration
	pluginsPaths []string
}

type verb uint8

const (
	verbForce verb = iota
	verbPrefer
	verbExclude
	verbMode
	verbProfile
	verbBudget
	verbPlugins
)

// A lengthRange is the lengths from min to max, both included.
type lengthRange struct{ min, max int }

var allLengths = lengthRange{0, math.MaxInt}

func (r lengthRange) overlaps(o lengthRange) bool { return r.min <= o.max && o.min <= r.max }

// errorf returns an OverrideError for w.
func (w *word) errorf(kind error, valid []string, format string, args ...any) *OverrideError {
	return &OverrideError{Word: w.text, Place: w.place, Kind: kind, Reason: fmt.Sprintf(format, args...), Valid: valid}
}

// unknown returns the error for a word in which got stands where a valid name should.
func (w *word) unknown(got string, valid []string, format string, args ...any) *OverrideError {
	e := w.errorf(ErrUnknownName, nearestFirst(got, valid), format, args...)
	e.Near = len(e.Valid) > 0 && editDistance(got, e.Valid[0]) <= min(3, len(got)/2)
	return e
}

// parseOverride splits an override into words. Names of backends are not looked
// at yet; an all-blank override has no words.
func parseOverride(s string) ([]word, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var words []word
	for i, text := range strings.Split(s, ",") {
		w := word{text: strings.TrimSpace(text), place: i + 1, lengths: allLengths}
		if err := w.parse(); err != nil {
			return nil, err
		}
		words = append(words, w)
	}
	return words, nil
}

// parse fills w from its text.
func (w *word) parse() error {
	if w.text == "" {
		return w.errorf(ErrSyntax, nil, "empty word")
	}
	key, value, isSetting := strings.Cut(w.text, "=")
	if isSetting {
		return w.parseSetting(strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value))
	}
	w.everywhere = true
	text := strings.ToLower(w.text)
	switch text[0] {
	case '-':
		w.verb, text = verbExclude, text[1:]
	case '?':
		w.verb, text = verbPrefer, text[1:]
	}
	return w.setName(text)
}

// setName sets the backend or backend/kernel that w speaks of.
func (w *word) setName(name string) error {
	w.name = strings.ToLower(strings.TrimSpace(name))
	backend, kernel, hasKernel := strings.Cut(w.name, "/")
	if backend == "" || hasKernel && kernel == "" {
		return w.errorf(ErrSyntax, nil, "a name is wanted: BACKEND or BACKEND/KERNEL")
	}
	return nil
}

// settings are the words that are not about an algorithm.
var settings = []string{"mode", "profile", "budget", "plugins"}

// parseSetting parses key=value.
func (w *word) parseSetting(key, value string) error {
	if value == "" {
		return w.errorf(ErrSyntax, nil, "nothing after the equals sign")
	}
	switch key {
	case "mode":
		w.verb, w.value = verbMode, strings.ToLower(value)
		if !slices.Contains(modes, w.value) {
			return w.unknown(w.value, modes, "no such mode")
		}
	case "profile":
		w.verb, w.value = verbProfile, value
	case "budget":
		return w.parseBudget(value)
	case "plugins":
		w.verb, w.pluginsPaths = verbPlugins, filepath.SplitList(value)
	default:
		return w.parseForce(key, value)
	}
	return nil
}

// parseBudget parses the duration of budget=.
func (w *word) parseBudget(value string) error {
	w.verb = verbBudget
	budget, err := time.ParseDuration(value)
	if err != nil || budget <= 0 {
		return w.errorf(ErrSyntax, nil, "a positive duration is wanted, as in budget=10ms, of less than 290 years")
	}
	w.budget = budget
	return nil
}

// parseForce parses alg=NAME and alg@<=N=NAME; key may hold the start of the
// comparison, because it ends at the first equals sign.
func (w *word) parseForce(key, value string) error {
	w.verb = verbForce
	name, condition, conditional := strings.Cut(key, "@")
	if conditional {
		if strings.HasSuffix(condition, "<") || strings.HasSuffix(condition, ">") {
			limit, rest, found := strings.Cut(value, "=")
			if !found {
				return w.errorf(ErrSyntax, nil, "a name is wanted after the length, as in chacha20@>=1024=generic")
			}
			condition, value = condition+"="+strings.TrimSpace(limit), rest
		}
		lengths, ok := parseLengths(condition)
		if !ok {
			return w.errorf(ErrSyntax, nil, "a length is wanted after @, as in @<=256 or @>1024")
		}
		w.lengths = lengths
	}
	algorithm, ok := ParseAlgorithm(strings.TrimSpace(name))
	if !ok {
		valid := slices.Clone(settings)
		for _, a := range Algorithms() {
			valid = append(valid, a.String())
		}
		return w.unknown(name, valid, "no such algorithm or setting")
	}
	w.algorithm = algorithm
	return w.setName(value)
}

// parseLengths parses "<=256", "<256", ">1024" or ">=1024".
func parseLengths(s string) (lengthRange, bool) {
	s = strings.TrimSpace(s)
	operator := strings.TrimRight(s, "0123456789 ")
	limit, err := strconv.Atoi(strings.TrimSpace(s[len(operator):]))
	if err != nil || limit == math.MaxInt {
		return lengthRange{}, false
	}
	switch strings.TrimSpace(operator) {
	case "<=":
		return lengthRange{0, limit}, true
	case "<":
		return lengthRange{0, limit - 1}, limit > 0
	case ">":
		return lengthRange{limit + 1, math.MaxInt}, true
	case ">=":
		return lengthRange{limit, math.MaxInt}, true
	}
	return lengthRange{}, false
}
