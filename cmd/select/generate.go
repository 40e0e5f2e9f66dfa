package main

// The charts in the documentation, of built-in boards.
//
//go:generate go run . chart cortex-a5 cortex-a7 cortex-a8 cortex-a9 cortex-a15 snapdragon-s4 --kind percent -o ../../docs/charts/chacha20.svg
//go:generate go run . chart cortex-a5 cortex-a8 cortex-a9 cortex-a15 snapdragon-s4 --algorithm poly1305 --kind percent --reference poly32/go -o ../../docs/charts/poly1305-arm.svg
//go:generate go run . chart cortex-a53 cortex-a57 denver --algorithm poly1305 --kind percent --reference poly64/asm -o ../../docs/charts/poly1305-arm64.svg
