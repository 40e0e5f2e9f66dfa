package cpu

// Tables are slices, not maps: a map would be filled at the start of every
// program that links this package.

// names32 gives names to numbers.
type names32 []struct {
	number uint32
	name   string
}

// find returns the name of a number, empty if it has none.
func (t names32) find(number uint32) string {
	for _, entry := range t {
		if entry.number == number {
			return entry.name
		}
	}
	return ""
}

// aliases gives names to words.
type aliases []struct{ word, name string }

// find returns the name of a word, empty if it has none.
func (t aliases) find(word string) string {
	for _, entry := range t {
		if entry.word == word {
			return entry.name
		}
	}
	return ""
}
