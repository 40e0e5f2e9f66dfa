package cpu

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// readX86 asks CPUID, or where it may not be executed, /proc/cpuinfo.
func (id *Identity) readX86(m Machine) {
	if m.CPUID != nil {
		id.readCPUID(m)
	} else {
		id.readX86CPUInfo(m)
	}
	id.Model = x86Model(id.Vendor, id.Family, id.ModelNumber, id.Stepping)
	id.readX86Classes(m)
}

func (id *Identity) readCPUID(m Machine) {
	maxLeaf, b, c, d := m.CPUID(0, 0)
	id.Vendor = registers(b, d, c)
	if maxLeaf < 1 {
		return
	}
	a, _, features, _ := m.CPUID(1, 0)
	id.Family, id.ModelNumber, id.Stepping = decodeSignature(a)
	id.Brand = brand(m)
	const hypervisorPresent = 1 << 31
	if features&hypervisorPresent != 0 {
		id.readHypervisorLeaves(m)
	}
	if maxLeaf >= 0x16 && id.ClockHz == 0 {
		base, turbo, _, _ := m.CPUID(0x16, 0)
		if mhz := max(base&0xffff, turbo&0xffff); mhz != 0 {
			id.ClockHz, id.ClockSource = uint64(mhz)*1e6, "cpuid"
		}
	}
}

// decodeSignature splits EAX of CPUID leaf 1.
func decodeSignature(a uint32) (family, model, stepping int) {
	family = int(a >> 8 & 0xf)
	model = int(a >> 4 & 0xf)
	if family == 6 || family == 15 {
		model += int(a>>16&0xf) << 4
	}
	if family == 15 {
		family += int(a >> 20 & 0xff)
	}
	return family, model, int(a & 0xf)
}

// registers joins the bytes of registers to a string.
func registers(regs ...uint32) string {
	var b []byte
	for _, r := range regs {
		b = binary.LittleEndian.AppendUint32(b, r)
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}

// brand returns the processor brand string of leaves 0x80000002 to 4.
func brand(m Machine) string {
	if last, _, _, _ := m.CPUID(0x80000000, 0); last < 0x80000004 {
		return ""
	}
	var regs []uint32
	for leaf := uint32(0x80000002); leaf <= 0x80000004; leaf++ {
		a, b, c, d := m.CPUID(leaf, 0)
		regs = append(regs, a, b, c, d)
	}
	name, _, _ := strings.Cut(registers(regs...), "\x00")
	return strings.Join(strings.Fields(name), " ")
}

// readHypervisorLeaves reads the leaves that hypervisors agreed upon: the
// signature in 0x40000000, and in 0x40000010 the rate of the time stamp counter
// in kHz.
func (id *Identity) readHypervisorLeaves(m Machine) {
	last, b, c, d := m.CPUID(0x40000000, 0)
	switch name := hypervisorNames.find(registers(b, c, d)); name {
	case "":
		id.Hypervisor = "unknown"
	case "qemu", "fex":
		id.Emulator = name
	default:
		id.Hypervisor = name
	}
	if last >= 0x40000010 && last < 0x40000100 {
		if khz, _, _, _ := m.CPUID(0x40000010, 0); khz != 0 {
			id.ClockHz, id.ClockSource = uint64(khz)*1000, "hypervisor"
		}
	}
}

// hypervisorNames is keyed by the signature of CPUID leaf 0x40000000. Those of
// QEMU's translator and of FEX stand for emulators.
var hypervisorNames = aliases{
	{"KVMKVMKVM", "kvm"},
	{"Linux KVM Hv", "kvm"},
	{"VMwareVMware", "vmware"},
	{"Microsoft Hv", "hyperv"},
	{"XenVMMXenVMM", "xen"},
	{"bhyve bhyve", "bhyve"},
	{"OxideOxide", "bhyve"},
	{"VBoxVBoxVBox", "virtualbox"},
	{"prl hyperv", "parallels"},
	{"lrpepyh  vr", "parallels"},
	{"ACRNACRNACRN", "acrn"},
	{"QNXQVMBSQG", "qnx"},
	{"OpenBSDVMM58", "openbsd"},
	{"___ NVMM ___", "nvmm"},
	{"TCGTCGTCGTCG", "qemu"},
	{"FEXIFEXIEMU", "fex"},
}

// readX86CPUInfo takes the same from the first CPU of /proc/cpuinfo.
func (id *Identity) readX86CPUInfo(m Machine) {
	fields(readHead(m.Root, "proc/cpuinfo", maxHead), func(name, value string) {
		number, _ := strconv.Atoi(value)
		switch name {
		case "vendor_id":
			id.Vendor = value
		case "cpu family":
			id.Family = number
		case "model":
			id.ModelNumber = number
		case "stepping":
			id.Stepping = number
		case "model name":
			id.Brand = strings.Join(strings.Fields(value), " ")
		case "flags":
			if strings.Contains(value+" ", " hypervisor ") {
				id.Hypervisor = "unknown"
			}
		}
	})
}

// readX86Classes tells the two kinds of core of a hybrid CPU apart by the names
// of their performance counters.
func (id *Identity) readX86Classes(m Machine) {
	core := parseList(readLine(m.Root, "sys/devices/cpu_core/cpus"))
	atom := parseList(readLine(m.Root, "sys/devices/cpu_atom/cpus"))
	if len(core) == 0 || len(atom) == 0 {
		online := parseList(readLine(m.Root, "sys/devices/system/cpu/online"))
		if id.Model != "" || len(online) > 0 {
			id.Classes = []Class{{Model: id.Model, CPUs: online, Count: len(online)}}
		}
		return
	}
	cores := hybridCores(id.Model)
	for i, cpus := range [][]int{core, atom} {
		c := Class{Model: cores[i], CPUs: cpus, Count: len(cpus), Capacity: 1024}
		if i == 1 {
			// Efficiency cores tell no capacity of their own on most kernels: any
			// number below that of the others orders the classes.
			c.Capacity = 512
		}
		if n := readUint(m.Root, cpuFile(cpus[0], "cpu_capacity")); n != 0 {
			c.Capacity = int(min(n, 1024))
		}
		id.Classes = append(id.Classes, c)
	}
}

// hybridCores names the performance and efficiency cores of hybrid CPUs.
func hybridCores(model string) [2]string {
	switch model {
	case "lakefield":
		return [2]string{"sunnycove", "tremont"}
	case "alderlake":
		return [2]string{"goldencove", "gracemont"}
	case "raptorlake":
		return [2]string{"raptorcove", "gracemont"}
	case "meteorlake":
		return [2]string{"redwoodcove", "crestmont"}
	case "arrowlake", "lunarlake":
		return [2]string{"lioncove", "skymont"}
	case "pantherlake":
		return [2]string{"cougarcove", "darkmont"}
	}
	return [2]string{}
}

// x86Model returns the short name of a CPU by its signature, empty if unknown.
func x86Model(vendor string, family, model, stepping int) string {
	switch vendor {
	case "AuthenticAMD":
		return amdModel(family, model)
	case "HygonGenuine":
		return "zen1"
	case "GenuineIntel":
		if family == 6 {
			if model == 0x55 && stepping >= 5 {
				return "cascadelake"
			}
			return intelModels.find(uint32(model))
		}
		if family == 15 {
			return "netburst"
		}
	}
	return ""
}

// amdModel knows blocks of 16 model numbers, as AMD assigns them.
func amdModel(family, model int) string {
	switch family {
	case 0x10:
		return "k10"
	case 0x14:
		return "bobcat"
	case 0x15:
		switch {
		case model < 0x02:
			return "bulldozer"
		case model < 0x30:
			return "piledriver"
		case model < 0x60:
			return "steamroller"
		}
		return "excavator"
	case 0x16:
		if model < 0x30 {
			return "jaguar"
		}
		return "puma"
	case 0x17:
		switch {
		case model == 0x08 || model == 0x18:
			return "zen+"
		case model < 0x30:
			return "zen1"
		}
		return "zen2"
	case 0x19:
		switch model >> 4 {
		case 0x1, 0x6, 0x7, 0x9, 0xa:
			return "zen4"
		}
		return "zen3"
	case 0x1a:
		if model>>4 == 5 || model >= 0x80 {
			return "zen6"
		}
		return "zen5"
	}
	return ""
}

// intelModels is keyed by the model numbers of family 6.
var intelModels = names32{
	{0x0f, "core2"}, {0x16, "core2"}, {0x17, "core2"}, {0x1d, "core2"},
	{0x1a, "nehalem"}, {0x1e, "nehalem"}, {0x1f, "nehalem"}, {0x2e, "nehalem"},
	{0x25, "westmere"}, {0x2c, "westmere"}, {0x2f, "westmere"},
	{0x2a, "sandybridge"}, {0x2d, "sandybridge"},
	{0x3a, "ivybridge"}, {0x3e, "ivybridge"},
	{0x3c, "haswell"}, {0x3f, "haswell"}, {0x45, "haswell"}, {0x46, "haswell"},
	{0x3d, "broadwell"}, {0x47, "broadwell"}, {0x4f, "broadwell"}, {0x56, "broadwell"},
	{0x4e, "skylake"}, {0x5e, "skylake"}, {0x8e, "skylake"}, {0x9e, "skylake"}, {0xa5, "skylake"}, {0xa6, "skylake"},
	{0x55, "skylake-x"},
	{0x66, "cannonlake"},
	{0x6a, "icelake"}, {0x6c, "icelake"}, {0x7d, "icelake"}, {0x7e, "icelake"}, {0x9d, "icelake"},
	{0x8a, "lakefield"},
	{0x8c, "tigerlake"}, {0x8d, "tigerlake"},
	{0xa7, "rocketlake"},
	{0x97, "alderlake"}, {0x9a, "alderlake"},
	{0xb7, "raptorlake"}, {0xba, "raptorlake"}, {0xbf, "raptorlake"},
	{0xaa, "meteorlake"}, {0xac, "meteorlake"},
	{0xb5, "arrowlake"}, {0xc5, "arrowlake"}, {0xc6, "arrowlake"},
	{0xbd, "lunarlake"},
	{0xcc, "pantherlake"},
	{0x8f, "sapphirerapids"},
	{0xcf, "emeraldrapids"},
	{0xad, "graniterapids"}, {0xae, "graniterapids"},
	{0x1c, "bonnell"}, {0x26, "bonnell"}, {0x27, "bonnell"}, {0x35, "bonnell"}, {0x36, "bonnell"},
	{0x37, "silvermont"}, {0x4a, "silvermont"}, {0x4d, "silvermont"}, {0x5a, "silvermont"}, {0x5d, "silvermont"}, {0x4c, "silvermont"},
	{0x5c, "goldmont"}, {0x5f, "goldmont"},
	{0x7a, "goldmontplus"},
	{0x86, "tremont"}, {0x96, "tremont"}, {0x9c, "tremont"},
	{0xbe, "gracemont"},
	{0xaf, "crestmont"}, {0xb6, "crestmont"},
	{0xdd, "darkmont"},
	{0x57, "knightslanding"}, {0x85, "knightslanding"},
}
