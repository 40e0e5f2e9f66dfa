package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/quarterround/quarterround/internal/cpu"
	"github.com/quarterround/quarterround/internal/profile"
)

// profileKey returns the key of this machine's profile.
func (s *selector) profileKey() profile.Key {
	return profile.Key{Key: s.identity.Key(s.detected.Features), Go: runtime.Version()}
}

// profilePath returns where the profile is: what the override says, or else the
// usual place.
func (s *selector) profilePath() (string, error) {
	if s.policy.profile != "" {
		return s.policy.profile, nil
	}
	return profile.Path(s.profileKey())
}

// loadProfile takes known costs from the profile, if there is one. Whatever is
// wrong with it becomes one note, and the selection goes on without it. A
// process with more rights than its user reads no file that the user may have
// written.
func (s *selector) loadProfile() {
	if s.policy.profile == "off" || s.policy.mode != modeAuto || cpu.Setuid() {
		return
	}
	path, err := s.profilePath()
	if err != nil {
		return // without a cache directory there is no profile
	}
	p, err := profile.Load(path, s.profileKey())
	if errors.Is(err, fs.ErrNotExist) && s.policy.profile == "" {
		return
	}
	if err != nil {
		s.notes = append(s.notes, fmt.Sprintf("profile miss: %s: %v", path, err))
		return
	}
	s.takeProfile(p)
	s.measurement.Profile = path
}

// takeProfile makes the costs in p known, for kernels that are eligible and of
// the same revision. Other kernels and other numbers of rounds do not matter: it
// may have been written by a program with more backends.
func (s *selector) takeProfile(p *profile.Profile) {
	entries := make(map[costKey]*profile.Entry, len(p.Costs))
	for _, c := range s.candidates {
		if !c.outcome.eligible() {
			continue
		}
		for _, key := range costKeys(c) {
			e, ok := p.Costs[profile.EntryName(key.kernel, key.rounds)]
			if !ok {
				continue
			}
			if miss := s.profileMiss(c, e); miss != "" {
				s.notes = append(s.notes, "profile miss: "+miss)
				break
			}
			entries[key] = e
		}
	}
	if len(entries) == 0 {
		return
	}
	s.unit = "ns"
	for i, t := range s.tables {
		s.tables[i] = t.withProfile(entries, s.candidates)
	}
}

// profileMiss says why an entry is not used for c, empty if it is.
func (s *selector) profileMiss(c *candidate, e *profile.Entry) string {
	if e.Revision != c.kernel.Revision {
		return fmt.Sprintf("kernel %s rev %d→%d", c.name(), e.Revision, c.kernel.Revision)
	}
	if len(e.Classes) != len(s.tables) {
		return fmt.Sprintf("kernel %s: costs of %d classes of core, not %d", c.name(), len(e.Classes), len(s.tables))
	}
	return ""
}

// costKeys returns the keys under which costs of c may be known.
func costKeys(c *candidate) []costKey {
	switch c.kernel.Kind {
	case KindMAC:
		return []costKey{{c.name(), 0}}
	case KindFused:
		return []costKey{{c.name(), 20}}
	}
	return []costKey{{c.name(), 8}, {c.name(), 12}, {c.name(), 20}}
}

// measuredProfile returns what was measured in this process.
func (s *selector) measuredProfile() *profile.Profile {
	p := &profile.Profile{Schema: profile.Schema, Key: s.profileKey(), Costs: map[string]*profile.Entry{}}
	for _, c := range s.candidates {
		for _, key := range costKeys(c) {
			e := &profile.Entry{Revision: c.kernel.Revision}
			for _, t := range s.tables {
				cost, ok := t.known[key]
				if !ok || cost.Provenance != "measured" {
					break
				}
				e.Measured = cost.Measured
				e.Classes = append(e.Classes, profile.Cost{Fixed: cost.Fixed, PerStep: cost.PerStep, Setup: cost.Setup,
					Spread: cost.Spread, Residual: cost.Residual, Samples: cost.Samples})
			}
			if len(e.Classes) == len(s.tables) {
				p.Costs[profile.EntryName(key.kernel, key.rounds)] = e
			}
		}
	}
	return p
}

// Calibrate measures every kernel that could be used on this machine, for
// seconds instead of the milliseconds that Auto takes, and writes the profile by
// which later processes choose without measuring. progress, if not nil, is
// called with the share done. The path that is returned is where the profile
// was written: in the user's cache directory, or where profile= in the override
// says.
//
// Errors are those of Select; ErrContradiction for profile=off; that nothing could be
// measured, with the reason; and those of writing, which come with the selection nevertheless.
func Calibrate(progress func(done float64), opts ...Option) (sel *Selection, path string, err error) {
	s, err := newSelector(newOptions(opts))
	if err != nil {
		return nil, "", err
	}
	if s.policy.profile == "off" {
		return nil, "", fmt.Errorf("%w: with profile=off there is no place for what is measured", ErrContradiction)
	}
	s.measure(Algorithms(), true, progress)
	if s.measurement.Kernels == 0 && s.measurement.Reason != "" {
		return nil, "", fmt.Errorf("nothing was measured: %s", s.measurement.Reason)
	}
	if sel, err = selectWith(s); err != nil {
		return nil, "", err
	}
	if path, err = s.profilePath(); err == nil {
		err = profile.Save(path, s.measuredProfile())
	}
	return sel, path, err
}
