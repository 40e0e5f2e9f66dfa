package ctcheck

import (
	"bufio"
	"debug/elf"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

//go:embed plugin/plugin.c
var pluginSource []byte

// BuildPlugin builds the QEMU plugin in the directory and returns its path.
func BuildPlugin(dir string) (string, error) {
	source, plugin := filepath.Join(dir, "plugin.c"), filepath.Join(dir, "plugin.so")
	if err := os.WriteFile(source, pluginSource, 0o666); err != nil {
		return "", err
	}
	out, err := exec.Command("gcc", "-O2", "-Wall", "-shared", "-fPIC", "-o", plugin, source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the plugin: %w\n%s", err, out)
	}
	return plugin, nil
}

// Emulated returns the tracer that runs the victim under an emulator with the
// plugin. emulator is its command line.
func Emulated(plugin string, emulator ...string) Tracer {
	return func(victim, kernel string, n, count int) ([]Record, error) {
		begin, end, err := marks(victim)
		if err != nil {
			return nil, err
		}
		out, err := os.CreateTemp(filepath.Dir(plugin), "records")
		if err != nil {
			return nil, err
		}
		defer os.Remove(out.Name())
		defer out.Close()
		command := append(append([]string{}, emulator...),
			"-plugin", fmt.Sprintf("%s,begin=%#x,end=%#x,out=%s", plugin, begin, end, out.Name()),
			victim, kernel, strconv.Itoa(n), strconv.Itoa(count), "call")
		cmd := exec.Command(command[0], command[1:]...)
		cmd.Env = append(os.Environ(), environment...)
		if text, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", kernel, err, text)
		}
		records, err := readRecords(out)
		if err != nil {
			return nil, err
		}
		if len(records) == 0 {
			return nil, fmt.Errorf("%s: nothing between the marks", kernel)
		}
		return records[1:], nil
	}
}

func readRecords(r io.Reader) ([]Record, error) {
	var records []Record
	for lines := bufio.NewScanner(r); lines.Scan(); {
		var r Record
		if _, err := fmt.Sscanf(lines.Text(), "%d %x %x", &r.Count, &r.Path, &r.Data); err != nil {
			return nil, fmt.Errorf("record %q: %w", lines.Text(), err)
		}
		records = append(records, r)
	}
	return records, nil
}

// marks returns the addresses of the victim's marker functions.
func marks(victim string) (begin, end uint64, err error) {
	f, err := elf.Open(victim)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return 0, 0, err
	}
	for _, s := range symbols {
		switch s.Name {
		case "main.markBegin":
			begin = s.Value
		case "main.markEnd":
			end = s.Value
		}
	}
	if begin == 0 || end == 0 {
		return 0, 0, fmt.Errorf("%s has no marker functions", victim)
	}
	return begin, end, nil
}
