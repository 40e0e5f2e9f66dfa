package plugin

import (
	"context"
	"runtime"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/quarterround/quarterround/plugin/proto"
	"github.com/quarterround/quarterround/registry"
)

// Limits that this package's plugins have.
const (
	maxWhole = 256 << 20 // bytes of a message, which the plugin holds as a whole
	maxKeys  = 1 << 16
	maxBatch = 1 << 12
)

// server is the service in the plugin.
type server struct {
	// Unlike the Unimplemented one this brings no methods: a call of the protocol
	// that the server lacked would not compile.
	proto.UnsafeBackendServer
	backend *registry.Backend
	ciphers ciphers
	kernels map[string]*registry.Kernel

	mu     sync.Mutex
	keys   map[uint64]*key
	lastID uint64

	measuring sync.Mutex // held by Measure
	timed     *timed     // what it timed last
}

// newServer returns the service for a backend. Whole algorithms run on the
// backend's kernels alone, those that it lacks on the generic ones.
func newServer(backend *registry.Backend) (*server, error) {
	s, err := newKernelServer(backend)
	if err != nil {
		return nil, err
	}
	override := registry.WithOverride("?" + backend.Name + ",profile=off,mode=prior")
	selection, err := registry.Select(registry.WithBackends(backend), override)
	if err != nil {
		return nil, err
	}
	s.ciphers = kernelCiphers{selection, backend.Name}
	return s, nil
}

// newKernelServer returns a service of kernels without whole algorithms. It runs
// none of them.
func newKernelServer(backend *registry.Backend) (*server, error) {
	if err := registry.ValidateBackend(backend); err != nil {
		return nil, err
	}
	s := &server{backend: backend, ciphers: noCiphers{}, keys: map[uint64]*key{}, kernels: map[string]*registry.Kernel{}}
	for i := range backend.Kernels {
		if k := &backend.Kernels[i]; k.XOR != nil || k.Absorb != nil || k.Seal != nil {
			s.kernels[k.Name] = k
		}
	}
	return s, nil
}

// Describe implements the service.
func (s *server) Describe(context.Context, *proto.DescribeRequest) (*proto.Description, error) {
	d := &proto.Description{
		Name: s.backend.Name, Doc: s.backend.Doc, Goarch: runtime.GOARCH,
		Limits: &proto.Limits{MaxMessage: maxWhole, MaxKeys: maxKeys, MaxBatch: maxBatch},
	}
	for i := range s.backend.Kernels {
		if k := &s.backend.Kernels[i]; s.kernels[k.Name] != nil {
			d.Kernels = append(d.Kernels, describe(k))
		}
	}
	for _, a := range registry.Algorithms() {
		if s.ciphers.offers(a) {
			d.Algorithms = append(d.Algorithms, a.String())
		}
	}
	return d, nil
}

func describe(k *registry.Kernel) *proto.Kernel {
	d := &proto.Kernel{
		Name: k.Name, Kind: proto.Kind(k.Kind), Cipher: proto.Cipher(k.Cipher), Blocks: uint32(k.Blocks),
		Features: k.Features, ByteOrder: k.ByteOrder, Revision: uint32(k.Revision), Simplicity: uint32(k.Simplicity),
	}
	for _, p := range k.Priors {
		d.Priors = append(d.Priors, &proto.Prior{
			Cpu: p.CPU, Rounds: uint32(p.Rounds), Fixed: p.Fixed, PerStep: p.PerStep, Setup: p.Setup,
			Provenance: p.Provenance, Source: p.Source,
		})
	}
	return d
}

// kernel returns the kernel of that name and kind, after a look at the length of
// data.
func (s *server) kernel(name string, kind registry.Kind, data []byte) (*registry.Kernel, error) {
	k := s.kernels[name]
	if k == nil || k.Kind != kind {
		return nil, status.Errorf(codes.NotFound, "no %v kernel %q", kind, name)
	}
	unit := k.Step()
	if kind == registry.KindMAC {
		unit = registry.MACBlockSize
	}
	if len(data) == 0 || len(data)%unit != 0 || len(data) > maxChunk {
		return nil, status.Errorf(codes.InvalidArgument, "%d bytes are not 1 to %d times %d", len(data), maxChunk/unit, unit)
	}
	return k, nil
}

// RunStream implements the service.
func (s *server) RunStream(_ context.Context, call *proto.StreamCall) (*proto.StreamResult, error) {
	k, err := s.kernel(call.Kernel, registry.KindStream, call.Data)
	if err != nil {
		return nil, err
	}
	state, err := stateOf(call.State)
	if err != nil {
		return nil, err
	}
	if call.Rounds != 8 && call.Rounds != 12 && call.Rounds != 20 {
		return nil, status.Errorf(codes.InvalidArgument, "%d rounds", call.Rounds)
	}
	k.XOR(call.Data, call.Data, state, int(call.Rounds))
	return &proto.StreamResult{Data: call.Data}, nil
}

// RunMAC implements the service.
func (s *server) RunMAC(_ context.Context, call *proto.MACCall) (*proto.MACResult, error) {
	k, err := s.kernel(call.Kernel, registry.KindMAC, call.Data)
	if err != nil {
		return nil, err
	}
	mac, err := macStateOf(call.State)
	if err != nil {
		return nil, err
	}
	k.Absorb(mac, powersFor(k, mac), call.Data)
	return &proto.MACResult{H: mac.H[:]}, nil
}

// RunFused implements the service.
func (s *server) RunFused(_ context.Context, call *proto.FusedCall) (*proto.FusedResult, error) {
	k, err := s.kernel(call.Kernel, registry.KindFused, call.Data)
	if err != nil {
		return nil, err
	}
	state, err := stateOf(call.State)
	if err != nil {
		return nil, err
	}
	mac, err := macStateOf(call.Mac)
	if err != nil {
		return nil, err
	}
	run := k.Seal
	if call.Open {
		run = k.Open
	}
	run(call.Data, call.Data, state, mac, powersFor(k, mac))
	return &proto.FusedResult{Data: call.Data, H: mac.H[:]}, nil
}

// powersFor returns what k needs of the powers of R.
func powersFor(k *registry.Kernel, mac *registry.MACState) *registry.Powers {
	if k.Setup == nil {
		return nil
	}
	powers := new(registry.Powers)
	k.Setup(powers, &mac.R)
	return powers
}

func stateOf(words []uint32) (*[16]uint32, error) {
	if len(words) != 16 {
		return nil, status.Errorf(codes.InvalidArgument, "a state of %d words", len(words))
	}
	return (*[16]uint32)(words), nil
}

func macStateOf(m *proto.MACState) (*registry.MACState, error) {
	if m == nil || len(m.H) != 3 || len(m.R) != 2 || m.H[2] > 7 {
		return nil, status.Error(codes.InvalidArgument, "a malformed MAC state")
	}
	return &registry.MACState{H: [3]uint64(m.H), R: [2]uint64(m.R)}, nil
}
