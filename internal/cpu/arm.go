package cpu

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// readARM finds the kind of every core: on Linux by its Main ID Register, which
// arm64 kernels show in /sys and all kernels split up in /proc/cpuinfo;
// elsewhere by what the system calls the CPU.
func (id *Identity) readARM(m Machine) {
	switch m.GOOS {
	case "darwin", "ios":
		id.readApple(m)
		return
	case "windows":
		id.readWindowsARM(m)
		return
	}
	info := parseARMInfo(readFile(m.Root, "proc/cpuinfo"))
	id.Board = info.board
	id.Uneven = info.uneven()
	id.Classes = armClasses(m, info)
	if len(id.Classes) == 0 {
		id.readBSDModel(m)
	}
}

// cpuFile returns the path of a file about one logical CPU.
func cpuFile(cpu int, name string) string {
	return fmt.Sprintf("sys/devices/system/cpu/cpu%d/%s", cpu, name)
}

// armInfo is what /proc/cpuinfo of ARM says.
type armInfo struct {
	cpus  []armCPU
	board string
}

// An armCPU is one stanza of /proc/cpuinfo.
type armCPU struct {
	number   int
	midr     uint32
	features []string
}

// parseARMInfo reads both forms of the file. Kernels before 3.8 list the
// processors first and describe them all once, after that list.
func parseARMInfo(data []byte) armInfo {
	var info armInfo
	var common armCPU
	var described bool // the last CPU has a description of its own
	fields(data, func(name, value string) {
		cpu := &common
		if n := len(info.cpus); n > 0 {
			cpu = &info.cpus[n-1]
		}
		part, err := strconv.ParseUint(value, 0, 16)
		if err != nil {
			part = 0
		}
		switch name {
		case "processor":
			number, err := strconv.Atoi(value)
			if err == nil && number >= 0 && number < maxCPUs {
				info.cpus = append(info.cpus, armCPU{number: number})
				described = false
			}
		case "CPU implementer":
			cpu.midr |= uint32(part&0xff)<<24 | 0xf<<16
			described = true
		case "CPU variant":
			cpu.midr |= uint32(part&0xf) << 20
		case "CPU part":
			cpu.midr |= uint32(part&0xfff) << 4
		case "CPU revision":
			cpu.midr |= uint32(part & 0xf)
		case "Features":
			cpu.features = strings.Fields(value)
		case "Hardware":
			if info.board == "" {
				info.board = value
			}
		case "Model":
			info.board = value
		}
	})
	if described && len(info.cpus) > 1 && info.cpus[0].midr == 0 {
		last := info.cpus[len(info.cpus)-1]
		for i := range info.cpus {
			info.cpus[i].midr, info.cpus[i].features = last.midr, last.features
		}
	}
	if len(info.cpus) == 0 && common.midr != 0 {
		info.cpus = []armCPU{common}
	}
	return info
}

// uneven returns the known features that are listed for some but not all cores.
func (info armInfo) uneven() []string {
	var some, all Set
	all.bits = ^all.bits
	for _, c := range info.cpus {
		if c.features == nil {
			continue
		}
		s := SetOf(c.features...)
		some.bits |= s.bits
		all.bits &= s.bits
	}
	return Set{some.bits &^ all.bits}.Names()
}

// armClasses groups the cores by register and capacity.
func armClasses(m Machine, info armInfo) []Class {
	midrs := map[int]uint32{}
	for _, c := range info.cpus {
		midrs[c.number] = c.midr
	}
	cpus := parseList(readLine(m.Root, "sys/devices/system/cpu/online"))
	if len(cpus) == 0 {
		for _, c := range info.cpus {
			cpus = append(cpus, c.number)
		}
	}
	var classes []Class
	for _, n := range cpus {
		midr := uint32(readUint(m.Root, cpuFile(n, "regs/identification/midr_el1")))
		if midr == 0 {
			midr = midrs[n]
		}
		if midr == 0 {
			continue
		}
		capacity := int(min(readUint(m.Root, cpuFile(n, "cpu_capacity")), 1024))
		i := slices.IndexFunc(classes, func(c Class) bool { return c.MIDR == midr && c.Capacity == capacity })
		if i < 0 {
			i = len(classes)
			classes = append(classes, Class{Model: armModel(midr), MIDR: midr, Capacity: capacity})
		}
		classes[i].CPUs = append(classes[i].CPUs, n)
		classes[i].Count++
	}
	return classes
}

// readBSDModel looks for the register in FreeBSD's hw.model, such as
// "ARM Neoverse-N1 r3p1 (midr: 413fd0c1)".
func (id *Identity) readBSDModel(m Machine) {
	id.Brand, _ = m.Sysctl("hw.model")
	_, hex, _ := strings.Cut(id.Brand, "midr: ")
	hex, _, _ = strings.Cut(hex, ")")
	if midr, err := strconv.ParseUint(hex, 16, 32); err == nil {
		id.Classes = []Class{{Model: armModel(uint32(midr)), MIDR: uint32(midr)}}
	}
}

// readWindowsARM reads PROCESSOR_IDENTIFIER, such as "ARMv8 (64-bit) Family 8
// Model D4B Revision 0, Qualcomm Technologies Inc".
func (id *Identity) readWindowsARM(m Machine) {
	id.Brand = m.Getenv("PROCESSOR_IDENTIFIER")
	_, rest, _ := strings.Cut(id.Brand, " Model ")
	hex, _, _ := strings.Cut(rest, " ")
	part, err := strconv.ParseUint(hex, 16, 12)
	if err != nil {
		return
	}
	implementer := uint32(0x41)
	switch {
	case part >= 0xd00 && part < 0xe00: // Arm's own numbers, whoever made the chip
	case strings.Contains(id.Brand, "Qualcomm"):
		implementer = 0x51
	case strings.Contains(id.Brand, "Ampere"):
		implementer = 0xc0
	case strings.Contains(id.Brand, "Apple"):
		implementer = 0x61
	}
	id.Model = armModel(implementer<<24 | 0xf<<16 | uint32(part)<<4)
}

// readApple uses the brand, which names the generation, and where there is none
// (iPhones) the family.
func (id *Identity) readApple(m Machine) {
	id.Brand, _ = m.Sysctl("machdep.cpu.brand_string")
	id.Board, _ = m.Sysctl("hw.model")
	if chip, ok := strings.CutPrefix(id.Brand, "Apple "); ok {
		chip, _, _ = strings.Cut(chip, " ")
		if len(chip) >= 2 && (chip[0] == 'M' || chip[0] == 'A') {
			id.Model = "apple-" + strings.ToLower(chip)
		}
	}
	if family, ok := m.SysctlUint32("hw.cpufamily"); ok && id.Model == "" {
		id.Model = appleFamilies.find(family)
	}
	id.Classes = appleClasses(m, id.Model)
}

// appleClasses reads the performance levels. macOS numbers no CPUs.
func appleClasses(m Machine, model string) []Class {
	levels, _ := m.SysctlUint32("hw.nperflevels")
	var classes []Class
	for level := range min(levels, 2) {
		count, _ := m.SysctlUint32(fmt.Sprintf("hw.perflevel%d.logicalcpu", level))
		c := Class{Model: model, Count: int(count), Capacity: 1024}
		if level > 0 {
			c.Model, c.Capacity = model+"-e", 512
		}
		classes = append(classes, c)
	}
	return classes
}

// appleFamilies is keyed by hw.cpufamily (mach/machine.h).
var appleFamilies = names32{
	{0x37a09642, "apple-a7"},
	{0x2c91a47e, "apple-a8"},
	{0x92fb37c8, "apple-a9"},
	{0x67ceee93, "apple-a10"},
	{0xe81e7ef6, "apple-a11"},
	{0x07d34b9f, "apple-a12"},
	{0x462504d2, "apple-a13"},
	{0x1b588bb3, "apple-m1"}, // also A14
	{0xda33d83d, "apple-m2"}, // also A15
	{0x8765edea, "apple-a16"},
	{0xfa33415e, "apple-m3"},
	{0x5f4dea93, "apple-m3"},
	{0x72015832, "apple-m3"},
	{0x2876f5b5, "apple-a17"},
	{0x6f5129ac, "apple-m4"},
	{0x17d5b93a, "apple-m4"},
	{0x75d4acb9, "apple-a18"},
	{0x204526d0, "apple-a18"},
}

// armModel returns the short name of a core by its Main ID Register, empty if
// unknown.
func armModel(midr uint32) string {
	implementer, part := midr>>24, midr>>4&0xfff
	if name := armParts.find(implementer<<12 | part); name != "" {
		return name
	}
	if implementer == 0x69 {
		return "xscale"
	}
	return ""
}

// Is64Bit reports whether this is a known ARM core that can run AArch64, which
// says nothing of this program.
func (c Class) Is64Bit() bool {
	return armParts.find(c.MIDR>>24<<12|c.MIDR>>4&0xfff) != "" && !slices.Contains(cores32, c.Model)
}

// cores32 are the cores that run 32-bit programs only.
var cores32 = []string{
	"arm920", "arm922", "arm926", "arm11mpcore", "arm1136", "arm1156", "arm1176", "sa110", "sa1100", "feroceon", "pj4", "scorpion", "krait",
	"cortex-a5", "cortex-a7", "cortex-a8", "cortex-a9", "cortex-a15", "cortex-a17", "cortex-a32", "brahma-b15",
}

// armParts is keyed by implementer << 12 | part number. Cores that a licensee
// renumbered bear the name of the core they are.
var armParts = names32{
	// Arm
	{0x41920, "arm920"}, {0x41922, "arm922"}, {0x41926, "arm926"},
	{0x41b02, "arm11mpcore"}, {0x41b36, "arm1136"}, {0x41b56, "arm1156"}, {0x41b76, "arm1176"},
	{0x41c05, "cortex-a5"}, {0x41c07, "cortex-a7"}, {0x41c08, "cortex-a8"}, {0x41c09, "cortex-a9"},
	{0x41c0d, "cortex-a17"}, // Cortex-A12, which Arm later called A17; the cores of RK3288 say so
	{0x41c0e, "cortex-a17"}, {0x41c0f, "cortex-a15"},
	{0x41d01, "cortex-a32"}, {0x41d02, "cortex-a34"}, {0x41d03, "cortex-a53"}, {0x41d04, "cortex-a35"},
	{0x41d05, "cortex-a55"}, {0x41d06, "cortex-a65"}, {0x41d07, "cortex-a57"}, {0x41d08, "cortex-a72"},
	{0x41d09, "cortex-a73"}, {0x41d0a, "cortex-a75"}, {0x41d0b, "cortex-a76"}, {0x41d0c, "neoverse-n1"},
	{0x41d0d, "cortex-a77"}, {0x41d0e, "cortex-a76"}, {0x41d40, "neoverse-v1"}, {0x41d41, "cortex-a78"},
	{0x41d42, "cortex-a78"}, {0x41d43, "cortex-a65"}, {0x41d44, "cortex-x1"}, {0x41d46, "cortex-a510"},
	{0x41d47, "cortex-a710"}, {0x41d48, "cortex-x2"}, {0x41d49, "neoverse-n2"}, {0x41d4a, "neoverse-e1"},
	{0x41d4b, "cortex-a78"}, {0x41d4c, "cortex-x1"}, {0x41d4d, "cortex-a715"}, {0x41d4e, "cortex-x3"},
	{0x41d4f, "neoverse-v2"}, {0x41d80, "cortex-a520"}, {0x41d81, "cortex-a720"}, {0x41d82, "cortex-x4"},
	{0x41d83, "neoverse-v3"}, {0x41d84, "neoverse-v3"}, {0x41d85, "cortex-x925"}, {0x41d87, "cortex-a725"},
	{0x41d88, "cortex-a520"}, {0x41d89, "cortex-a720"}, {0x41d8e, "neoverse-n3"}, {0x41d8f, "cortex-a320"},
	// Broadcom, Cavium
	{0x4200f, "brahma-b15"}, {0x42100, "brahma-b53"}, {0x42516, "thunderx2"},
	{0x430a0, "thunderx"}, {0x430a1, "thunderx"}, {0x430a2, "thunderx"}, {0x430a3, "thunderx"},
	{0x430af, "thunderx2"}, {0x430b8, "thunderx3"},
	// DEC, Fujitsu, HiSilicon
	{0x44a10, "sa110"}, {0x44a11, "sa1100"},
	{0x46001, "a64fx"}, {0x46003, "monaka"},
	{0x48d01, "tsv110"}, {0x48d02, "tsv200"}, {0x48d40, "cortex-a76"},
	// NVIDIA, Applied Micro
	{0x4e000, "denver"}, {0x4e003, "denver2"}, {0x4e004, "carmel"}, {0x4e010, "olympus"},
	{0x50000, "xgene"}, {0x50001, "xgene"},
	// Qualcomm
	{0x5100f, "scorpion"}, {0x5102d, "scorpion"}, {0x5104d, "krait"}, {0x5106f, "krait"},
	{0x51001, "oryon"}, {0x51002, "oryon"},
	{0x51201, "kryo"}, {0x51205, "kryo"}, {0x51211, "kryo"},
	{0x51800, "cortex-a73"}, {0x51801, "cortex-a53"}, {0x51802, "cortex-a75"}, {0x51803, "cortex-a55"},
	{0x51804, "cortex-a76"}, {0x51805, "cortex-a55"}, {0x51c00, "falkor"}, {0x51c01, "saphira"},
	// Samsung, Marvell
	{0x53001, "mongoose"}, {0x53002, "exynos-m3"}, {0x53003, "exynos-m4"}, {0x53004, "exynos-m5"},
	{0x56131, "feroceon"}, {0x56581, "pj4"}, {0x56584, "pj4"},
	// Apple under Linux
	{0x61020, "apple-m1-e"}, {0x61021, "apple-m1"}, {0x61022, "apple-m1-e"}, {0x61023, "apple-m1"},
	{0x61024, "apple-m1-e"}, {0x61025, "apple-m1"}, {0x61028, "apple-m1-e"}, {0x61029, "apple-m1"},
	{0x61030, "apple-m2-e"}, {0x61031, "apple-m2"}, {0x61032, "apple-m2-e"}, {0x61033, "apple-m2"},
	{0x61034, "apple-m2-e"}, {0x61035, "apple-m2"}, {0x61038, "apple-m2-e"}, {0x61039, "apple-m2"},
	{0x61042, "apple-m3-e"}, {0x61043, "apple-m3"}, {0x61044, "apple-m3-e"}, {0x61045, "apple-m3"},
	{0x61048, "apple-m3-e"}, {0x61049, "apple-m3"},
	{0x61052, "apple-m4-e"}, {0x61053, "apple-m4"}, {0x61054, "apple-m4-e"}, {0x61055, "apple-m4"},
	{0x61058, "apple-m4-e"}, {0x61059, "apple-m4"},
	// Microsoft, Phytium, Ampere
	{0x6dd49, "neoverse-n2"},
	{0x70303, "ftc310"}, {0x70660, "ftc660"}, {0x70661, "ftc661"}, {0x70662, "ftc662"}, {0x70663, "ftc663"}, {0x70862, "ftc862"},
	{0xc0ac3, "ampere1"}, {0xc0ac4, "ampere1a"}, {0xc0ac5, "ampere1b"},
}
