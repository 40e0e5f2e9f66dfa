// Command filecrypt encrypts and decrypts files and pipes of any size in constant
// memory. It shows how a program uses quarterround; it is not a file format that
// anybody else reads.
//
//	filecrypt keygen KEYFILE
//	filecrypt encrypt -key KEYFILE [-aead NAME] [-o OUT] [IN]
//	filecrypt decrypt -key KEYFILE [-o OUT] [IN]
//
// Without IN it reads standard input, without -o it writes standard output. A
// file named with -o appears only once all of it is written and, when decrypting,
// authentic.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/quarterround/quarterround"
	"github.com/quarterround/quarterround/internal/atomicfile"
	"github.com/quarterround/quarterround/registry"
)

const usage = `usage: filecrypt keygen KEYFILE
       filecrypt encrypt -key KEYFILE [-aead NAME] [-o OUT] [IN]
       filecrypt decrypt -key KEYFILE [-o OUT] [IN]
`

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "filecrypt: %v\n", err)
		if errors.Is(err, errUsage) {
			fmt.Fprint(os.Stderr, usage)
		}
		os.Exit(1)
	}
}

// errUsage is in the errors after which the usage is printed.
var errUsage = errors.New("wrong usage")

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%w: no command", errUsage)
	}
	switch command, rest := args[0], args[1:]; command {
	case "keygen":
		return keygen(rest)
	case "encrypt", "decrypt":
		return crypt(command == "encrypt", rest)
	case "help", "-h", "-help", "--help":
		return flag.ErrHelp
	default:
		return fmt.Errorf("%w: unknown command %q", errUsage, command)
	}
}

// keygen writes a new key, 32 random bytes in hexadecimal, to a file that must
// not exist yet.
func keygen(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%w: keygen takes one file name", errUsage)
	}
	var key [32]byte
	rand.Read(key[:])
	f, err := os.OpenFile(args[0], os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(f, "%x\n", key); err != nil {
		return errors.Join(err, f.Close())
	}
	return f.Close()
}

// readKey reads what keygen wrote.
func readKey(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	key, err := hex.DecodeString(string(bytes.TrimSpace(text)))
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("%s does not hold a key: 64 hexadecimal digits", name)
	}
	return key, nil
}

// crypt runs the commands encrypt and decrypt.
func crypt(encrypting bool, args []string) error {
	flags := flag.NewFlagSet("filecrypt", flag.ContinueOnError)
	keyFile := flags.String("key", "", "key `file`")
	out := flags.String("o", "", "output `file` instead of standard output")
	name := flags.String("aead", registry.XChaCha20Poly1305.String(), "`algorithm` for encrypting")
	flags.SetOutput(io.Discard) // main prints errors, and a usage of its own
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return err
	} else if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	switch {
	case *keyFile == "":
		return fmt.Errorf("%w: -key is missing", errUsage)
	case flags.NArg() > 1:
		return fmt.Errorf("%w: %q is one input too many", errUsage, flags.Arg(1))
	}
	key, err := readKey(*keyFile)
	if err != nil {
		return err
	}
	library, err := quarterround.Auto()
	if err != nil {
		return err
	}
	in, err := openInput(flags.Arg(0))
	if err != nil {
		return err
	}
	defer in.Close()
	return writeTo(*out, func(w io.Writer) error {
		if !encrypting {
			return decrypt(w, in, library, key)
		}
		algorithm, ok := registry.ParseAlgorithm(*name)
		if !ok || !algorithm.IsAEAD() {
			return fmt.Errorf("%q is not an AEAD; chacha20poly1305, xchacha20poly1305 and xsalsa20poly1305 are", *name)
		}
		return encrypt(w, in, library, key, algorithm, rand.Reader)
	})
}

func openInput(name string) (*os.File, error) {
	if name == "" || name == "-" {
		return os.Stdin, nil
	}
	return os.Open(name)
}

// writeTo lets write fill the named file, which appears under its name only if write
// succeeds: a signal to end removes what there is of it. With an empty name it writes to
// standard output.
func writeTo(name string, write func(io.Writer) error) error {
	if name == "" || name == "-" {
		return write(os.Stdout)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	return atomicfile.WriteBy(name, 0o600, func(file *os.File) error {
		written := make(chan struct{})
		defer close(written)
		go func() {
			select {
			case s := <-signals:
				os.Remove(file.Name())
				fmt.Fprintf(os.Stderr, "filecrypt: %v: nothing was written\n", s)
				os.Exit(1)
			case <-written:
			}
		}()
		return write(file)
	})
}
