package main

// A publishedOrder says of two techniques for the same work that a core is known
// to order otherwise than its model does.
type publishedOrder struct {
	cpu            string
	faster, slower string
	ratio          float64 // of their published cycles a byte, at least 1
}

// publishedOrders are the known cases: four NEON blocks in lanes and a scalar
// one against six in rows and two scalar ones. On A57 ChaCha20 takes 4.15 and
// 4.40 cycles a byte (A. Polyakov, OpenSSL's chacha-armv8, and its pull requests
// 12397 and 13653).
var publishedOrders = []publishedOrder{
	{"cortex-a57", "neonmixed/chacha-x4s1", "neonmixed/chacha-x6s2", 4.40 / 4.15},
}

// keepPublishedOrders raises the cost of a step of the slower technique where
// the model puts it before the faster one. The tables show what the models say;
// this is for the priors, by which kernels are chosen.
func keepPublishedOrders(rows []row) {
	for _, o := range publishedOrders {
		faster, fast := findFigure(rows, o.faster, o.cpu)
		slower, slow := findFigure(rows, o.slower, o.cpu)
		if faster == nil || slower == nil {
			continue
		}
		least := o.ratio * faster.perStep / float64(fast.step) * float64(slow.step)
		if slower.perStep < least {
			slower.perStep = least
			slower.reordered = true
		}
	}
}

// findFigure returns the figure of a kernel on a CPU, and its row.
func findFigure(rows []row, kernel, cpu string) (*figure, *row) {
	for i := range rows {
		for j := range rows[i].figures {
			if f := &rows[i].figures[j]; rows[i].name == kernel && f.cpu.name == cpu {
				return f, &rows[i]
			}
		}
	}
	return nil, nil
}
