module github.com/quarterround/quarterround/tools

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.6.0
	github.com/quarterround/quarterround v0.0.0-00010101000000-000000000000
)

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	google.golang.org/grpc/cmd/protoc-gen-go-grpc v1.6.2 // indirect
	google.golang.org/protobuf v1.36.12 // indirect
)

require (
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
)

replace github.com/quarterround/quarterround => ../

tool (
	google.golang.org/grpc/cmd/protoc-gen-go-grpc
	google.golang.org/protobuf/cmd/protoc-gen-go
)
