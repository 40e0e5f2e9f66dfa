// Command protogen makes the Go code of the plugin protocol with protoc, which
// must be installed (Debian: protobuf-compiler), and the generators whose
// versions go.mod holds.
//
//	go run ./protogen ../plugin/proto [OUTPUT]
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// generators are the plugins of protoc, by the name of the program.
var generators = map[string]string{
	"protoc-gen-go":      "google.golang.org/protobuf/cmd/protoc-gen-go",
	"protoc-gen-go-grpc": "google.golang.org/grpc/cmd/protoc-gen-go-grpc",
}

func main() {
	if err := generate(os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "protogen: %v\n", err)
		os.Exit(1)
	}
}

// generate writes the code of the folder args[0] there, or to args[1].
func generate(args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("usage: protogen FOLDER [OUTPUT]")
	}
	source, output := args[0], args[len(args)-1]
	programs, err := os.MkdirTemp("", "protogen")
	if err != nil {
		return err
	}
	defer os.RemoveAll(programs)
	arguments := []string{
		"--proto_path=" + source,
		"--go_out=" + output, "--go_opt=paths=source_relative",
		"--go-grpc_out=" + output, "--go-grpc_opt=paths=source_relative",
	}
	for name, path := range generators {
		program := filepath.Join(programs, name)
		if err := run("go", "build", "-o", program, path); err != nil {
			return err
		}
		arguments = append(arguments, "--plugin="+name+"="+program)
	}
	return run("protoc", append(arguments, "quarterround.proto")...)
}

func run(name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	return command.Run()
}
