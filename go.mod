module github.com/quarterround/quarterround

go 1.26
