// Package peers makes the programs that run the routines of other libraries
// for the cycle model: OpenSSL, nettle and libsodium as Debian builds them for
// armhf and arm64, and golang.org/x/crypto.
//
// Debian's packages are downloaded and unpacked into a private folder; the
// system's own package state is not touched.
package peers

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/quarterround/quarterround/tools/cyclemodel/trace"
)

//go:embed runner/peers.c
var source []byte

// A target is one architecture by its several names.
type target struct {
	arch   *trace.Arch
	debian string
	triple string
}

var targets = []target{
	{trace.ARM, "armhf", "arm-linux-gnueabihf"},
	{trace.ARM64, "arm64", "aarch64-linux-gnu"},
}

// Tools are the programs that Make starts.
var Tools = []string{"apt-get", "dpkg", "arm-linux-gnueabihf-gcc", "aarch64-linux-gnu-gcc"}

// packages are the Debian packages unpacked for each architecture.
var packages = []string{"nettle-dev", "libssl-dev", "libsodium-dev"}

// Dir returns the folder that holds the packages and programs: under the
// user's cache folder.
func Dir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "quarterround-cyclemodel"), nil
}

// C returns the program that runs the C libraries' routines, as made by Make.
// The error wraps fs.ErrNotExist if it has not been made.
func C(dir string, arch *trace.Arch) (*trace.Program, error) {
	p := &trace.Program{Arch: arch, Path: filepath.Join(dir, "peers."+arch.Name), Begin: "mark_begin", End: "mark_end"}
	_, err := os.Stat(p.Path)
	return p, err
}

// Make downloads and unpacks the packages unless that is done, and builds the
// programs of all architectures in dir.
func Make(dir string) error {
	for _, t := range targets {
		if err := fetch(dir, t); err != nil {
			return err
		}
		if err := build(dir, t); err != nil {
			return err
		}
	}
	return nil
}

// aptConfig lets apt-get know of the foreign architectures without telling the
// system's dpkg: lists and cache are private.
const aptConfig = `APT::Architectures { "armhf"; "arm64"; };
Dir::State::lists "%[1]s/lists";
Dir::Cache "%[1]s/cache";
Acquire::Languages "none";
APT::Sandbox::User "";
`

// fetch unpacks the packages of one architecture.
func fetch(dir string, t target) error {
	root := filepath.Join(dir, t.debian)
	done := filepath.Join(root, "done")
	if _, err := os.Stat(done); err == nil {
		return nil
	}
	debs := filepath.Join(dir, "debs-"+t.debian)
	apt := filepath.Join(dir, "apt")
	err := errors.Join(
		os.MkdirAll(root, 0o777),
		os.RemoveAll(debs),
		os.MkdirAll(debs, 0o777),
		os.MkdirAll(filepath.Join(apt, "lists", "partial"), 0o777),
		os.MkdirAll(filepath.Join(apt, "cache", "archives", "partial"), 0o777),
		os.WriteFile(filepath.Join(apt, "apt.conf"), fmt.Appendf(nil, aptConfig, apt), 0o666),
	)
	if err != nil {
		return err
	}
	// One list of several may fail, as when a mirror is out of step: whether
	// the rest is enough shows in the download.
	updateErr := command(debs, apt, "apt-get", "-qq", "update")
	args := []string{"-qq", "download"}
	for _, p := range packages {
		args = append(args, p+":"+t.debian)
	}
	if err := command(debs, apt, "apt-get", args...); err != nil {
		return errors.Join(updateErr, err)
	}
	files, err := filepath.Glob(filepath.Join(debs, "*.deb"))
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := command(debs, apt, "dpkg", "-x", f, root); err != nil {
			return err
		}
	}
	return os.WriteFile(done, nil, 0o666)
}

// build compiles peers.c statically for one architecture.
func build(dir string, t target) error {
	file := filepath.Join(dir, "peers.c")
	if err := os.WriteFile(file, source, 0o666); err != nil {
		return err
	}
	usr := filepath.Join(dir, t.debian, "usr")
	return command(dir, filepath.Join(dir, "apt"), t.triple+"-gcc", "-O2", "-static",
		"-I"+filepath.Join(usr, "include"), "-I"+filepath.Join(usr, "include", t.triple),
		"-o", filepath.Join(dir, "peers."+t.arch.Name), file,
		"-L"+filepath.Join(usr, "lib", t.triple), "-lnettle", "-lsodium", "-lcrypto", "-ldl", "-lpthread",
		"-Wl,--no-warnings", "-w")
}

// command runs a program in dir with apt's configuration in the environment.
func command(dir, apt, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "APT_CONFIG="+filepath.Join(apt, "apt.conf"))
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out.Bytes())
	}
	return nil
}
