package cpu

import (
	"strconv"
	"strings"
)

// readSurroundings finds the board, the hypervisor and the emulator.
func (id *Identity) readSurroundings(m Machine) {
	if board := readLine(m.Root, "proc/device-tree/model"); board != "" {
		id.Board = board
	}
	if emulator := findEmulator(*id, m); emulator != "" {
		id.Emulator = emulator
	}
	if id.Emulator == "qemu-user" || id.Emulator == "native-bridge" {
		id.forgetHost(m)
	}
	if id.Hypervisor == "" || id.Hypervisor == "unknown" {
		if name := findHypervisor(m, id.Board); name != "" {
			id.Hypervisor = name
		}
	}
}

// forgetHost drops what the files of the host said. Under user-mode emulation /proc
// and /sys are the host's, save that newer versions of QEMU make up a /proc/cpuinfo.
func (id *Identity) forgetHost(m Machine) {
	id.Board = ""
	for i := range id.Classes {
		id.Classes[i].CPUs, id.Classes[i].Capacity = nil, 0
	}
	if m.CPUID == nil && (m.GOARCH == "386" || m.GOARCH == "amd64") {
		id.Vendor, id.Brand, id.Model, id.Classes = "", "", "", nil
	}
}

// findEmulator tells a translator from a CPU by what contradicts the program's
// architecture.
func findEmulator(id Identity, m Machine) string {
	switch {
	case strings.HasPrefix(id.Brand, "VirtualApple"):
		return "rosetta"
	case strings.Contains(id.Brand, "Box64"):
		return "box64"
	}
	if translated, _ := m.SysctlUint32("sysctl.proc_translated"); translated == 1 {
		return "rosetta"
	}
	own := archFamily(m.GOARCH)
	if m.GOOS == "windows" {
		if own == "x86" && strings.HasPrefix(m.Getenv("PROCESSOR_IDENTIFIER"), "ARM") {
			return "windows-on-arm"
		}
		return ""
	}
	if host := hostFamily(m); host != "" && own != "" && host != own {
		switch {
		case id.Emulator == "fex":
			return "fex"
		case m.GOOS == "android":
			return "native-bridge"
		}
		return "qemu-user"
	}
	return ""
}

// hostFamily returns the architecture of the Linux kernel, by files that an
// emulator passes through: the name itself (since Linux 6.1), the alias by which
// modules for this CPU are found, and the fields of /proc/cpuinfo.
func hostFamily(m Machine) string {
	if family := archFamily(readLine(m.Root, "proc/sys/kernel/arch")); family != "" {
		return family
	}
	alias := readLine(m.Root, "sys/devices/system/cpu/modalias")
	if _, kind, ok := strings.Cut(alias, "cpu:type:"); ok {
		kind, _, _ = strings.Cut(kind, ",")
		if family := archFamily(strings.TrimSuffix(kind, ":feature:")); family != "" {
			return family
		}
	}
	family := ""
	fields(readHead(m.Root, "proc/cpuinfo", maxHead), func(name, value string) {
		switch name {
		case "vendor_id":
			switch value {
			case "GenuineIntel", "AuthenticAMD", "HygonGenuine", "CentaurHauls", "Shanghai":
				family = "x86"
			case "IBM/S390":
				family = "s390"
			}
		case "CPU implementer":
			family = "arm"
		}
	})
	return family
}

// archFamily maps a GOARCH or a machine name of Linux to a name for all whose
// programs run on the same CPUs, empty if unknown.
func archFamily(arch string) string {
	switch arch {
	case "amd64", "x86_64", "x86", "386", "i386", "i486", "i586", "i686":
		return "x86"
	case "loong64", "loongarch64":
		return "loong"
	}
	for _, prefix := range []string{"arm", "ppc", "s390", "riscv", "mips"} {
		if strings.HasPrefix(arch, prefix) {
			return prefix
		}
	}
	if strings.HasPrefix(arch, "aarch64") {
		return "arm"
	}
	return ""
}

// findHypervisor asks what firmware and kernel say, where there is no CPUID.
func findHypervisor(m Machine, board string) string {
	if kind := readLine(m.Root, "sys/hypervisor/type"); kind != "" {
		return kind
	}
	switch compatible := readLine(m.Root, "proc/device-tree/hypervisor/compatible"); {
	case strings.HasPrefix(compatible, "xen"):
		return "xen"
	case strings.Contains(compatible, "kvm"):
		return "kvm"
	case compatible != "":
		return "unknown"
	}
	if board == "linux,dummy-virt" {
		return "qemu"
	}
	vendor := readLine(m.Root, "sys/class/dmi/id/sys_vendor")
	product := readLine(m.Root, "sys/class/dmi/id/product_name")
	switch {
	case vendor == "QEMU":
		return "qemu"
	case vendor == "VMware, Inc.":
		return "vmware"
	case vendor == "innotek GmbH":
		return "virtualbox"
	case vendor == "Microsoft Corporation" && product == "Virtual Machine":
		return "hyperv"
	case strings.HasPrefix(vendor, "Parallels"):
		return "parallels"
	case strings.HasPrefix(product, "Apple Virtualization"):
		return "apple"
	case vendor == "Amazon EC2" && !strings.Contains(product, ".metal"):
		return "nitro"
	case product == "Google Compute Engine":
		return "kvm"
	}
	return ""
}

// readClocks finds the highest clock and the governor of each class, or else
// the clock that /proc/cpuinfo shows.
func (id *Identity) readClocks(m Machine) {
	for i := range id.Classes {
		c := &id.Classes[i]
		if len(c.CPUs) == 0 {
			continue
		}
		khz := readUint(m.Root, cpuFile(c.CPUs[0], "cpufreq/cpuinfo_max_freq"))
		c.ClockHz = khz * 1000
		c.Governor = readLine(m.Root, cpuFile(c.CPUs[0], "cpufreq/scaling_governor"))
	}
	if id.ClockHz != 0 {
		return
	}
	fields(readHead(m.Root, "proc/cpuinfo", maxHead), func(name, value string) {
		switch name {
		case "cpu MHz", "CPU MHz", "clock", "cpu MHz static":
			mhz, err := strconv.ParseFloat(strings.TrimSuffix(value, "MHz"), 64)
			if err == nil && mhz > 0 && mhz < 1e5 && id.ClockHz == 0 {
				id.ClockHz, id.ClockSource = uint64(mhz*1e6), "cpuinfo"
			}
		}
	})
}
