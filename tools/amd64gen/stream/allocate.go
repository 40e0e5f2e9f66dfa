package main

import "slices"

// A place is a register (0 and up) or the memory home of a variable.
type place struct {
	register int
	home     variable
	inMemory bool
}

// An instruction is an operation whose operands have places.
type instruction struct {
	kind      kind
	dst, a, b place
	n         int
}

// An allocator gives the variables of a loop body registers, evicting the one
// whose next use is farthest away (L. A. Belady, 1966), which is optimal but
// for the cost of the stores.
type allocator struct {
	body  []operation
	uses  map[variable][]int // positions where a variable is read or written
	where map[variable]int   // register of each variable that is in one
	holds []variable         // variable of each register, or none
	dirty map[variable]bool  // newer in the register than at home
	out   []instruction

	threeOperand bool // the destination of an instruction may differ from its sources
}

// none is the variable of an empty register.
const none variable = -1

// never is the position of the next use of a temporary that is dead.
const never = 1 << 30

// allocate returns the code of the loop body and, for each loop-carried
// variable, the place where the loop expects it on entry and leaves it.
func allocate(body []operation, registers int, carried []variable, threeOperand bool) ([]instruction, map[variable]place) {
	entry := map[variable]int{}
	for i, v := range carried {
		if i < registers {
			entry[v] = i
		}
	}
	best := []instruction(nil)
	var bestEntry map[variable]int
	// The places at the end of one pass make a better start for the next.
	for range 12 {
		al := newAllocator(body, registers, entry)
		al.threeOperand = threeOperand
		al.run()
		final := al.carriedPlaces(carried)
		al.restore(entry)
		if best == nil || len(al.out) < len(best) {
			best, bestEntry = al.out, entry
		}
		entry = final
	}
	places := map[variable]place{}
	for _, v := range carried {
		if r, ok := bestEntry[v]; ok {
			places[v] = place{register: r}
		} else {
			places[v] = place{home: v, inMemory: true}
		}
	}
	return best, places
}

// newAllocator returns an allocator with the given registers occupied.
func newAllocator(body []operation, registers int, entry map[variable]int) *allocator {
	al := &allocator{
		body:  body,
		uses:  map[variable][]int{},
		where: map[variable]int{},
		holds: slices.Repeat([]variable{none}, registers),
		dirty: map[variable]bool{},
	}
	for v, r := range entry {
		al.where[v], al.holds[r], al.dirty[v] = r, v, !isConstant(v)
	}
	for i, op := range body {
		for _, v := range op.variables() {
			if u := al.uses[v]; len(u) == 0 || u[len(u)-1] != i {
				al.uses[v] = append(u, i)
			}
		}
	}
	return al
}

// isConstant reports whether v never changes, so that its home is always good.
func isConstant(v variable) bool { return v == rotate16 || v == rotate8 }

// isTemporary reports whether v is dead after its last use.
func isTemporary(v variable) bool { return v >= temporary }

// variables returns what op reads and writes.
func (op operation) variables() []variable {
	if op.reads(2) {
		return []variable{op.dst, op.a, op.b}
	}
	return []variable{op.dst, op.a}
}

// reads reports whether op has n sources.
func (op operation) reads(n int) bool {
	return n == 1 || op.kind == opAdd || op.kind == opXor || op.kind == opShuffle
}

// nextUse returns the position of the next use of v after position i, counted
// on into the next pass of the loop; a dead temporary is farthest of all.
func (al *allocator) nextUse(v variable, i int) int {
	u := al.uses[v]
	k, _ := slices.BinarySearch(u, i+1)
	if k < len(u) {
		return u[k]
	}
	if isTemporary(v) || len(u) == 0 {
		return never
	}
	return len(al.body) + u[0]
}

// run emits the whole body.
func (al *allocator) run() {
	for i, op := range al.body {
		al.emit(i, op)
	}
}

// emit places the operands of one operation and appends it.
func (al *allocator) emit(i int, op operation) {
	commutes := op.kind == opAdd || op.kind == opXor
	if commutes && op.dst != op.a && !al.inRegister(op.a) && al.inRegister(op.b) {
		op.a, op.b = op.b, op.a
	}
	// x ^= t with x at home and t dying: t's register becomes x.
	if commutes && op.dst == op.a && !al.inRegister(op.a) && al.inRegister(op.b) &&
		isTemporary(op.b) && al.nextUse(op.b, i) == never {
		op.a, op.b = op.b, op.a
	}
	if al.threeOperand && commutes && op.dst == op.a && !al.inRegister(op.a) && al.inRegister(op.b) {
		al.emitFolded(i, op)
		return
	}
	pinned := op.variables()
	in := instruction{kind: op.kind, n: op.n}
	in.a = al.load(op.a, i, pinned)
	if op.reads(2) {
		in.b = al.source(op.b, i, pinned)
	}
	in.dst = al.destination(op, i, pinned)
	al.dirty[op.dst] = true
	al.out = append(al.out, in)
	for _, v := range pinned {
		if isTemporary(v) && al.nextUse(v, i) == never {
			al.release(v)
		}
	}
}

// emitFolded is emit for an operation x = x op y that commutes, with x at home: it reads
// x from there, where emit would load it into the register that x is to have afterwards.
func (al *allocator) emitFolded(i int, op operation) {
	in := instruction{kind: op.kind, n: op.n, a: place{register: al.where[op.b]}, b: place{home: op.a, inMemory: true}}
	r := al.free(i, op.variables())
	al.where[op.dst], al.holds[r], al.dirty[op.dst] = r, op.dst, true
	in.dst = place{register: r}
	al.out = append(al.out, in)
	if isTemporary(op.b) && al.nextUse(op.b, i) == never {
		al.release(op.b)
	}
}

// inRegister reports whether v is in a register.
func (al *allocator) inRegister(v variable) bool {
	_, ok := al.where[v]
	return ok
}

// load brings v into a register.
func (al *allocator) load(v variable, i int, pinned []variable) place {
	if r, ok := al.where[v]; ok {
		return place{register: r}
	}
	r := al.free(i, pinned)
	al.out = append(al.out, instruction{kind: opMove, dst: place{register: r}, a: place{home: v, inMemory: true}})
	al.where[v], al.holds[r] = r, v
	return place{register: r}
}

// source returns where to read v: its register, or its home if loading it
// would push out something that is needed earlier.
func (al *allocator) source(v variable, i int, pinned []variable) place {
	if al.inRegister(v) {
		return place{register: al.where[v]}
	}
	if slices.Contains(al.holds, none) || al.nextUse(v, i) < al.farthest(i, pinned) {
		return al.load(v, i, pinned)
	}
	return place{home: v, inMemory: true}
}

// farthest returns the next use of the register that free would evict.
func (al *allocator) farthest(i int, pinned []variable) int {
	far := -1
	for _, v := range al.holds {
		if !slices.Contains(pinned, v) {
			far = max(far, al.nextUse(v, i))
		}
	}
	return far
}

// destination returns the register that op writes. It takes over that of a
// source that dies here, if there is one.
func (al *allocator) destination(op operation, i int, pinned []variable) place {
	if r, ok := al.where[op.dst]; ok {
		return place{register: r}
	}
	for _, v := range []variable{op.a, op.b} {
		if r, ok := al.where[v]; ok && isTemporary(v) && al.nextUse(v, i) == never {
			al.release(v)
			al.where[op.dst], al.holds[r] = r, op.dst
			return place{register: r}
		}
	}
	r := al.free(i, pinned)
	al.where[op.dst], al.holds[r] = r, op.dst
	return place{register: r}
}

// free returns an empty register, evicting a variable if need be.
func (al *allocator) free(i int, pinned []variable) int {
	if r := slices.Index(al.holds, none); r >= 0 {
		return r
	}
	victim, far := none, -1
	for _, v := range al.holds {
		if n := al.nextUse(v, i); n > far && !slices.Contains(pinned, v) {
			victim, far = v, n
		}
	}
	r := al.where[victim]
	al.save(victim)
	al.release(victim)
	return r
}

// save writes v home if that is out of date.
func (al *allocator) save(v variable) {
	if al.dirty[v] {
		al.out = append(al.out, instruction{kind: opMove, dst: place{home: v, inMemory: true}, a: place{register: al.where[v]}})
		al.dirty[v] = false
	}
}

// release forgets that v is in a register.
func (al *allocator) release(v variable) {
	if r, ok := al.where[v]; ok {
		al.holds[r] = none
		delete(al.where, v)
	}
}

// carriedPlaces returns the registers of the loop-carried variables and
// constants as they are now.
func (al *allocator) carriedPlaces(carried []variable) map[variable]int {
	places := map[variable]int{}
	for _, v := range carried {
		if r, ok := al.where[v]; ok {
			places[v] = r
		}
	}
	return places
}

// restore moves everything back to where the body started.
func (al *allocator) restore(entry map[variable]int) {
	order := make([]variable, len(al.holds))
	for r := range order {
		order[r] = none
	}
	for v, r := range entry {
		order[r] = v
	}
	for _, v := range slices.Clone(al.holds) {
		if v == none {
			continue
		}
		if _, stays := entry[v]; !stays {
			al.save(v)
			al.release(v)
		}
	}
	for al.step(order) {
	}
	for r, v := range order {
		if v != none && !al.inRegister(v) {
			al.out = append(al.out, instruction{kind: opMove, dst: place{register: r}, a: place{home: v, inMemory: true}})
			al.where[v], al.holds[r] = r, v
		}
	}
}

// step makes one move towards order, from register to register if a target is
// empty, and otherwise home to break a cycle. It reports whether there was
// anything to do.
func (al *allocator) step(order []variable) bool {
	misplaced := none
	for r, v := range order {
		if v == none || !al.inRegister(v) || al.where[v] == r {
			continue
		}
		if al.holds[r] == none {
			al.out = append(al.out, instruction{kind: opMove, dst: place{register: r}, a: place{register: al.where[v]}})
			al.holds[al.where[v]] = none
			al.where[v], al.holds[r] = r, v
			return true
		}
		misplaced = v
	}
	if misplaced == none {
		return false
	}
	al.save(misplaced)
	al.release(misplaced)
	return true
}
