package cpu

import "strings"

// readOther names the CPU of the remaining architectures by what Linux prints.
func (id *Identity) readOther(m Machine) {
	values := map[string]string{}
	fields(readHead(m.Root, "proc/cpuinfo", maxHead), func(name, value string) {
		if _, seen := values[name]; !seen {
			values[name] = value
		}
	})
	switch m.GOARCH {
	case "ppc64", "ppc64le": // cpu : POWER9, altivec supported
		id.Brand = values["cpu"]
		if strings.HasPrefix(id.Brand, "POWER") {
			id.Model = strings.ToLower(id.Brand[:strings.IndexAny(id.Brand+" ", " ,(")])
		}
		id.Board = values["model"]
	case "s390x": // processor 0 : version = FF,  identification = 133E88,  machine = 3931
		id.Brand = values["vendor_id"]
		_, machine, _ := strings.Cut(values["processor 0"], "machine = ")
		id.Model = zMachines.find(machine)
	case "riscv64":
		id.Brand = values["uarch"]
		id.Model = strings.ReplaceAll(id.Brand, ",", "-")
	case "loong64":
		id.Brand = values["Model Name"]
		id.Model = strings.ToLower(id.Brand)
	case "mips", "mipsle", "mips64", "mips64le":
		id.Brand = values["cpu model"]
		id.Board = values["machine"]
	}
	if cpus := parseList(readLine(m.Root, "sys/devices/system/cpu/online")); id.Model != "" {
		id.Classes = []Class{{Model: id.Model, CPUs: cpus, Count: len(cpus)}}
	}
}

// zMachines is keyed by the machine type of IBM Z.
var zMachines = aliases{
	{"2964", "z13"}, {"2965", "z13"},
	{"3906", "z14"}, {"3907", "z14"},
	{"8561", "z15"}, {"8562", "z15"},
	{"3931", "z16"}, {"3932", "z16"},
	{"9175", "z17"}, {"9176", "z17"},
}
