// Package proto is the protocol between a host and a plugin, as Go code made
// from quarterround.proto.
package proto

//go:generate go -C ../../tools run ./protogen ../plugin/proto
