// Package emit turns an avo context into the assembly files of the amd64
// backends: it compiles the functions, and puts a drawing of registers and data
// in front of them.
package emit

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"

	"github.com/quarterround/quarterround/registry"
)

// registryPath is the package whose types appear in the kernels' signatures.
var registryPath = reflect.TypeFor[registry.MACState]().PkgPath()

// NewContext returns a context for one assembly file, under the build tag of
// all assembly in the library. Signatures may name the types of the registry.
func NewContext() *build.Context {
	c := build.NewContext()
	c.Package(registryPath)
	c.ConstraintExpr("gc,!purego")
	return c
}

// WriteFile compiles what is in the context and writes it to path. The text of
// header, lines without comment signs, goes between the build constraint and
// the code.
func WriteFile(c *build.Context, path, generator, header string) error {
	file, err := c.Result()
	if err != nil {
		return err
	}
	if err := pass.Compile.Execute(file); err != nil {
		return err
	}
	config := printer.Config{Argv: append([]string{"go", "-C", "tools", "run", generator}, os.Args[1:]...), Pkg: "registry"}
	text, err := printer.NewGoAsm(config).Print(file)
	if err != nil {
		return err
	}
	const include = "#include \"textflag.h\"\n"
	before, after, found := bytes.Cut(text, []byte(include))
	if !found {
		return fmt.Errorf("%s: no textflag.h", path)
	}
	var out bytes.Buffer
	out.Write(before)
	for line := range strings.Lines(strings.TrimSpace(header) + "\n") {
		out.WriteString(strings.TrimRight("// "+line, " \n") + "\n")
	}
	out.WriteString("\n" + include)
	out.Write(after)
	return os.WriteFile(path, out.Bytes(), 0o644)
}

// Text starts a function.
func Text(c *build.Context, name, signature string) {
	c.Function(name)
	c.Attributes(attr.NOSPLIT)
	c.SignatureExpr(signature)
}
