package profile

import (
	"encoding/json"
	"fmt"
	"strconv"
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
	p := &Profile{Schema: file.Schema, Key: file.Key, Costs: make(map[string]*Entry, len(file.Costs))}
	for name, cost := range file.Costs {
		e := new(Entry)
		if bad := e.UnmarshalText([]byte(cost)); bad != nil && err == nil {
			err = fmt.Errorf("%s: %w", name, bad)
		}
		p.Costs[name] = e
	}
	return p, err
}

// What is around the entries and within each of their lines as Save writes them.
const (
	beforeEntries = "  \"costs\": {\n"
	afterEntries  = "\n  }\n}\n"
	beforeName    = "    \""
	betweenTexts  = "\": \""
)

// header returns what Save writes before the entries of a profile of this key, unless
// that holds escapes.
func header(key Key) (text string, ok bool) {
	text = "{\n  \"schema\": " + strconv.Itoa(Schema) + ",\n  \"key\": {\n"
	for _, field := range []struct{ name, value, end string }{
		{"goos", key.GOOS, ","}, {"goarch", key.GOARCH, ","}, {"byte_order", key.ByteOrder, ","}, {"cpu", key.CPU, ","},
		{"features", key.Features, ","}, {"environment", key.Environment, ","}, {"go", key.Go, ""},
	} {
		if !plain(field.value) {
			return "", false
		}
		text += beforeName + field.name + betweenTexts + field.value + "\"" + field.end + "\n"
	}
	return text + "  },\n" + beforeEntries, true
}

// decodeLines decodes a file that looks as Save writes it for a key, with a line for
// each entry, without encoding/json, because the first handle of a program waits for it.
// Of any other file, sound or not, it returns false. What it decodes, decode decodes to
// the same: strings in which nothing could be an escape are what they say.
func decodeLines(file string, key Key) (p *Profile, ok bool) {
	head, ok := header(key)
	if !ok {
		return nil, false
	}
	text, begins := strings.CutPrefix(file, head)
	text, ends := strings.CutSuffix(text, afterEntries)
	if !begins || !ends {
		return nil, false
	}
	lines := strings.Count(text, "\n") + 1
	entries, costs := make([]Entry, 0, lines), make([]Cost, 0, lines) // more for several classes of core
	p = &Profile{Schema: Schema, Key: key, Costs: make(map[string]*Entry, lines)}
	for more := true; more; {
		var line string
		line, text, more = strings.Cut(text, "\n")
		name, entry, ok := cutLine(line, more)
		if !ok {
			return nil, false
		}
		e, err := parseEntry(entry, &costs)
		if err != nil {
			return nil, false
		}
		entries = append(entries, e)
		p.Costs[name] = &entries[len(entries)-1]
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

// plain reports whether a JSON string with this content is the content, and written so
// by encoding/json.
func plain(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case c < ' ', c > '~', c == '"', c == '\\', c == '<', c == '>', c == '&':
			return false
		}
	}
	return true
}
