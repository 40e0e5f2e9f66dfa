package plugin

import (
	"context"
	"fmt"

	"github.com/quarterround/quarterround/internal/reference"
	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// describe makes a backend of the description.
func (p *Plugin) describe() error {
	d := p.description
	p.backend = &registry.Backend{Name: d.Name, Doc: oneLine(d.Doc), Process: &p.process}
	for _, k := range d.Kernels {
		p.backend.Kernels = append(p.backend.Kernels, p.kernel(k))
	}
	if err := registry.ValidateBackend(p.backend); err != nil {
		return p.errorf(StageDescribe, err, "%v", err)
	}
	if len(d.Kernels) == 0 && len(p.algorithms()) == 0 {
		return p.errorf(StageDescribe, nil, "it has neither kernels nor algorithms")
	}
	return nil
}

// wireCycles is what a call through the wire is assumed to cost besides its
// work, and wireCyclesPerByte what a byte costs, until it is measured.
const (
	wireCycles        = 400_000
	wireCyclesPerByte = 4
)

// kernel makes a kernel whose functions call the plugin. Powers stay in the
// plugin.
func (p *Plugin) kernel(d *proto.Kernel) registry.Kernel {
	k := registry.Kernel{
		Name: d.Name, Kind: registry.Kind(d.Kind), Cipher: registry.Cipher(d.Cipher), Blocks: int(d.Blocks),
		Features: d.Features, ByteOrder: d.ByteOrder, Revision: int(d.Revision), Simplicity: int(d.Simplicity) + 10,
	}
	for _, prior := range d.Priors {
		k.Priors = append(k.Priors, registry.Prior{
			CPU: prior.Cpu, Rounds: int(prior.Rounds), Provenance: "estimated", Source: "declared by the plugin, and the wire",
			Fixed:   max(prior.Fixed, 0) + max(prior.Setup, 0) + wireCycles,
			PerStep: max(prior.PerStep, 0) + wireCyclesPerByte*float64(k.Step()),
		})
	}
	remote := &remoteKernel{plugin: p, name: d.Name, cipher: k.Cipher}
	switch k.Kind {
	case registry.KindStream:
		k.XOR = remote.xor
	case registry.KindMAC:
		k.Absorb = remote.absorb
	case registry.KindFused:
		k.Seal = func(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
			remote.fused(dst, src, state, mac, false)
		}
		k.Open = func(dst, src []byte, state *[16]uint32, mac *registry.MACState, _ *registry.Powers) {
			remote.fused(dst, src, state, mac, true)
		}
	}
	return k
}

// A remoteKernel calls one kernel of a plugin. Its methods always give the right
// bytes: where the plugin fails, the generic routines do. dst is written once the
// answer is whole. Arguments may lie on the caller's stack, unseen by escape
// analysis: they are copied, and never stored in a message, which is on the heap.
type remoteKernel struct {
	plugin *Plugin
	name   string
	cipher registry.Cipher
}

// try runs call with a deadline and reports whether the plugin did its work; if
// not, it is down.
func (p *Plugin) try(call func(context.Context) error) bool {
	if p.process.Stage() != "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), p.config.CallTimeout)
	defer cancel()
	err := call(ctx)
	if err == nil {
		return true
	}
	p.down(explain(err))
	return false
}

func (r *remoteKernel) xor(dst, src []byte, state *[16]uint32, rounds int) {
	words := *state
	ok := r.plugin.try(func(ctx context.Context) error {
		result, err := r.plugin.calls.RunStream(ctx, &proto.StreamCall{
			Kernel: r.name, State: words[:], Rounds: uint32(rounds), Data: append([]byte(nil), src...)})
		if err != nil {
			return err
		}
		return copyExact(dst, result.Data)
	})
	if !ok {
		r.xorHere(dst, src, &words, rounds)
	}
}

func (r *remoteKernel) xorHere(dst, src []byte, state *[16]uint32, rounds int) {
	if r.cipher == registry.Salsa {
		reference.XORSalsa(dst, src, state, rounds)
		return
	}
	reference.XORChaCha(dst, src, state, rounds)
}

func (r *remoteKernel) absorb(state *registry.MACState, _ *registry.Powers, msg []byte) {
	h, multiplier := state.H, state.R
	ok := r.plugin.try(func(ctx context.Context) error {
		result, err := r.plugin.calls.RunMAC(ctx, &proto.MACCall{
			Kernel: r.name, State: &proto.MACState{H: h[:], R: multiplier[:]}, Data: append([]byte(nil), msg...)})
		if err != nil {
			return err
		}
		return setAccumulator(state, result.H)
	})
	if !ok {
		reference.Poly1305(&state.H, &multiplier, msg)
	}
}

func (r *remoteKernel) fused(dst, src []byte, state *[16]uint32, mac *registry.MACState, open bool) {
	words, h, multiplier := *state, mac.H, mac.R
	ok := r.plugin.try(func(ctx context.Context) error {
		result, err := r.plugin.calls.RunFused(ctx, &proto.FusedCall{
			Kernel: r.name, Open: open, State: words[:], Data: append([]byte(nil), src...),
			Mac: &proto.MACState{H: h[:], R: multiplier[:]}})
		if err != nil {
			return err
		}
		if len(result.Data) != len(dst) {
			return errLength(len(result.Data), len(dst))
		}
		if err := setAccumulator(mac, result.H); err != nil {
			return err
		}
		return copyExact(dst, result.Data)
	})
	if ok {
		return
	}
	if open {
		reference.Poly1305(&mac.H, &multiplier, src)
	}
	r.xorHere(dst, src, &words, 20)
	if !open {
		reference.Poly1305(&mac.H, &multiplier, dst)
	}
}

// copyExact copies an answer that must have the length of dst.
func copyExact(dst, answer []byte) error {
	if len(answer) != len(dst) {
		return errLength(len(answer), len(dst))
	}
	copy(dst, answer)
	return nil
}

func errLength(got, want int) error {
	return fmt.Errorf("an answer of %d bytes; %d were due", got, want)
}

// setAccumulator takes an accumulator from an answer.
func setAccumulator(state *registry.MACState, h []uint64) error {
	if len(h) != 3 || h[2] > 7 {
		return fmt.Errorf("an accumulator that is malformed")
	}
	state.H = [3]uint64(h)
	return nil
}
