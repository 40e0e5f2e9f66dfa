// This file lets the Go compiler accept the declaration of pin, which has no
// body.
