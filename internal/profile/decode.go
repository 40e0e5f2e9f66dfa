package profile

import (
	"encoding/json"
	"fmt"
	"strings"
)

// decode decodes a file. It goes by way of texts, because decoding JSON into a map of
// anything else takes twice as long.
func decode(text []byte) (*Profile, error) {
	var file struct {
		Schema int               `json:"schema"`
		Key    Key               `json:"key"`
		Costs  map[string]string `json:"costs"`
	}
	err := json.Unmarshal(text, &file)
	p := &Profile{Schema: file.Schema, Key: file.Key, Costs: make(map[string]Entry, len(file.Costs))}
	for name, cost := range file.Costs {
		var e Entry
		if bad := e.parse(cost); bad != nil && err == nil {
			err = fmt.Errorf("%s: %w", name, bad)
		}
		p.Costs[name] = e
	}
	return p, err
}

// What is around the entries and within each of their lines as Save writes them.
const (
	beforeEntries = "\n  \"costs\": {\n"
	afterEntries  = "\n  }\n}\n"
	beforeName    = "    \""
	betweenTexts  = "\": \""
)

// decodeLines decodes a file that looks as Save writes it, with a line for each entry,
// in a fraction of the time of decode, because the first handle of a program waits for
// it. Of any other file, sound or not, it returns false. What it decodes, decode decodes
// to the same: where the rest is JSON with no entries, the file is with them, and strings
// of an entry's line in which nothing could be an escape are what they say.
func decodeLines(file []byte) (p *Profile, ok bool) {
	text, ok := strings.CutSuffix(string(file), afterEntries)
	if !ok {
		return nil, false
	}
	head, text, ok := strings.Cut(text, beforeEntries)
	if !ok {
		return nil, false
	}
	p = new(Profile)
	if json.Unmarshal([]byte(head+beforeEntries+afterEntries), p) != nil || len(p.Costs) > 0 {
		return nil, false
	}
	lines := strings.Count(text, "\n") + 1
	p.Costs = make(map[string]Entry, lines)
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		name, entry, ok := cutLine(line, more)
		if !ok {
			return nil, false
		}
		var e Entry
		if e.parse(entry) != nil {
			return nil, false
		}
		p.Costs[name] = e
	}
	return p, true
}

// cutLine returns the two strings in the line of an entry, after which there are more
// or not.
func cutLine(line string, more bool) (name, entry string, ok bool) {
	end := "\""
	if more {
		end = "\","
	}
	line, found := strings.CutPrefix(line, beforeName)
	line, ended := strings.CutSuffix(line, end)
	name, entry, both := strings.Cut(line, betweenTexts)
	words, _, _ := strings.Cut(entry, "|") // what follows is read as numbers, which are plain
	return name, entry, found && ended && both && plain(name) && plain(words)
}

// plain reports whether a JSON string with this content is the content.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
