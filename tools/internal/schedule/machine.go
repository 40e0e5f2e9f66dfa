package schedule

// A unit takes at most one instruction a cycle, the alu apart.
type unit int

const (
	alu unit = iota
	shifter
	multiplier
	memory
	vector
	vectorMemory
	units
)

// A class is a group of instructions with the same cost.
type class int

const (
	classALU class = iota
	classShifted
	classMultiply
	classLoad
	classStore
	classVector
	classVectorLong // a product or a narrowing over 128 bits
	classVectorMultiply
	classVectorInsert // shift and insert or accumulate
	classVectorPermute
	classVectorLoad
	classVectorStore
	classes
)

// cost is what an instruction of a class takes: the unit, for how many cycles
// it is busy, and after how many the result can be used.
type cost struct {
	unit               unit
	occupancy, latency int
}

// A Machine is an in-order core as the scheduler sees it. The figures are
// those of the project's cycle model, which says where they come from.
type Machine struct {
	width    int
	blocking bool // a 128-bit operation issues for two cycles
	classes  [classes]cost
}

// CortexA53 runs one vector instruction of any width and one other a cycle.
var CortexA53 = &Machine{
	width: 2,
	classes: [classes]cost{
		classALU:            {alu, 1, 1},
		classShifted:        {shifter, 1, 2},
		classMultiply:       {multiplier, 3, 4},
		classLoad:           {memory, 1, 3},
		classStore:          {memory, 1, 1},
		classVector:         {vector, 1, 3},
		classVectorLong:     {vector, 1, 3},
		classVectorMultiply: {vector, 1, 4},
		classVectorInsert:   {vector, 1, 3},
		classVectorPermute:  {vector, 1, 3},
		classVectorLoad:     {vector, 1, 5},
		classVectorStore:    {vector, 1, 1},
	},
}

// CortexA7 issues one instruction a cycle, and a 128-bit one in two.
var CortexA7 = &Machine{
	width:    1,
	blocking: true,
	classes: [classes]cost{
		classALU:            {alu, 1, 1},
		classShifted:        {shifter, 1, 2},
		classMultiply:       {multiplier, 2, 3},
		classLoad:           {memory, 1, 3},
		classStore:          {memory, 1, 1},
		classVector:         {vector, 1, 4},
		classVectorLong:     {vector, 2, 5},
		classVectorMultiply: {vector, 2, 5},
		classVectorInsert:   {vector, 1, 4},
		classVectorPermute:  {vector, 1, 4},
		classVectorLoad:     {vectorMemory, 2, 6},
		classVectorStore:    {vectorMemory, 2, 1},
	},
}

// CortexA7Multiplier is CortexA7 with a result of the integer multiplier a cycle later:
// an order of integer code that is as good for A5 and A7, and better for A8, whose
// multiplier is slower.
var CortexA7Multiplier = CortexA7.with(classMultiply, cost{multiplier, 2, 4})

// with returns m with another cost of a class.
func (m Machine) with(c class, to cost) *Machine {
	m.classes[c] = to
	return &m
}

// CortexA8 issues two instructions a cycle; vector loads, stores and permutes
// go beside vector arithmetic.
var CortexA8 = &Machine{
	width: 2,
	classes: [classes]cost{
		classALU:            {alu, 1, 1},
		classShifted:        {shifter, 1, 1},
		classMultiply:       {multiplier, 4, 6},
		classLoad:           {memory, 1, 3},
		classStore:          {memory, 1, 1},
		classVector:         {vector, 1, 2},
		classVectorLong:     {vector, 1, 2},
		classVectorMultiply: {vector, 2, 6},
		classVectorInsert:   {vector, 2, 3},
		classVectorPermute:  {vectorMemory, 1, 2},
		classVectorLoad:     {vectorMemory, 2, 4},
		classVectorStore:    {vectorMemory, 2, 1},
	},
}

// CortexA9 runs one vector instruction of any width a cycle, with long latencies.
var CortexA9 = &Machine{
	width: 2,
	classes: [classes]cost{
		classALU:            {alu, 1, 1},
		classShifted:        {shifter, 1, 2},
		classMultiply:       {multiplier, 3, 5},
		classLoad:           {memory, 1, 3},
		classStore:          {memory, 1, 1},
		classVector:         {vector, 1, 3},
		classVectorLong:     {vector, 1, 3},
		classVectorMultiply: {vector, 2, 7},
		classVectorInsert:   {vector, 1, 6},
		classVectorPermute:  {vector, 2, 2},
		classVectorLoad:     {vectorMemory, 1, 3},
		classVectorStore:    {vectorMemory, 1, 1},
	},
}

func (m *Machine) occupancy(o *op) int {
	if o.units > 0 {
		return max(1, o.units)
	}
	n := m.classes[o.class].occupancy
	if m.blocking && o.wide {
		n = max(n, 2)
	}
	return n
}

// latency returns after how many cycles o's result in r can be used. A base
// register that a load or store advances is ready in the next cycle.
func (m *Machine) latency(o *op, r resource) int {
	if r == o.base {
		return 1
	}
	c := &m.classes[o.class]
	return c.latency + m.occupancy(o) - c.occupancy
}
