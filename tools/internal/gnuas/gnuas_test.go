package gnuas

import (
	"strings"
	"testing"

	"github.com/quarterround/quarterround/internal/testenv"
)

// Encodings found by hand in the ARM Architecture Reference Manual's tables.
func TestAssembleARM(t *testing.T) {
	testenv.NeedTool(t, ARM.Assembler())
	lines, err := Assemble(ARM, `
		vadd.i32 q0, q0, q2
		// a comment
	loop:
		vsri.32 q1, q0, #25
		vld1.8 {d0-d3}, [r0]!
		vrev32.16 q0, q0
		vtbl.8 d0, {d1}, d2
		bne loop`)
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{0xf2200844, 0, 0, 0xf3a72450, 0xf420020d, 0xf3b400c0, 0xf3b10802, 0x1afffffa}
	for i, l := range lines {
		if l.Word != want[i] {
			t.Errorf("%s: word %08x, want %08x", l.Text, l.Word, want[i])
		}
	}
}

func TestAssembleARM64(t *testing.T) {
	testenv.NeedTool(t, ARM64.Assembler())
	lines, err := Assemble(ARM64, "l:\nadd v0.4s, v0.4s, v4.4s\ncbnz x3, l")
	if err != nil {
		t.Fatal(err)
	}
	want := []uint32{0, 0x4ea48400, 0xb5ffffe3}
	for i, l := range lines {
		if l.Word != want[i] {
			t.Errorf("%s: word %08x, want %08x", l.Text, l.Word, want[i])
		}
	}
}

func TestAssembleErrors(t *testing.T) {
	testenv.NeedTool(t, ARM.Assembler())
	for _, text := range []string{"vadd.i32 q0, q0, q16", "bne nowhere", "ldr r0, =0x12345678", "nop\n.word 1, 2"} {
		if _, err := Assemble(ARM, text); err == nil {
			t.Errorf("%q was accepted", text)
		}
	}
	_, err := Assemble(ARM, "nop\nbad r0")
	if err == nil || !strings.Contains(err.Error(), "[bad r0]") {
		t.Errorf("message does not quote the text: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for _, bad := range []string{"mov r10, r0", "ldr r1, [r11]", "push {r4}", "add sp, sp, #4", "ldr r0, [sp], #4", "str r0, [sp, #4]!", "mov pc, r0"} {
		if Check(ARM, bad) == nil {
			t.Errorf("arm: %q was accepted", bad)
		}
	}
	for _, bad := range []string{"mov x18, x0", "add w28, w0, w1", "stp x0, x1, [sp, #-16]!", "ldr x30, [sp]"} {
		if Check(ARM64, bad) == nil {
			t.Errorf("arm64: %q was accepted", bad)
		}
	}
	if err := Check(ARM, "ldr r1, [sp, #4]\nvstr d10, [sp, #8]"); err != nil {
		t.Error(err)
	}
	if err := Check(ARM64, "mov v18.16b, v28.16b\nldr q27, [sp, #16]"); err != nil {
		t.Error(err)
	}
}

// TestEither checks that the form of a line for big-endian processors is in the GNU text
// only, and is checked like the other.
func TestEither(t *testing.T) {
	testenv.NeedTool(t, ARM.Assembler())
	f := &File{Arch: ARM, Funcs: []Func{{Name: "f", Text: LoadBytes("ldr r1, [r0]", "r1") + "\n" + StoreBytes("str r1, [r0]", "r1")}}}
	text, err := f.GoAssembly()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), "// ldr r1, [r0]\n") || strings.Contains(string(text), "rev") {
		t.Errorf("Go assembly:\n%s", text)
	}
	gnu := f.GNU()
	for _, want := range []string{
		"#ifdef __ARM_BIG_ENDIAN\n\tldr r1, [r0]; rev r1, r1\n#else\n\tldr r1, [r0]\n#endif\n",
		"#ifdef __ARM_BIG_ENDIAN\n\trev r1, r1; str r1, [r0]\n#else\n\tstr r1, [r0]\n#endif\n",
	} {
		if !strings.Contains(gnu, want) {
			t.Errorf("no %q in\n%s", want, gnu)
		}
	}
	if Check(ARM, Either("mov r0, r1", "mov r0, r1", "mov r10, r0")) == nil {
		t.Error("a reserved register in the second form was accepted")
	}
}
