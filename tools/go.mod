module github.com/quarterround/quarterround/tools

go 1.26.0

require github.com/quarterround/quarterround v0.0.0

require (
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/quarterround/quarterround => ../
