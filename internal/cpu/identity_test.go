package cpu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

// tree makes a file system of path and content in turn.
func tree(files ...string) fstest.MapFS {
	root := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		root[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return root
}

// perCPU adds a file for each of the CPUs from first to last.
func perCPU(root fstest.MapFS, first, last int, name, content string) {
	for n := first; n <= last; n++ {
		root[cpuFile(n, name)] = &fstest.MapFile{Data: []byte(content)}
	}
}

// stanza is one CPU in /proc/cpuinfo of ARM.
func stanza(n int, features string, implementer, architecture, variant, part, revision int) string {
	return fmt.Sprintf("processor\t: %d\nBogoMIPS\t: 38.40\nFeatures\t: %s \nCPU implementer\t: %#x\n"+
		"CPU architecture: %d\nCPU variant\t: %#x\nCPU part\t: %#x\nCPU revision\t: %d\n\n",
		n, features, implementer, architecture, variant, part, revision)
}

const (
	featuresV7 = "half thumb fastmult vfp edsp neon vfpv3 tls vfpv4 idiva idivt vfpd32 lpae evtstrm"
	featuresA9 = "half thumb fastmult vfp edsp neon vfpv3 tls vfpd32"
	featuresV8 = "fp asimd evtstrm crc32 cpuid"
)

// quad returns four equal stanzas.
func quad(features string, architecture, variant, part, revision int) string {
	var s string
	for n := range 4 {
		s += stanza(n, features, 0x41, architecture, variant, part, revision)
	}
	return s
}

func pi1() Machine {
	return Machine{GOOS: "linux", GOARCH: "arm", Root: tree(
		"proc/cpuinfo", "processor\t: 0\nmodel name\t: ARMv6-compatible processor rev 7 (v6l)\nBogoMIPS\t: 697.95\n"+
			"Features\t: half thumb fastmult vfp edsp java tls \nCPU implementer\t: 0x41\nCPU architecture: 7\n"+
			"CPU variant\t: 0x0\nCPU part\t: 0xb76\nCPU revision\t: 7\n\n"+
			"Hardware\t: BCM2835\nRevision\t: 000e\nSerial\t\t: 0000000000000000\nModel\t\t: Raspberry Pi Model B Rev 2\n",
		"proc/device-tree/model", "Raspberry Pi Model B Rev 2\x00",
		"sys/devices/system/cpu/online", "0\n",
		"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "700000\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n",
	)}
}

// cubieboard2 runs a kernel 3.4, which describes its CPUs only once.
func cubieboard2() Machine {
	return Machine{GOOS: "linux", GOARCH: "arm", Root: tree(
		"proc/cpuinfo", "Processor\t: ARMv7 Processor rev 4 (v7l)\nprocessor\t: 0\nBogoMIPS\t: 1006.37\n\n"+
			"processor\t: 1\nBogoMIPS\t: 1011.17\n\nFeatures\t: swp half thumb fastmult vfp edsp thumbee neon vfpv3 tls vfpv4 idiva idivt \n"+
			"CPU implementer\t: 0x41\nCPU architecture: 7\nCPU variant\t: 0x0\nCPU part\t: 0xc07\nCPU revision\t: 4\n\n"+
			"Hardware\t: sun7i\nRevision\t: 0000\nSerial\t\t: 0000000000000000\n",
		"sys/devices/system/cpu/online", "0-1\n",
		"sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "1008000\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n",
	)}
}

func wandboard() Machine {
	return Machine{GOOS: "linux", GOARCH: "arm", Root: tree(
		"proc/cpuinfo", quad(featuresA9, 7, 2, 0xc09, 10)+"Hardware\t: Freescale i.MX6 Quad/DualLite (Device Tree)\n",
		"proc/device-tree/model", "Wandboard i.MX6 Quad Board rev B1\x00",
		"sys/devices/system/cpu/online", "0-3\n",
	)}
}

func tinkerboard() Machine {
	return Machine{GOOS: "linux", GOARCH: "arm", Root: tree(
		"proc/cpuinfo", quad(featuresV7, 7, 0, 0xc0d, 1)+"Hardware\t: Rockchip (Device Tree)\n",
		"proc/device-tree/model", "Rockchip RK3288 Asus Tinker Board\x00",
	)}
}

func pi4(goarch string) Machine {
	root := tree(
		"proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.1\x00",
		"sys/devices/system/cpu/online", "0-3\n",
		"proc/sys/kernel/arch", "aarch64\n",
	)
	perCPU(root, 0, 3, "cpufreq/cpuinfo_max_freq", "1500000\n")
	perCPU(root, 0, 3, "cpufreq/scaling_governor", "ondemand\n")
	if goarch == "arm" {
		root["proc/cpuinfo"] = &fstest.MapFile{Data: []byte(quad(featuresV7+" crc32", 7, 0, 0xd08, 3) +
			"Hardware\t: BCM2711\nModel\t\t: Raspberry Pi 4 Model B Rev 1.1\n")}
	} else {
		perCPU(root, 0, 3, "regs/identification/midr_el1", "0x00000000410fd083\n")
	}
	return Machine{GOOS: "linux", GOARCH: goarch, Root: root}
}

func rk3399() Machine {
	root := tree(
		"proc/device-tree/model", "FriendlyElec NanoPC-T4\x00",
		"sys/devices/system/cpu/online", "0-5\n",
	)
	perCPU(root, 0, 3, "regs/identification/midr_el1", "0x00000000410fd034\n")
	perCPU(root, 4, 5, "regs/identification/midr_el1", "0x00000000410fd082\n")
	perCPU(root, 0, 3, "cpu_capacity", "401\n")
	perCPU(root, 4, 5, "cpu_capacity", "1024\n")
	perCPU(root, 0, 3, "cpufreq/cpuinfo_max_freq", "1416000\n")
	perCPU(root, 4, 5, "cpufreq/cpuinfo_max_freq", "1800000\n")
	perCPU(root, 0, 5, "cpufreq/scaling_governor", "schedutil\n")
	return Machine{GOOS: "linux", GOARCH: "arm64", Root: root}
}

// exynos has cores that do not agree on their features.
func exynos() Machine {
	var info string
	for n := range 4 {
		info += stanza(n, featuresV8+" asimddp", 0x41, 8, 1, 0xd05, 0)
	}
	for n := 4; n < 8; n++ {
		info += stanza(n, featuresV8, 0x53, 8, 1, 0x002, 0)
	}
	return Machine{GOOS: "android", GOARCH: "arm64", Root: tree("proc/cpuinfo", info)}
}

func sysctls(values map[string]any) (func(string) (string, bool), func(string) (uint32, bool)) {
	return func(name string) (string, bool) { s, ok := values[name].(string); return s, ok },
		func(name string) (uint32, bool) { n, ok := values[name].(uint32); return n, ok }
}

func appleM1() Machine {
	m := Machine{GOOS: "darwin", GOARCH: "arm64"}
	m.Sysctl, m.SysctlUint32 = sysctls(map[string]any{
		"machdep.cpu.brand_string": "Apple M1 Pro", "hw.model": "MacBookPro18,3", "hw.cpufamily": uint32(0x1b588bb3),
		"hw.nperflevels": uint32(2), "hw.perflevel0.logicalcpu": uint32(8), "hw.perflevel1.logicalcpu": uint32(2),
	})
	return m
}

func iPhone6s() Machine {
	m := Machine{GOOS: "ios", GOARCH: "arm64"}
	m.Sysctl, m.SysctlUint32 = sysctls(map[string]any{"hw.cpufamily": uint32(0x92fb37c8)})
	return m
}

// cpuidTable answers CPUID from a table by leaf; other leaves give zeros.
func cpuidTable(table map[uint32][4]uint32) func(leaf, subleaf uint32) (a, b, c, d uint32) {
	return func(leaf, _ uint32) (a, b, c, d uint32) {
		r := table[leaf]
		return r[0], r[1], r[2], r[3]
	}
}

// text packs a string in the four registers of a leaf.
func text(s string) (r [4]uint32) {
	b := make([]byte, 16)
	copy(b, s)
	for i := range r {
		r[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return r
}

// x86Table has vendor, signature and brand; bits goes into ECX of leaf 1.
func x86Table(maxLeaf uint32, vendor string, signature, bits uint32, brand string) map[uint32][4]uint32 {
	v := text(vendor)
	brand += strings.Repeat("\x00", 48-len(brand))
	return map[uint32][4]uint32{
		0:          {maxLeaf, v[0], v[2], v[1]},
		1:          {signature, 0, bits, 0},
		0x80000000: {0x80000004, 0, 0, 0},
		0x80000002: text(brand[:16]),
		0x80000003: text(brand[16:32]),
		0x80000004: text(brand[32:]),
	}
}

const underHypervisor = 1 << 31

func zen5VM() Machine {
	table := x86Table(13, "AuthenticAMD", 0x00b00f21, underHypervisor, "AMD EPYC 9575F 64-Core Processor")
	name := text("KVMKVMKVM")
	table[0x40000000] = [4]uint32{0x40000010, name[0], name[1], name[2]}
	table[0x40000010] = [4]uint32{3294600, 0, 0, 0}
	return Machine{GOOS: "linux", GOARCH: "amd64", CPUID: cpuidTable(table), Root: tree(
		"sys/devices/system/cpu/online", "0-1\n",
		"sys/devices/system/cpu/modalias", "cpu:type:x86,ven0002fam001Amod0002:feature:,0000,0001\n",
		"proc/sys/kernel/arch", "x86_64\n",
	)}
}

func alderLake() Machine {
	table := x86Table(0x20, "GenuineIntel", 0x00090672, 0, "12th Gen Intel(R) Core(TM) i7-12700K")
	table[0x16] = [4]uint32{3600, 5000, 100, 0}
	root := tree(
		"sys/devices/system/cpu/online", "0-19\n",
		"sys/devices/cpu_core/cpus", "0-15\n",
		"sys/devices/cpu_atom/cpus", "16-19\n",
	)
	perCPU(root, 0, 15, "cpufreq/cpuinfo_max_freq", "5000000\n")
	perCPU(root, 16, 19, "cpufreq/cpuinfo_max_freq", "3800000\n")
	perCPU(root, 0, 19, "cpufreq/scaling_governor", "powersave\n")
	return Machine{GOOS: "linux", GOARCH: "amd64", CPUID: cpuidTable(table), Root: root}
}

const xeonInfo = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n" +
	"model name\t: Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz\nstepping\t: 4\ncpu MHz\t\t: 3000.000\n" +
	"flags\t\t: fpu vme avx512f hypervisor lahf_lm\n\n"

// qemuARM is a program under QEMU's user mode: the files are the host's.
func qemuARM(files ...string) Machine {
	root := tree(files...)
	root["sys/devices/system/cpu/online"] = &fstest.MapFile{Data: []byte("0-63\n")}
	perCPU(root, 0, 63, "cpufreq/cpuinfo_max_freq", "5000000\n")
	perCPU(root, 0, 63, "cpu_capacity", "1024\n")
	return Machine{GOOS: "linux", GOARCH: "arm", Root: root}
}

func rosetta() Machine {
	m := Machine{GOOS: "darwin", GOARCH: "amd64",
		CPUID: cpuidTable(x86Table(7, "GenuineIntel", 0x000206c0, 0, "VirtualApple @ 2.50GHz"))}
	m.Sysctl, m.SysctlUint32 = sysctls(map[string]any{"sysctl.proc_translated": uint32(1)})
	return m
}

func tcg() Machine {
	table := x86Table(13, "AuthenticAMD", 0x00000663, underHypervisor, "QEMU TCG CPU version 2.5+")
	name := text("TCGTCGTCGTCG")
	table[0x40000000] = [4]uint32{0x40000001, name[0], name[1], name[2]}
	return Machine{GOOS: "linux", GOARCH: "amd64", CPUID: cpuidTable(table)}
}

func TestIdentify(t *testing.T) {
	tests := []struct {
		name    string
		machine Machine
		want    Identity
		key     string // of the CPU
	}{
		{"nothing", Machine{}, Identity{}, ""},
		{"empty files arm", Machine{GOOS: "linux", GOARCH: "arm", Root: tree()}, Identity{}, ""},
		{"empty files amd64", Machine{GOOS: "linux", GOARCH: "amd64", Root: tree()}, Identity{}, ""},
		{"s390x", Machine{GOOS: "linux", GOARCH: "s390x", BigEndian: true, Root: tree(
			"proc/cpuinfo", "vendor_id       : IBM/S390\n# processors    : 2\nbogomips per cpu: 3241.00\n"+
				"processor 0: version = FF,  identification = 133E88,  machine = 3931\n\ncpu number      : 0\ncpu MHz static  : 5200\n")},
			Identity{Model: "z16", Brand: "IBM/S390", ClockHz: 5200e6, ClockSource: "cpuinfo", Classes: []Class{{Model: "z16"}}}, "z16"},
		{"ppc64le", Machine{GOOS: "linux", GOARCH: "ppc64le", Root: tree(
			"proc/cpuinfo", "processor\t: 0\ncpu\t\t: POWER9 (architected), altivec supported\nclock\t\t: 2700.000000MHz\n")},
			Identity{Model: "power9", Brand: "POWER9 (architected), altivec supported", ClockHz: 2700e6, ClockSource: "cpuinfo",
				Classes: []Class{{Model: "power9"}}}, "power9"},
		{"riscv64", Machine{GOOS: "linux", GOARCH: "riscv64", Root: tree(
			"proc/cpuinfo", "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\n")},
			Identity{Model: "sifive-u74-mc", Brand: "sifive,u74-mc", Classes: []Class{{Model: "sifive-u74-mc"}}}, "sifive-u74-mc"},

		{"Raspberry Pi 1B", pi1(), Identity{Model: "arm1176", Board: "Raspberry Pi Model B Rev 2",
			ClockHz: 700e6, ClockSource: "cpufreq", Governor: "powersave",
			Classes: []Class{{Model: "arm1176", MIDR: 0x410fb767, Count: 1, CPUs: []int{0}, ClockHz: 700e6, Governor: "powersave"}}}, "410fb767"},
		{"Cubieboard2", cubieboard2(), Identity{Model: "cortex-a7", Board: "sun7i",
			ClockHz: 1008e6, ClockSource: "cpufreq", Governor: "performance",
			Classes: []Class{{Model: "cortex-a7", MIDR: 0x410fc074, Count: 2, CPUs: []int{0, 1}, ClockHz: 1008e6, Governor: "performance"}}}, "410fc074"},
		{"Wandboard", wandboard(), Identity{Model: "cortex-a9", Board: "Wandboard i.MX6 Quad Board rev B1",
			Classes: []Class{{Model: "cortex-a9", MIDR: 0x412fc09a, Count: 4, CPUs: []int{0, 1, 2, 3}}}}, "412fc09a"},
		{"Tinkerboard", tinkerboard(), Identity{Model: "cortex-a17", Board: "Rockchip RK3288 Asus Tinker Board",
			Classes: []Class{{Model: "cortex-a17", MIDR: 0x410fc0d1, Count: 4, CPUs: []int{0, 1, 2, 3}}}}, "410fc0d1"},
		{"Raspberry Pi 4, 32 bits", pi4("arm"), Identity{Model: "cortex-a72", Board: "Raspberry Pi 4 Model B Rev 1.1",
			ClockHz: 1500e6, ClockSource: "cpufreq", Governor: "ondemand",
			Classes: []Class{{Model: "cortex-a72", MIDR: 0x410fd083, Count: 4, CPUs: []int{0, 1, 2, 3}, ClockHz: 1500e6, Governor: "ondemand"}}}, "410fd083"},
		{"Raspberry Pi 4, 64 bits", pi4("arm64"), Identity{Model: "cortex-a72", Board: "Raspberry Pi 4 Model B Rev 1.1",
			ClockHz: 1500e6, ClockSource: "cpufreq", Governor: "ondemand",
			Classes: []Class{{Model: "cortex-a72", MIDR: 0x410fd083, Count: 4, CPUs: []int{0, 1, 2, 3}, ClockHz: 1500e6, Governor: "ondemand"}}}, "410fd083"},
		{"RK3399", rk3399(), Identity{Model: "cortex-a72", Board: "FriendlyElec NanoPC-T4",
			ClockHz: 1800e6, ClockSource: "cpufreq", Governor: "schedutil",
			Classes: []Class{
				{Model: "cortex-a72", MIDR: 0x410fd082, Count: 2, CPUs: []int{4, 5}, Capacity: 1024, ClockHz: 1800e6, Governor: "schedutil"},
				{Model: "cortex-a53", MIDR: 0x410fd034, Count: 4, CPUs: []int{0, 1, 2, 3}, Capacity: 401, ClockHz: 1416e6, Governor: "schedutil"},
			}}, "410fd034 410fd082"},
		{"Exynos", exynos(), Identity{Model: "cortex-a55", Uneven: []string{"asimddp"},
			Classes: []Class{
				{Model: "cortex-a55", MIDR: 0x411fd050, Count: 4, CPUs: []int{0, 1, 2, 3}},
				{Model: "exynos-m3", MIDR: 0x531f0020, Count: 4, CPUs: []int{4, 5, 6, 7}},
			}}, "411fd050 531f0020"},
		{"Apple M1 Pro", appleM1(), Identity{Model: "apple-m1", Brand: "Apple M1 Pro", Board: "MacBookPro18,3",
			Classes: []Class{{Model: "apple-m1", Count: 8, Capacity: 1024}, {Model: "apple-m1-e", Count: 2, Capacity: 512}}}, "apple-m1"},
		{"iPhone 6s", iPhone6s(), Identity{Model: "apple-a9"}, "apple-a9"},
		{"Graviton2", Machine{GOOS: "linux", GOARCH: "arm64", Root: tree(
			"proc/cpuinfo", stanza(0, featuresV8, 0x41, 8, 3, 0xd0c, 1),
			"sys/class/dmi/id/sys_vendor", "Amazon EC2\n", "sys/class/dmi/id/product_name", "m6g.large\n")},
			Identity{Model: "neoverse-n1", Hypervisor: "nitro", Classes: []Class{{Model: "neoverse-n1", MIDR: 0x413fd0c1, Count: 1, CPUs: []int{0}}}},
			"413fd0c1"},
		{"FreeBSD", Machine{GOOS: "freebsd", GOARCH: "arm64", Sysctl: func(name string) (string, bool) {
			return "ARM Neoverse-N1 r3p1 (midr: 413fd0c1)", name == "hw.model"
		}}, Identity{Model: "neoverse-n1", Brand: "ARM Neoverse-N1 r3p1 (midr: 413fd0c1)",
			Classes: []Class{{Model: "neoverse-n1", MIDR: 0x413fd0c1}}}, "413fd0c1"},
		{"Windows on ARM", Machine{GOOS: "windows", GOARCH: "arm64", Getenv: func(string) string {
			return "ARMv8 (64-bit) Family 8 Model D4B Revision 0, Qualcomm Technologies Inc"
		}}, Identity{Model: "cortex-a78", Brand: "ARMv8 (64-bit) Family 8 Model D4B Revision 0, Qualcomm Technologies Inc"}, "cortex-a78"},
		{"Windows, translated", Machine{GOOS: "windows", GOARCH: "amd64", Getenv: func(string) string {
			return "ARMv8 (64-bit) Family 8 Model 1 Revision 201, Qualcomm Technologies Inc"
		}}, Identity{Emulator: "windows-on-arm"}, ""},

		{"Zen 5 in a virtual machine", zen5VM(), Identity{Model: "zen5", Brand: "AMD EPYC 9575F 64-Core Processor",
			Vendor: "AuthenticAMD", Family: 26, ModelNumber: 2, Stepping: 1, Hypervisor: "kvm",
			ClockHz: 3294600e3, ClockSource: "hypervisor",
			Classes: []Class{{Model: "zen5", Count: 2, CPUs: []int{0, 1}}}}, "AuthenticAMD family 26 model 2 stepping 1"},
		{"Alder Lake", alderLake(), Identity{Model: "alderlake", Brand: "12th Gen Intel(R) Core(TM) i7-12700K",
			Vendor: "GenuineIntel", Family: 6, ModelNumber: 151, Stepping: 2,
			ClockHz: 5000e6, ClockSource: "cpufreq", Governor: "powersave",
			Classes: []Class{
				{Model: "goldencove", Count: 16, CPUs: parseList("0-15"), Capacity: 1024, ClockHz: 5000e6, Governor: "powersave"},
				{Model: "gracemont", Count: 4, CPUs: parseList("16-19"), Capacity: 512, ClockHz: 3800e6, Governor: "powersave"},
			}}, "GenuineIntel family 6 model 151 stepping 2"},
		{"without CPUID", Machine{GOOS: "linux", GOARCH: "amd64", Root: tree("proc/cpuinfo", xeonInfo)},
			Identity{Model: "skylake-x", Brand: "Intel(R) Xeon(R) Gold 6154 CPU @ 3.00GHz",
				Vendor: "GenuineIntel", Family: 6, ModelNumber: 85, Stepping: 4, Hypervisor: "unknown",
				ClockHz: 3000e6, ClockSource: "cpuinfo", Classes: []Class{{Model: "skylake-x"}}},
			"GenuineIntel family 6 model 85 stepping 4"},

		{"QEMU user mode by cpuinfo", qemuARM("proc/cpuinfo", xeonInfo), Identity{Emulator: "qemu-user"}, ""},
		{"QEMU user mode by modalias", qemuARM("sys/devices/system/cpu/modalias", "cpu:type:x86,ven0002fam001Amod0002:feature:,0000\n"),
			Identity{Emulator: "qemu-user"}, ""},
		{"QEMU user mode by kernel, cpuinfo made up", qemuARM("proc/sys/kernel/arch", "x86_64\n",
			"proc/cpuinfo", stanza(0, featuresV7, 0x41, 7, 0, 0xc07, 5)),
			Identity{Emulator: "qemu-user", Model: "cortex-a7", Classes: []Class{{Model: "cortex-a7", MIDR: 0x410fc075, Count: 1}}}, "410fc075"},
		{"x86 on ARM", Machine{GOOS: "linux", GOARCH: "amd64", Root: tree("proc/cpuinfo", stanza(0, featuresV8, 0x41, 8, 0, 0xd08, 3))},
			Identity{Emulator: "qemu-user"}, ""},
		{"Rosetta", rosetta(), Identity{Emulator: "rosetta", Model: "westmere", Brand: "VirtualApple @ 2.50GHz",
			Vendor: "GenuineIntel", Family: 6, ModelNumber: 44, Classes: []Class{{Model: "westmere"}}},
			"GenuineIntel family 6 model 44 stepping 0"},
		{"QEMU's translator", tcg(), Identity{Emulator: "qemu", Brand: "QEMU TCG CPU version 2.5+",
			Vendor: "AuthenticAMD", Family: 6, ModelNumber: 6, Stepping: 3}, "AuthenticAMD family 6 model 6 stepping 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.GOOS, tt.want.GOARCH, tt.want.ByteOrder = tt.machine.GOOS, tt.machine.GOARCH, "little"
			if tt.machine.BigEndian {
				tt.want.ByteOrder = "big"
			}
			got := Identify(tt.machine)
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%+v, want\n%+v", got, tt.want)
			}
			if key := got.Key(Set{}).CPU; key != tt.key {
				t.Errorf("key %q, want %q", key, tt.key)
			}
		})
	}
}

func TestKey(t *testing.T) {
	id := Identify(rk3399())
	k := id.Key(SetOf("asimd"))
	const want = "linux/arm64 little-endian; cpu 410fd034 410fd082; features asimd; environment -"
	if k.String() != want {
		t.Errorf("%q, want %q", k, want)
	}
	if k != Identify(rk3399()).Key(SetOf("asimd")) || k == id.Key(Set{}) {
		t.Error("keys do not tell equal from different machines")
	}
	if got := Identify(zen5VM()).Key(Set{}).Environment; got != "kvm" {
		t.Errorf("environment %q", got)
	}
	if got := Identify(tcg()).Key(Set{}).Environment; got != "qemu" {
		t.Errorf("environment %q", got)
	}
}

func TestModels(t *testing.T) {
	for _, tt := range []struct {
		vendor                  string
		family, model, stepping int
		want                    string
	}{
		{"GenuineIntel", 6, 0x3c, 3, "haswell"},
		{"GenuineIntel", 6, 0x2a, 7, "sandybridge"},
		{"GenuineIntel", 6, 0x55, 7, "cascadelake"},
		{"GenuineIntel", 6, 0xad, 1, "graniterapids"},
		{"GenuineIntel", 6, 0x8f, 8, "sapphirerapids"},
		{"GenuineIntel", 15, 4, 1, "netburst"},
		{"GenuineIntel", 6, 0xff, 0, ""},
		{"AuthenticAMD", 0x17, 0x01, 2, "zen1"},
		{"AuthenticAMD", 0x17, 0x71, 0, "zen2"},
		{"AuthenticAMD", 0x19, 0x21, 0, "zen3"},
		{"AuthenticAMD", 0x19, 0x61, 2, "zen4"},
		{"AuthenticAMD", 0x1a, 0x44, 0, "zen5"},
		{"AuthenticAMD", 0x15, 0x02, 0, "piledriver"},
		{"CyrixInstead", 6, 0, 0, ""},
	} {
		if got := x86Model(tt.vendor, tt.family, tt.model, tt.stepping); got != tt.want {
			t.Errorf("%s %#x %#x: %q, want %q", tt.vendor, tt.family, tt.model, got, tt.want)
		}
	}
	for midr, want := range map[uint32]string{
		0x410fb767: "arm1176", 0x410fc051: "cortex-a5", 0x413fc082: "cortex-a8", 0x412fc0f3: "cortex-a15", 0x411fc0e1: "cortex-a17",
		0x411fd070: "cortex-a57", 0x414fd0b1: "cortex-a76", 0x411fd440: "cortex-x1", 0x410fd4f0: "neoverse-v2",
		0x510f06f1: "krait", 0x511f00f2: "scorpion", 0x4e0f0000: "denver", 0x510f2113: "kryo", 0x431f0af1: "thunderx2",
		0x420f5161: "thunderx2", 0x500f0000: "xgene", 0x531f0010: "mongoose", 0x611f0231: "apple-m1", 0x69052d06: "xscale",
		0xc00fac30: "ampere1", 0x410ffff0: "", 0: "",
	} {
		if got := armModel(midr); got != want {
			t.Errorf("%08x: %q, want %q", midr, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, tt := range []struct{ in, out string }{
		{"", ""}, {"0", "0"}, {"0-3,6\n", "0-3,6"}, {"3,1,2", "1-3"}, {"4-2", ""}, {"x,1", "1"}, {"-1", ""},
		{"0-", ""}, {"5,5", "5"}, {"4094-9999999", "4094-4095"},
	} {
		if got := formatList(parseList(tt.in)); got != tt.out {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.out)
		}
	}
}

// endless is a file system in which every file goes on for ever, with content
// that looks like something.
type endless struct{ fs.File }

func (e endless) Open(string) (fs.File, error) { return e, nil }
func (endless) Close() error                   { return nil }

func (endless) Read(b []byte) (int, error) {
	const text = "processor : 1\nCPU part : 0xd03\n0-4095\n"
	for i := range b {
		b[i] = text[i%len(text)]
	}
	return len(b), nil
}

// broken opens everything and reads nothing.
type broken struct{ endless }

func (b broken) Open(string) (fs.File, error) { return b, nil }
func (broken) Read([]byte) (int, error)       { return 0, errors.New("input/output error") }

func TestHostileFiles(t *testing.T) {
	if got := len(readFile(endless{}, "x")); got != maxFile {
		t.Errorf("read %d bytes of an endless file", got)
	}
	garbage := make([]byte, 5000)
	for i := range garbage {
		garbage[i] = byte(i * i >> 3)
	}
	for _, goarch := range []string{"386", "amd64", "arm", "arm64", "ppc64", "s390x", "riscv64", "loong64", "mips", "wasm"} {
		for _, root := range []fs.FS{endless{}, broken{}, anyFile(garbage), anyFile("processor : 99999999\nprocessor : -1\nCPU part : 0xfffffffff\n:\n::\n")} {
			Identify(Machine{GOOS: "linux", GOARCH: goarch, Root: root})
		}
	}
}

// anyFile is a file system in which every file has the same content.
type anyFile string

func (a anyFile) Open(string) (fs.File, error) {
	return tree("x", string(a)).Open("x")
}

// TestRead shows this machine, for the eye.
func TestRead(t *testing.T) {
	t.Logf("%+v", Read())
	t.Logf("%v", Read().Key(Detect().Features))
}

func BenchmarkIdentify(b *testing.B) {
	m := thisMachine()
	b.ReportAllocs()
	for b.Loop() {
		Identify(m)
	}
}
