module github.com/quarterround/quarterround/tools

go 1.26.0

require github.com/quarterround/quarterround v0.0.0

replace github.com/quarterround/quarterround => ../
