package main

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/quarterround/quarterround/tools/internal/gnuas"
)

// A kernel is a stream kernel, or one with a MAC beside it, in variables, before allocation: setup runs once
// a call; begin, the double rounds and end run once a step.
type kernel struct {
	isa
	name   string // symbol
	cipher string
	blocks int
	// unroll is the number of double rounds in a loop body.
	unroll int
	// constants are vector variables that setup makes and nothing changes;
	// framed ones live in the frame. carried are those which pass from step to
	// step.
	constants, framed, carried []string
	// words are general variables that pass from step to step, in registers at
	// the ends of a step unless they are in framedWords.
	words, framedWords []string
	// framedConstants are general variables that setup makes and nothing changes,
	// in the frame.
	framedConstants []string
	// arguments are those of the function, whose names and types prototype has;
	// those of a stream kernel if there are none.
	arguments []argument
	prototype string

	setup, begin []string
	// rounds are the loops of a step, one after the other.
	rounds []loop
	end    []string
	// finish runs once, after the last step.
	finish []string
	// bytes is used in place of end if dst or src is not a multiple of 4.
	bytes []string
	// pointed is true if whole vectors go to and from the frame through a
	// pointer: two instructions, one of which is integer, in place of two vector
	// ones.
	pointed bool
	model   machine
}

// A loop is a loop of a step: straight-line code that ends by setting the flags
// for another turn. between runs after the loop and before the next.
type loop struct {
	body    []string
	between []string
}

// An argument is the variable of an argument, its name in Go assembly and its offset
// in the frame in words.
type argument struct {
	name, frameName string
	word            int
}

// streamPrototype and streamArguments are those of a stream kernel, in Go order.
const streamPrototype = "dst, src []byte, state *[16]uint32, rounds int"

var streamArguments = []argument{
	{"dst", "dst_base", 0}, {"src", "src_base", 3}, {"len", "src_len", 4}, {"state", "state", 6}, {"rounds", "rounds", 7},
}

// stream reports whether the kernel is a stream kernel.
func (k *kernel) stream() bool { return k.arguments == nil }

// function allocates and schedules the kernel.
func (k *kernel) function() gnuas.Func {
	word := 8
	if k.arm() {
		word = 4
	}
	arguments := k.arguments
	if k.stream() {
		arguments = streamArguments
	}
	fn := gnuas.Func{
		Name: k.name, ArgSize: (arguments[len(arguments)-1].word + 1) * word,
	}
	f := &frame{base: k.arch.LinkSize(), slots: map[string]int{}}
	vectors := k.vectors()
	if k.pointed {
		vectors = vectors.pointed()
	}
	v := &allocator{file: vectors, frame: f, constant: map[string]bool{}, low: map[string]bool{"$k": k.arm()}}
	g := &allocator{file: k.generals(), frame: f, constant: map[string]bool{}}

	entry := places{}
	for i, a := range arguments {
		entry["%"+a.name] = i
		fn.Args = append(fn.Args, gnuas.Arg{Name: a.frameName, Offset: a.word * word, Reg: strings.TrimSuffix(k.x(""), "%") + itoa(i)})
	}
	outerG := places{}
	for i, a := range arguments {
		outerG["%"+a.name] = i
	}
	at := len(g.file.pool) - 1
	for _, w := range k.words {
		outerG["%"+w] = g.file.pool[at]
		at--
	}
	for _, w := range append(append([]string{}, k.framedWords...), k.framedConstants...) {
		outerG["%"+w] = inFrame
	}
	outerV := places{}
	at = len(v.file.pool) - 1
	for _, name := range append(append([]string{}, k.constants...), k.carried...) {
		outerV["$"+name] = v.file.pool[at]
		at--
	}
	for _, name := range k.framed {
		outerV["$"+name] = inFrame
	}

	both := func(code []string, beforeV, afterV, beforeG, afterG places, loop bool) []string {
		code, _ = v.block(code, beforeV, afterV, loop)
		code, _ = g.block(code, beforeG, afterG, loop)
		return schedule(code, k.model)
	}
	setup := both(k.setup, places{}, outerV, entry, outerG, false)
	for _, name := range k.framed {
		v.constant["$"+name] = true
	}
	for _, name := range k.framedConstants {
		g.constant["%"+name] = true
	}

	var text []string
	text = append(text, setup...)
	text = append(text, "step:")
	var maps []registerMap
	placeV, placeG := outerV, outerG
	begin := k.begin
	for i, l := range k.rounds {
		last := i == len(k.rounds)-1
		after := k.end
		if !last {
			after = l.between
		}
		homeV := v.settle(l.body, k.live(v, l.body, after, outerV), outerV)
		body, _ := v.block(l.body, homeV, homeV, true)
		homeG := g.settle(body, k.live(g, body, after, outerG), outerG)
		text = append(text, both(begin, placeV, homeV, placeG, homeG, false)...)
		text = append(text, fmt.Sprintf("rounds%d:", i+1))
		text = append(text, both(body, homeV, homeV, homeG, homeG, true)...)
		text = append(text, k.branch(fmt.Sprintf("rounds%d", i+1)))
		placeV, placeG = homeV, homeG
		maps = append(maps, registerMap{homeV, homeG})
		begin = l.between
	}
	if k.bytes != nil {
		check := []string{"orr r%t, r%dst, r%src", "tst r%t, #3"}
		text = append(text, both(check, placeV, placeV, placeG, placeG, false)...)
		text = append(text, "bne bytes")
	}
	text = append(text, both(k.end, placeV, outerV, placeG, outerG, false)...)
	text = append(text, k.branch("step"))
	if k.bytes != nil {
		text = append(text, "b done", "bytes:")
		text = append(text, both(k.bytes, placeV, outerV, placeG, outerG, false)...)
		text = append(text, "bne step", "done:")
	}
	if k.finish != nil {
		text = append(text, both(k.finish, outerV, places{}, outerG, places{}, false)...)
	}
	fn.Doc = k.describe(maps)
	fn.Text = strings.Join(text, "\n")
	fn.Frame = max(8, (f.size+7)&^7)
	return fn
}

func (k *kernel) branch(label string) string {
	if k.arm() {
		return "bne " + label
	}
	return "b.ne " + label
}

// live lists the variables of one register file that live across the ends of a
// loop body: what it reads before writing, what the code after it reads before
// writing, and what lives on to the next step.
func (k *kernel) live(a *allocator, body, after []string, outer places) []string {
	set := map[string]bool{}
	for _, code := range [][]string{body, append(append([]string{}, body...), after...)} {
		written := map[string]bool{}
		for _, text := range code {
			ins := parse(text)
			for _, v := range a.mine(ins.uses) {
				if !written[v] && !ins.partial {
					set[v] = true
				}
			}
			for _, v := range a.mine(ins.defs) {
				written[v] = true
			}
		}
	}
	written := map[string]bool{}
	for _, text := range after {
		ins := parse(text)
		for _, v := range a.mine(ins.uses) {
			if !written[v] && !ins.partial {
				set[v] = true
			}
		}
		for _, v := range a.mine(ins.defs) {
			written[v] = true
		}
	}
	for v := range outer {
		set[v] = true
	}
	names := make([]string, 0, len(set))
	for v := range set {
		names = append(names, v)
	}
	sort.Strings(names)
	return names
}

// settle finds places at the ends of a loop body between which it needs the
// fewest instructions.
func (a *allocator) settle(body, live []string, outer places) places {
	first := map[string]int{}
	for i, text := range body {
		ins := parse(text)
		for _, v := range append(ins.uses, ins.defs...) {
			if _, ok := first[v]; !ok {
				first[v] = i
			}
		}
	}
	home := a.firstGuess(first, live, outer)
	best, cost := home, 1<<30
	for range 40 {
		code, ended := a.block(body, home, home, true)
		if len(code) < cost {
			best, cost = home, len(code)
		}
		home = ended
	}
	return best
}

// firstGuess gives registers to the variables that the body uses, in the order
// of their first use, then to others as far as there are any. Variables with a
// register outside the loop keep it.
func (a *allocator) firstGuess(first map[string]int, live []string, outer places) places {
	order := slices.Clone(live)
	sort.SliceStable(order, func(i, j int) bool {
		x, xok := first[order[i]]
		y, yok := first[order[j]]
		if xok != yok {
			return xok
		}
		return x < y
	})
	home, taken := places{}, map[int]bool{}
	for i, v := range order {
		home[v] = inFrame
		if r, ok := outer[v]; ok && r != inFrame && i < len(a.file.pool) {
			home[v], taken[r] = r, true
		}
	}
	for i, v := range order {
		if home[v] != inFrame || i >= len(a.file.pool) {
			continue
		}
		for _, r := range a.file.pool {
			if !taken[r] {
				home[v], taken[r] = r, true
				break
			}
		}
	}
	return home
}

// interleave merges streams of instructions in proportion to their lengths.
func interleave(streams ...[]string) []string {
	var out []string
	total := 0
	for _, s := range streams {
		total = max(total, len(s))
	}
	at := make([]int, len(streams))
	for i := range total {
		for j, s := range streams {
			for end := (i + 1) * len(s) / total; at[j] < end; at[j]++ {
				out = append(out, s[at[j]])
			}
		}
	}
	return out
}

// A stagger merges instructions in the order of the times they are added with,
// and of adding where these are equal.
type stagger []struct {
	at   int
	text string
}

func (s *stagger) add(at int, text string) {
	*s = append(*s, struct {
		at   int
		text string
	}{at, text})
}

func (s stagger) lines() []string {
	sort.SliceStable(s, func(i, j int) bool { return s[i].at < s[j].at })
	out := make([]string, len(s))
	for i := range s {
		out[i] = s[i].text
	}
	return out
}

// concat joins streams.
func concat(streams ...[]string) []string {
	var out []string
	for _, s := range streams {
		out = append(out, s...)
	}
	return out
}
