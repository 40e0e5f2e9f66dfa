package main

import (
	"github.com/quarterround/quarterround/tools/internal/gnuas"
	"github.com/quarterround/quarterround/tools/internal/schedule"
)

// Stack offsets of the hybrid beyond those of the scalar kernel.
const (
	stackTable = 52
	stackLanes = 56
	stackMsg   = 64
	stackCount = 80
	hybridARM  = 80 // bytes of the frame
)

const hybridARMDoc = `
Eight blocks in lanes, and beside them two blocks of another part of the message
in base 2^32 (internal/polyasm/blocks_arm.s explains that text), which takes all
integer registers: the pointers of the vector part are on the stack, too, from
sp+52: table, lanes, and from sp+64 the blocks and from sp+80 the iterations to
go.`

// hybrid32 returns the function. There is a scalar block beside each group.
func hybrid32() gnuas.Func {
	k := &neon32{groups: 2, machine: schedule.CortexA8}
	arrange := func(text string, loop bool) string {
		return schedule.Body(gnuas.ARM, k.machine, text, loop)
	}
	low := [4]string{"r4", "r6", "r8", "r12"}
	high := [4]string{"r5", "r7", "r9", "r0"}
	var body program
	body.text(k.carry32())
	for g := range k.groups {
		body.line("ldr r1, [sp, #%d]", stackMsg)
		body.text(split32(g, "r1"))
		body.line("str r1, [sp, #%d]", stackMsg)
		body.line("ldr r3, [sp, #%d]", stackTable)
		if g == 1 {
			body.line("add r3, r3, #72")
		}
		for _, list := range []string{"d0-d3", "d4-d7", "d8"} {
			body.line("vld1.32 {%s}, [r3]!", list)
		}
		if g == 0 {
			body.text(addLanes32())
		}
		body.text(products32(g))
		body.text(block32(low, high))
	}
	body.line("ldr r3, [sp, #%d]", stackCount)
	body.line("subs r3, r3, #1")
	body.line("str r3, [sp, #%d]", stackCount)

	var p program
	p.text(k.hybridPrologue(low))
	p.line("loop:")
	p.text(arrange(body.String(), true))
	p.line("bne loop")
	p.text(storeH32(low))
	var end program
	end.line("ldr r0, [sp, #%d]", stackLanes)
	end.text(k.carry32())
	for _, q := range sums32 {
		end.line("vst1.32 {%s}, [r0]!", q.low())
	}
	p.text(arrange(end.String(), false))
	return gnuas.Func{
		Name: "neonHybrid",
		Doc:  "func neonHybrid(lanes *lanes26, table *uint32, msg *byte, n int, h *[3]uint64, r *[2]uint64, tail *byte)\n" + hybridARMDoc,
		Args: []gnuas.Arg{
			{Name: "lanes", Offset: 0, Reg: "r0"}, {Name: "table", Offset: 4, Reg: "r1"},
			{Name: "msg", Offset: 8, Reg: "r2"}, {Name: "n", Offset: 12, Reg: "r3"},
			{Name: "h", Offset: 16, Reg: "r4"}, {Name: "r", Offset: 20, Reg: "r5"},
			{Name: "tail", Offset: 24, Reg: "r6"},
		},
		ArgSize: 28,
		Frame:   hybridARM,
		Text:    p.String(),
	}
}

// hybridPrologue returns the text that puts the arguments where the loop wants
// them.
func (k *neon32) hybridPrologue(low [4]string) string {
	var p program
	p.line("str r0, [sp, #%d]", stackLanes)
	p.line("str r1, [sp, #%d]", stackTable)
	p.line("str r2, [sp, #%d]", stackMsg)
	p.line("str r3, [sp, #%d]", stackCount)
	p.line("str r4, [sp, #%d]", stackPtr)
	p.text(k.loadSums32())
	p.text(coefficients32("r5", [4]string{"r1", "r3", "r7", "r9"}))
	p.line("mov r2, r6")
	p.line("%s", gnuas.Half("ldr", "r0", "r4", 4))
	for i := 3; i >= 0; i-- {
		p.line("%s", gnuas.Half("ldr", low[i], "r4", i))
	}
	return p.String()
}
