// Package plugin runs backends in other processes.
//
// A program that has kernels of its own and wants to offer them is a plugin:
//
//	func main() { plugin.Serve(&mybackend.Backend) }
//
// A program that wants to use it opens it:
//
//	p, err := plugin.Open(ctx, "/opt/ciphers/mybackend", nil)
//	selection, err := registry.Select(registry.WithBackends(p.Backend()))
//
// or only imports this package and is run with QUARTERROUND=plugins=PATH.
//
// The kernels of a plugin are candidates as any others: they are eligible only
// if the CPU has what they need, they are self-tested through the wire, and cost
// what a call through the wire costs, so that they are chosen where they bring
// hardware of their own, or by force. A plugin sees keys and data. Nothing
// starts one unless the program or its user names it.
//
// A plugin that crashes, hangs or answers with the wrong length while it is at
// work does no harm: the call is computed again in this process, with the same
// key, nonce and data, so that the bytes are the same; the backend becomes
// plugin-down, and plans are made without it. That holds under a force, too, which
// a note of the selection then calls lifted: a program does not stop because of a
// plugin. A new selection that forces a plugin which is down is a typed error, as
// any force that cannot be honoured. The methods of [Plugin] and [Key], which ask
// for whole algorithms, return the error instead.
//
// A plugin may also have ciphers that are no kernels, because they do whole
// messages only: see [Library]. Keys and batches use them as they use kernels, and
// [Plugin.Measure] times either in the plugin itself, to compare code and not
// processes; selections have no use for them.
//
// [Plugin.Check] runs tests inside the plugin, and tells a crash or a hang from a
// wrong result. cmd/select starts itself as a plugin to try its own backends so.
//
// The protocol is described in proto/quarterround.proto, for authors in other
// languages. The process is started by github.com/hashicorp/go-plugin.
package plugin
