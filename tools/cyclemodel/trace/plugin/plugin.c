/*
 * A TCG plugin for QEMU user mode (plugin API version 1, QEMU 4.2 to 9):
 * records which guest instructions are executed from the first call of the
 * function at address begin= to the next call of the one at address end=, by
 * the thread that made the first call.
 *
 * Output, as text, to the file out=:
 *   B                       a block met for the first time, numbered from 0
 *   I ADDRESS CODE          its instructions, in hexadecimal, bytes as in memory
 *   R NUMBER                a block executed
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
struct qemu_plugin_tb;
struct qemu_plugin_insn;

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*cb)(plugin_id, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, void (*cb)(unsigned, void *), int flags, void *data);
extern void qemu_plugin_register_atexit_cb(plugin_id id, void (*cb)(plugin_id, void *), void *data);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

struct block {
	uint64_t start;
	size_t number;
	bool written;
	size_t size;
	struct {
		uint64_t address;
		size_t size;
		unsigned char code[4];
	} insn[];
};

static uint64_t begin_address, end_address;
static FILE *out;
static enum { BEFORE, INSIDE, AFTER } phase;
static unsigned thread;
static size_t blocks;

static void write_block(struct block *b)
{
	b->number = blocks++;
	b->written = true;
	fputs("B\n", out);
	for (size_t i = 0; i < b->size; i++) {
		fprintf(out, "I %" PRIx64 " ", b->insn[i].address);
		for (size_t j = 0; j < b->insn[i].size; j++)
			fprintf(out, "%02x", b->insn[i].code[j]);
		fputc('\n', out);
	}
}

static void executed(unsigned vcpu, void *data)
{
	struct block *b = data;

	if (phase == BEFORE && b->start == begin_address) {
		phase = INSIDE;
		thread = vcpu;
		return;
	}
	if (phase != INSIDE || vcpu != thread)
		return;
	if (b->start == end_address) {
		phase = AFTER;
		return;
	}
	if (!b->written)
		write_block(b);
	fprintf(out, "R %zu\n", b->number);
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct block *b = calloc(1, sizeof *b + n * sizeof b->insn[0]);

	(void)id;
	if (!b)
		abort();
	b->size = n;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		b->insn[i].address = qemu_plugin_insn_vaddr(insn);
		b->insn[i].size = qemu_plugin_insn_size(insn);
		memcpy(b->insn[i].code, qemu_plugin_insn_data(insn), b->insn[i].size);
	}
	b->start = b->insn[0].address;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, executed, 0, b);
}

static void finished(plugin_id id, void *data)
{
	(void)id;
	(void)data;
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
