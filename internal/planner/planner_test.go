package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// bruteForce returns the least cost of n blocks over all sequences of calls, by
// trying them all. A call of k with s steps covers s*width blocks; only the last
// one may cover more than is left.
func bruteForce(kernels []Kernel, o Overhead, n int) float64 {
	if n == 0 {
		return 0
	}
	best := math.Inf(1)
	for _, k := range kernels {
		for steps := 1; ; steps++ {
			cost := o.Call + k.Fixed + float64(steps)*k.PerStep
			covered := steps * k.Blocks
			if covered >= n {
				if scratch := o.Scratch + float64(n-(steps-1)*k.Blocks)*o.CopyBlock; (covered > n || o.Partial) && !k.Granular && scratch > 0 {
					cost += scratch
					if steps > 1 { // the scratch step is a call of its own
						cost += o.Call + k.Fixed
					}
				}
				best = min(best, cost)
				break
			}
			best = min(best, cost+bruteForce(kernels, o, n-covered))
		}
	}
	return best
}

// randomKernels returns kernels of one simplicity, so that no hysteresis
// interferes.
func randomKernels(random *rand.Rand, granular bool) []Kernel {
	var kernels []Kernel
	for i := range 1 + random.IntN(3) {
		blocks := 1 + random.IntN(5)
		kernels = append(kernels, Kernel{ID: i, Blocks: blocks, Granular: granular,
			Fixed: float64(random.IntN(50)), PerStep: float64(50 + random.IntN(100*blocks))})
	}
	return kernels
}

func TestExactness(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 300 {
		kernels := randomKernels(random, trial%3 == 0)
		o := Overhead{Call: float64(random.IntN(20)), Scratch: float64(random.IntN(40)), CopyBlock: float64(random.IntN(8)), Partial: trial%2 == 1}
		table := Build(kernels, o)
		for n := range 12 {
			want := bruteForce(kernels, o, n)
			if got := table.CostOf(n); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%+v, %+v: %d blocks cost %v, least is %v", kernels, o, n, got, want)
			}
			if got := table.Under(kernels, o).CostOf(n); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%+v, %+v: %d blocks: parts %v cost %v, the table says %v", kernels, o, n, table.For(n), got, want)
			}
		}
	}
}

// TestCoverage checks that the parts cover n blocks and no step more.
func TestCoverage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		kernels := randomKernels(random, false)
		o := Overhead{Call: 5, Scratch: 10, CopyBlock: 2, Partial: random.IntN(2) == 1}
		table := Build(kernels, o)
		for n := range 200 {
			left := n
			for i, p := range table.For(n) {
				width := kernels[p.ID].Blocks
				if left <= (p.Steps-1)*width || i > 0 && left <= 0 {
					t.Fatalf("%d blocks: %v has a call for nothing", n, table.For(n))
				}
				if i == 0 && o.Partial && n > table.Limit() && left <= p.Steps*width {
					t.Fatalf("%d blocks: %v has the partial block in a step in place", n, table.For(n))
				}
				left -= p.Steps * width
			}
			if left > 0 {
				t.Fatalf("%d blocks: %v leaves %d", n, table.For(n), left)
			}
		}
	}
}

func TestCompositions(t *testing.T) {
	one := Kernel{ID: 1, Blocks: 1, PerStep: 100}
	three := Kernel{ID: 3, Blocks: 3, PerStep: 150}
	dear := Kernel{ID: 3, Blocks: 3, PerStep: 290}
	for _, tt := range []struct {
		kernels []Kernel
		n       int
		want    []Part
	}{
		{[]Kernel{one, three}, 7, []Part{{3, 2}, {1, 1}}}, // 3+3+1
		{[]Kernel{one, three}, 8, []Part{{3, 3}}},         // one thrown away
		{[]Kernel{one, three}, 2, []Part{{3, 1}}},         // 150 < 200
		{[]Kernel{one, three}, 1, []Part{{1, 1}}},         // two thrown away would cost 150
		{[]Kernel{three}, 7, []Part{{3, 3}}},              // two thrown away
		{[]Kernel{one, dear}, 5, []Part{{3, 1}, {1, 2}}},  // 290+200 < 580
		{[]Kernel{one, three}, 99, []Part{{3, 33}}},       // beyond the table
		{[]Kernel{one, three}, 100, []Part{{3, 33}, {1, 1}}},
	} {
		if got := Build(tt.kernels, Overhead{}).For(tt.n); !slices.Equal(got, tt.want) {
			t.Errorf("%d blocks: %v, want %v", tt.n, got, tt.want)
		}
	}
}

func TestHysteresis(t *testing.T) {
	for _, tt := range []struct {
		simple, other, spread float64
		want                  int
	}{
		{100, 98, 0, 0},    // two per cent are noise
		{100, 96, 0, 1},    // four are not
		{100, 96, 0.02, 0}, // unless the measuring was worse
		{100, 93, 0.02, 1},
		{31.34, 30.42, 0, 0}, // 2.9 % of the simpler one, 3.02 % of the other
		{100, 103, 0, 0},
		{100, 92, 0.43, 0}, // however bad the measuring was,
		{100, 88, 0.43, 1}, // some gains are too large to give up
		{100, 18, 2, 1},
	} {
		kernels := []Kernel{{ID: 0, Blocks: 1, PerStep: tt.simple}, {ID: 1, Blocks: 1, PerStep: tt.other, Simplicity: 2, Spread: tt.spread}}
		table := Build(kernels, Overhead{})
		if table.Bulk.ID != tt.want || table.For(1)[0].ID != tt.want {
			t.Errorf("%v against %v, spread %v: bulk %d, one block %d, want %d", tt.simple, tt.other, tt.spread, table.Bulk.ID, table.For(1)[0].ID, tt.want)
		}
	}
}

// TestHysteresisBound: what simpler kernels may cost more is bounded however
// many calls there are.
func TestHysteresisBound(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		kernels := randomKernels(random, false)
		for i := range kernels {
			kernels[i].Simplicity, kernels[i].Spread = random.IntN(3), random.Float64()
		}
		table := Build(kernels, Overhead{Call: 5})
		for n := 1; n < 12; n++ {
			if best := bruteForce(kernels, Overhead{Call: 5}, n); table.CostOf(n) > best/(1-maxGain)+1e-6 {
				t.Fatalf("%+v: %d blocks cost %v, least is %v", kernels, n, table.CostOf(n), best)
			}
		}
	}
}

// TestDeterminism permutes the kernels: the plan must not change.
func TestDeterminism(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for range 50 {
		kernels := randomKernels(random, false)
		first := fmt.Sprint(*Build(kernels, Overhead{Call: 3, Scratch: 7}))
		shuffled := slices.Clone(kernels)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		if got := fmt.Sprint(*Build(shuffled, Overhead{Call: 3, Scratch: 7})); got != first {
			t.Fatalf("%v\nin another order\n%v", first, got)
		}
	}
}

// TestScaleChangesNothing: processes that find another speed of the same machine choose
// the same calls, however the costs are rounded.
func TestScaleChangesNothing(t *testing.T) {
	scaled := func(factor float64) [][]Part {
		kernels := []Kernel{
			{ID: 0, Blocks: 1, Fixed: 13.1 * factor, PerStep: 232.7 * factor},
			{ID: 1, Blocks: 32, Fixed: 27.3 * factor, PerStep: 1021.9 * factor},
		}
		return Build(kernels, Overhead{Call: 24 * factor, Scratch: 31.7 * factor, CopyBlock: 3.3 * factor, Partial: true}).Parts
	}
	want := scaled(1)
	for i := range 200 {
		if got := scaled(0.2 + 0.00173*float64(i)); !reflect.DeepEqual(got, want) {
			for n := range got {
				if !slices.Equal(got[n], want[n]) {
					t.Fatalf("scaled by the %dth factor, %d blocks are %v, not %v", i, n, got[n], want[n])
				}
			}
		}
	}
}

func TestMACLevels(t *testing.T) {
	scalar := MACKernel{Kernel: Kernel{ID: 0, Blocks: 1, PerStep: 10, Granular: true}}
	vector := MACKernel{Kernel: Kernel{ID: 1, Blocks: 4, PerStep: 12, Simplicity: 2, Granular: true}, Layout: "v", Setup: 100}
	levels := BuildMAC([]MACKernel{scalar, vector}, Overhead{})
	if len(levels) != 2 || levels[0].From != 0 || levels[0].Layout != "" || levels[1].Layout != "v" {
		t.Fatalf("levels %+v", levels)
	}
	// 10n = 100 + 3n at n = 14.3.
	if from := levels[1].From; from < 12 || from > 18 {
		t.Errorf("powers pay from %d blocks on", from)
	}
	for _, n := range []int{1, 5, 20, 100, 5000} {
		least := min(10*float64(n), 100+12*math.Ceil(float64(n)/4))
		if got := CostOfMAC(levels, n); got < least-30 || got > least*1.1+10 {
			t.Errorf("%d blocks cost %v, least is about %v", n, got, least)
		}
	}
	if levels := BuildMAC([]MACKernel{vector}, Overhead{}); len(levels) != 1 || levels[0].Layout != "v" {
		t.Errorf("with powers only: %+v", levels)
	}
	vector.Setup = 1e9
	if levels := BuildMAC([]MACKernel{scalar, vector}, Overhead{}); len(levels) != 1 || levels[0].Layout != "" {
		t.Errorf("with dear powers: %+v", levels)
	}
	if CostOfMAC(levels, 0) != 0 {
		t.Error("nothing costs something")
	}
}

// aeadProblem has a stream of one and four blocks and a MAC.
func aeadProblem(fused ...FusedKernel) *AEADProblem {
	o := Overhead{Call: 5, Scratch: 20, CopyBlock: 4}
	mac := []MACKernel{{Kernel: Kernel{ID: 0, Blocks: 1, PerStep: 10, Granular: true}}}
	stream := []Kernel{{ID: 1, Blocks: 1, PerStep: 100}, {ID: 4, Blocks: 4, PerStep: 120}}
	return &AEADProblem{
		Stream:     Build(stream, o),
		Within:     BuildClasses(Roomy([][]Kernel{stream}, []Overhead{o})),
		MAC:        BuildMAC(mac, o),
		WithLayout: map[string]*Table{"": Build([]Kernel{mac[0].Kernel}, o)},
		Fused:      fused, MaxHead: 15, Overhead: o,
	}
}

// TestAEADHead: key block and first data blocks come out of one wide call.
func TestAEADHead(t *testing.T) {
	table := BuildAEAD(aeadProblem())
	for n, want := range map[int]int{0: 0, 1: 1, 2: 2, 3: 3} {
		if e := table.For(n); e.Head != want || e.Fused != -1 {
			t.Errorf("%d blocks: %+v, want head %d", n, e, want)
		}
	}
}

// TestAEADExact compares with every head and every kernel.
func TestAEADExact(t *testing.T) {
	for _, partial := range []bool{false, true} {
		fused := FusedKernel{MACKernel{Kernel: Kernel{ID: 9, Blocks: 2, Fixed: 30, PerStep: 70, Simplicity: 3}}}
		p := aeadProblem(fused)
		p.Partial = partial
		table, costs := BuildAEAD(p), newAEADCosts(p)
		used := false
		for n := range 60 {
			least := math.Inf(1)
			for h := 0; h <= min(n, p.MaxHead); h++ {
				least = min(least, costs.costOf(AEADEntry{Head: h, Fused: -1}, n))
				if p.whole(n)-h >= fused.Blocks {
					least = min(least, costs.costOf(AEADEntry{Head: h, Fused: 9}, n))
				}
			}
			e := table.For(n)
			used = used || e.Fused == 9
			if e.Fused == 9 && (e.Steps < 1 || e.Head+e.Steps*fused.Blocks > p.whole(n)) {
				t.Errorf("partial %v, %d blocks: %+v", partial, n, e)
			}
			if got := costs.costOf(e, n); got > least/(1-MinGain)+1e-9 {
				t.Errorf("partial %v, %d blocks: %+v costs %v, least is %v", partial, n, e, got, least)
			}
		}
		if !used || table.For(5001).Fused != 9 || table.For(5000).Fused != 9 {
			t.Errorf("partial %v: the cheaper fused kernel is not used", partial)
		}
	}
}

// TestAEADPartial: a block that is not full costs a stream call of its own behind a
// fused kernel that takes all others.
func TestAEADPartial(t *testing.T) {
	fused := FusedKernel{MACKernel{Kernel: Kernel{ID: 9, Blocks: 4, PerStep: 130, Simplicity: 3}}}
	whole, partial := aeadProblem(fused), aeadProblem(fused)
	partial.Partial = true
	e := AEADEntry{Head: 0, Fused: 9, Steps: 1}
	full, more := newAEADCosts(whole).costOf(e, 4), newAEADCosts(partial).costOf(e, 5)
	if want := full + whole.Stream.CostOf(1) + 4*10; more < want-1 {
		t.Errorf("a partial block behind a step costs %v, want %v at least", more-full, want-full)
	}
}

func TestAEADFusedOnly(t *testing.T) {
	dear := FusedKernel{MACKernel{Kernel: Kernel{ID: 9, Blocks: 2, PerStep: 7000, Simplicity: 3}}}
	p := aeadProblem(dear)
	if e := BuildAEAD(p).For(10); e.Fused != -1 {
		t.Errorf("a dear kernel is used: %+v", e)
	}
	p.FusedOnly = true
	table := BuildAEAD(p)
	if table.For(10).Fused != 9 || table.For(10000).Fused != 9 || table.For(1).Fused != -1 {
		t.Errorf("forced: %+v, %+v; too short: %+v", table.For(10), table.For(10000), table.For(1))
	}
}

// TestMinimax has two classes that disagree, and a compromise.
func TestMinimax(t *testing.T) {
	classes := func(a, b, c [2]float64) [][]Kernel {
		var all [][]Kernel
		for i := range 2 {
			all = append(all, []Kernel{{ID: 0, Blocks: 4, PerStep: a[i]}, {ID: 1, Blocks: 4, PerStep: b[i]}, {ID: 2, Blocks: 4, PerStep: c[i]}})
		}
		return all
	}
	overheads := make([]Overhead, 2)
	for _, tt := range []struct {
		classes [][]Kernel
		want    int
	}{
		{classes([2]float64{100, 300}, [2]float64{200, 200}, [2]float64{140, 240}), 2},  // regrets 1.5, 2, 1.4
		{classes([2]float64{100, 300}, [2]float64{110, 200}, [2]float64{140, 240}), 1},  // regret 1.1
		{classes([2]float64{100, 1000}, [2]float64{150, 990}, [2]float64{900, 900}), 0}, // regrets 1.11, 1.5, 9
	} {
		table := BuildClasses(tt.classes, overheads)
		if table.Bulk.ID != tt.want || table.For(4)[0].ID != tt.want {
			t.Errorf("%v: bulk %d, four blocks %v, want %d", tt.classes, table.Bulk.ID, table.For(4), tt.want)
		}
	}
	one := classes([2]float64{100, 300}, [2]float64{200, 200}, [2]float64{140, 240})[:1]
	if !reflect.DeepEqual(BuildClasses(one, overheads[:1]), Build(one[0], overheads[0])) {
		t.Error("one class is not planned as such")
	}
}
