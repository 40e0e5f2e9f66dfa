package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/quarterround/quarterround/internal/atomicfile"
)

// maxSize bounds what is read of a file. The figures of every kernel at every
// length take some 2 MB.
const maxSize = 32 << 20

// What can be wrong with a report file, apart from what reading it may give.
var (
	ErrDamaged = errors.New("damaged")
	ErrForeign = errors.New("not a board report")
	ErrNewer   = errors.New("of a newer version")
	ErrHuge    = errors.New("too large")
)

// A FileError says which file is wrong, where, and in what way.
type FileError struct {
	File string
	// Place is a line and column ("line 7, column 12"), a field
	// ("points[3].ns"), or empty where the whole file is meant.
	Place string
	// Kind is ErrDamaged, ErrForeign, ErrNewer or ErrHuge, which errors.Is finds,
	// or the error of reading the file.
	Kind error
	// Detail says what was found and what would be right; it may be empty.
	Detail string
}

func (e *FileError) Error() string {
	text := e.File + ": "
	if e.Place != "" {
		text += e.Place + ": "
	}
	text += e.Kind.Error()
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

func (e *FileError) Unwrap() error { return e.Kind }

// Load reads and checks the report in a file. The error is a [*FileError].
func Load(file string) (*Report, error) {
	text, err := read(file)
	if err != nil {
		return nil, err
	}
	return Decode(file, text)
}

// read returns the content of a regular file that is not too long.
func read(file string) ([]byte, error) {
	info, err := os.Stat(file) // before opening, which would wait on a pipe
	if err != nil {
		return nil, unreadable(file, err)
	}
	if !info.Mode().IsRegular() {
		return nil, &FileError{File: file, Kind: ErrForeign, Detail: "not a regular file"}
	}
	opened, err := os.Open(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer opened.Close()
	text, err := io.ReadAll(io.LimitReader(opened, maxSize+1))
	if err != nil {
		return nil, unreadable(file, err)
	}
	if len(text) > maxSize {
		return nil, &FileError{File: file, Kind: ErrHuge, Detail: fmt.Sprintf("more than %d MiB", maxSize>>20)}
	}
	return text, nil
}

// unreadable wraps an error of the operating system, without the file name that
// is in it already.
func unreadable(file string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &FileError{File: file, Kind: err}
}

// Decode reads and checks a report; file is for errors, which are of type
// [*FileError]. Fields that it does not know are ignored.
func Decode(file string, text []byte) (*Report, error) {
	var head struct {
		Schema *int             `json:"schema"`
		Points *json.RawMessage `json:"points"`
	}
	if err := decode(file, text, &head); err != nil {
		return nil, err
	}
	switch {
	case head.Schema == nil || head.Points == nil:
		return nil, &FileError{File: file, Kind: ErrForeign, Detail: `it needs the fields "schema" and "points"`}
	case *head.Schema > Schema:
		return nil, &FileError{File: file, Place: "schema", Kind: ErrNewer, Detail: fmt.Sprintf("%d, and this program reads up to %d", *head.Schema, Schema)}
	case *head.Schema < 1:
		return nil, &FileError{File: file, Place: "schema", Kind: ErrDamaged, Detail: fmt.Sprintf("%d, which never was", *head.Schema)}
	}
	r := new(Report)
	if err := decode(file, text, r); err != nil {
		return nil, err
	}
	if err := r.validate(); err != nil {
		err.File = file
		return nil, err
	}
	return r, nil
}

// decode parses JSON, and turns its errors into ones that name the place.
func decode(file string, text []byte, v any) error {
	err := json.Unmarshal(text, v)
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case len(bytes.TrimSpace(text)) == 0:
		return &FileError{File: file, Kind: ErrDamaged, Detail: "empty"}
	case errors.As(err, &syntax):
		return &FileError{File: file, Place: place(text, syntax.Offset), Kind: ErrDamaged, Detail: syntax.Error()}
	case errors.As(err, &mistyped):
		where := place(text, mistyped.Offset)
		if mistyped.Field == "" {
			return &FileError{File: file, Place: where, Kind: ErrForeign, Detail: "it is a JSON " + mistyped.Value + ", not an object"}
		}
		return &FileError{File: file, Place: where + ", " + mistyped.Field, Kind: ErrDamaged,
			Detail: fmt.Sprintf("a %s where a %s belongs", mistyped.Value, mistyped.Type)}
	}
	return &FileError{File: file, Kind: ErrDamaged, Detail: err.Error()}
}

// place returns the line and column of the last byte before an offset, both
// counted from 1.
func place(text []byte, offset int64) string {
	before := text[:max(0, min(int(offset)-1, len(text)))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len(before) - (bytes.LastIndexByte(before, '\n') + 1) + 1
	return fmt.Sprintf("line %d, column %d", line, column)
}

// CheckSave returns the error that Save would fail with before it writes to a file.
// The error is a [*FileError].
func CheckSave(file string) error {
	if err := atomicfile.Check(file); err != nil {
		return unreadable(file, err)
	}
	return nil
}

// Save checks a report and writes it to a file, which is replaced in one step: a
// reader sees the old or the new one.
func Save(file string, r *Report) error {
	if err := r.validate(); err != nil {
		err.File = file
		return err
	}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if err := atomicfile.Write(file, append(text, '\n'), 0o644); err != nil { // made to be handed on
		return unreadable(file, err)
	}
	return nil
}
