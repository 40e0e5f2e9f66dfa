/*
 * A TCG plugin for QEMU user mode (plugin API version 1, QEMU 4.2 to 9): for
 * each stretch from a call of the function at address begin= to the next call,
 * by the same thread, of the one at end=, writes a line to the file out=:
 *
 *   COUNT PATH DATA
 *
 * the number of executed instructions, a hash of their addresses in order, and
 * a hash of the addresses that they loaded from and stored to.
 *
 * Built with the host compiler alone: Debian does not package QEMU's header, so
 * the few declarations needed stand here.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
typedef uint32_t mem_info;
struct qemu_plugin_tb;
struct qemu_plugin_insn;

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*cb)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, void (*cb)(unsigned, void *), int flags, void *data);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn, void (*cb)(unsigned, mem_info, uint64_t, void *), int flags, int rw, void *data);
extern void qemu_plugin_register_atexit_cb(plugin_id id, void (*cb)(plugin_id, void *), void *data);

enum { NO_REGISTERS = 0, READS_AND_WRITES = 3 };

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

struct block {
	size_t size;
	uint64_t address[];
};

static uint64_t begin_address, end_address;
static FILE *out;
static bool inside;
static unsigned thread;
static uint64_t count, path, data;

/* FNV-1a, eight bytes at a time. */
static const uint64_t basis = 0xcbf29ce484222325, prime = 0x100000001b3;

static uint64_t hash(uint64_t h, uint64_t word)
{
	h = (h ^ word) * prime;
	return h ^ h >> 29;
}

static void executed(unsigned vcpu, void *user)
{
	const struct block *b = user;

	if (!inside) {
		if (b->address[0] == begin_address) {
			inside = true;
			thread = vcpu;
			count = 0;
			path = data = basis;
		}
		return;
	}
	if (vcpu != thread)
		return;
	if (b->address[0] == end_address) {
		inside = false;
		fprintf(out, "%" PRIu64 " %016" PRIx64 " %016" PRIx64 "\n", count, path, data);
		return;
	}
	count += b->size;
	for (size_t i = 0; i < b->size; i++)
		path = hash(path, b->address[i]);
}

static void accessed(unsigned vcpu, mem_info info, uint64_t address, void *user)
{
	(void)info;
	(void)user;
	if (inside && vcpu == thread)
		data = hash(data, address);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = calloc(1, sizeof *b + n * sizeof b->address[0]);

	(void)id;
	if (!b)
		abort();
	b->size = n;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		b->address[i] = qemu_plugin_insn_vaddr(insn);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, NO_REGISTERS, READS_AND_WRITES, NULL);
	}
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, NO_REGISTERS, b);
}

static void finished(plugin_id id, void *user)
{
	(void)id;
	(void)user;
	fclose(out);
}

__attribute__((visibility("default")))
int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "begin=", 6))
			begin_address = strtoull(argv[i] + 6, NULL, 0);
		else if (!strncmp(argv[i], "end=", 4))
			end_address = strtoull(argv[i] + 4, NULL, 0);
		else if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
		else
			return -1;
	}
	if (!begin_address || !end_address || !out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, finished, NULL);
	return 0;
}
