module github.com/quarterround/quarterround/peers

go 1.26.0

require (
	github.com/quarterround/quarterround v0.0.0-00010101000000-000000000000
	golang.org/x/crypto v0.59.0
)

require golang.org/x/sys v0.50.0

replace github.com/quarterround/quarterround => ../
