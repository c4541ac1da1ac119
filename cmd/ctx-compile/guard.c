#include "guard.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "base/hash/hash.h"
#include "base/mem.h"
#include "data/message/message.h"
#include "face/fault_die.h"
#include "policy/filter/proof.h"
#include "stream/input.h"
#include "stream/output.h"
#include "stream/process/spawn.h"

int
guard_open(struct guard *guard)
{
	/* The secret is drawn with the first hash, and both processes need the same. */
	hash_number(0, hash_seed(HASH_RECORD));
	return spawn_pipe(guard->side);
}

void
guard_close(struct guard *guard)
{
	close(guard->side[0]);
	close(guard->side[1]);
}

static void
die_if(const struct fault *fault)
{
	if (fault_is_set(fault))
		fault_die(fault);
}

static void
check_start(int error)
{
	if (error != 0)
		diag_die(status_of_error(error, STATUS_IO), "cannot take over the output: %s",
		    strerror(error));
	message_init();
}

/* Passes standard input on, as long as somebody reads it, and takes its lines. */
static void
pass_input(struct proof *proof)
{
	struct fault in_fault = FAULT_INIT, out_fault = FAULT_INIT;
	struct input in;
	struct output out;
	struct line line;
	uint64_t number = 0;

	input_init(&in, NULL, 0, &in_fault);
	in.line_max = SIZE_MAX / 4;
	output_init(&out, STDOUT_FILENO, "standard output", &out_fault);
	while (input_fill(&in)) {
		while (input_next(&in, &line)) {
			proof_take(proof, line.text, ++number);
			output_add(&out, line.raw);
		}
		output_flush(&out);
	}
	die_if(&in_fault);
	output_close(&out);
	if (out_fault.status != STATUS_PIPE)
		die_if(&out_fault);
	input_free(&in);
}

void
guard_note(void *owner, int error)
{
	const struct guard *guard = owner;
	struct fault fault = FAULT_INIT;
	struct output out;
	struct proof proof;

	check_start(error);
	/* The stages may end before they have read all. */
	signal(SIGPIPE, SIG_IGN);
	close(guard->side[0]);
	proof_init(&proof);
	pass_input(&proof);
	proof_end(&proof);
	output_init(&out, guard->side[1], "the proof", &fault);
	output_add(&out, str_of((const char *)&proof.messages, sizeof proof.messages));
	output_add(&out, str_of((const char *)&proof.fault_count, sizeof proof.fault_count));
	output_add(
	    &out, str_of((const char *)proof.fault, proof.fault_count * sizeof *proof.fault));
	output_flush(&out);
	if (fault.status == STATUS_PIPE)
		diag_die(STATUS_UNAVAILABLE, "the proof of a stage has ended");
	die_if(&fault);
	exit(STATUS_OK);
}

/* Reads so many bytes of the side. What holds the other end is ended with this process, so that no
 * end of the file comes before. */
static void
read_side(int fd, char *to, size_t len)
{
	while (len > 0) {
		ssize_t n = read(fd, to, len);

		if (n == 0 || (n < 0 && errno != EINTR))
			diag_die(STATUS_IO, "cannot read what the stage before wrote: %s",
			    n == 0 ? "it ended" : strerror(errno));
		to += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

/* What guard_note, a process of this program, sent of its proof. */
static void
receive(int fd, struct proof *proof)
{
	proof_init(proof);
	read_side(fd, (char *)&proof->messages, sizeof proof->messages);
	read_side(fd, (char *)&proof->fault_count, sizeof proof->fault_count);
	proof->fault = mem_alloc(proof->fault_count + (size_t)1, sizeof *proof->fault);
	read_side(fd, (char *)proof->fault, proof->fault_count * sizeof *proof->fault);
}

/* Writes to standard output. Only that of the last process may be a file, of which a close can
 * fail. */
static void
write_output(const struct buf *bytes, bool is_last)
{
	struct fault fault = FAULT_INIT;
	struct output out;

	output_init(&out, STDOUT_FILENO, "standard output", &fault);
	output_add(&out, buf_str(bytes));
	if (is_last)
		output_close(&out);
	else
		output_flush(&out);
	die_if(&fault);
}

void
guard_check(void *owner, int error)
{
	const struct guard *guard = owner;
	struct buf text = BUF_INIT, broken = BUF_INIT;
	struct proof read, written;
	struct fault fault = FAULT_INIT;

	check_start(error);
	close(guard->side[1]);
	file_read("-", SIZE_MAX - 1, &text, &fault);
	die_if(&fault);
	proof_init(&written);
	proof_take_all(&written, buf_str(&text));
	receive(guard->side[0], &read);
	proof_compare(&read, &written, &broken);
	if (broken.len > 0)
		diag_die(STATUS_INVARIANT, "nothing was written: stage '%s%s%s' broke: %.*s",
		    guard->first, guard->first == guard->last ? "" : "' to '",
		    guard->first == guard->last ? "" : guard->last, STR_ARG(buf_str(&broken)));
	write_output(&text, guard->is_last);
	exit(STATUS_OK);
}
