#include "guard.h"

#include <errno.h>
#include <poll.h>
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

/* Before the faults on the side. */
struct noted {
	uint64_t messages;
	uint64_t faults;
};

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

/* Passes standard input on while the reader reads it, and checks its lines. */
static void
pass_input(struct proof *proof, struct fault *out_fault)
{
	struct fault in_fault = FAULT_INIT;
	struct input in;
	struct output out;
	struct line line;
	uint64_t number = 0;

	input_init(&in, NULL, 0, &in_fault);
	in.line_max = SIZE_MAX / 4;
	output_init(&out, STDOUT_FILENO, "standard output", out_fault);
	while (input_fill(&in)) {
		while (input_next(&in, &line)) {
			proof_take(proof, line.text, ++number);
			output_add(&out, line.raw);
		}
		output_flush(&out);
	}
	fault_check(&in_fault);
	output_close(&out);
	if (out_fault->status != STATUS_PIPE)
		fault_check(out_fault);
	input_free(&in);
}

void
guard_note(void *owner, const struct fault *error)
{
	const struct guard *guard = owner;
	struct fault fault = FAULT_INIT, left = FAULT_INIT;
	struct output out;
	struct proof proof;
	struct noted head;

	fault_check(error);
	message_init();
	/* The stages may end before they have read all. */
	signal(SIGPIPE, SIG_IGN);
	close(guard->side[0]);
	proof_init(&proof);
	pass_input(&proof, &left);
	proof_end(&proof);
	output_init(&out, guard->side[1], "the proof", &fault);
	head = (struct noted){proof.messages, proof.fault_count};
	output_add(&out, str_of((const char *)&head, sizeof head));
	output_add(
	    &out, str_of((const char *)proof.fault, proof.fault_count * sizeof *proof.fault));
	output_flush(&out);
	if (fault.status == STATUS_PIPE)
		diag_die(STATUS_UNAVAILABLE, "the proof of a stage has ended");
	fault_check(&fault);
	/* As any stage ends whose reader has exited. */
	signal(SIGPIPE, SIG_DFL);
	fault_check(&left);
	exit(STATUS_OK);
}

/* Appends the bytes that can be read. Returns false at the end. */
static bool
read_some(int fd, struct buf *to)
{
	ssize_t n = file_read_some(fd, to);

	if (n < 0 && errno != EAGAIN)
		diag_die(STATUS_IO, "cannot read the output of a stage: %s", strerror(errno));
	return n != 0;
}

/* Whether all notes of guard_note were read. The process that started both also has the other end
 * of the side open, so the side has no end of file. */
static bool
is_whole(const struct buf *noted)
{
	struct noted head;

	if (noted->len < sizeof head)
		return false;
	memcpy(&head, noted->ptr, sizeof head);
	return noted->len == sizeof head + head.faults * sizeof(struct proof_fault);
}

/* Reads standard input to its end, and the side, whichever has data first, since some stages may
 * end only after guard_note has. */
static void
read_both(int side, struct buf *text, struct buf *noted)
{
	struct pollfd ready[] = {{STDIN_FILENO, POLLIN, 0}, {side, POLLIN, 0}};

	while (ready[0].fd >= 0 || ready[1].fd >= 0) {
		if (poll(ready, 2, -1) < 0)
			continue; /* a signal */
		if (ready[0].fd >= 0 && ready[0].revents != 0 && !read_some(ready[0].fd, text))
			ready[0].fd = -1;
		if (ready[1].fd >= 0 && ready[1].revents != 0 &&
		    (!read_some(side, noted) || is_whole(noted)))
			ready[1].fd = -1;
	}
	if (!is_whole(noted))
		diag_die(STATUS_IO,
		    "cannot read the output of the stage before: that stage ended early");
}

/* What guard_note, a process of this program, sent of its proof. */
static void
receive(const struct buf *noted, struct proof *proof)
{
	struct noted head;

	proof_init(proof);
	memcpy(&head, noted->ptr, sizeof head);
	proof->messages = head.messages;
	proof->fault_count = (uint32_t)head.faults;
	proof->fault = mem_alloc(head.faults + 1, sizeof *proof->fault);
	memcpy(proof->fault, noted->ptr + sizeof head, head.faults * sizeof *proof->fault);
}

/* Writes to standard output. Only the output of the last process may be a file, whose close can
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
	output_free(&out);
	fault_check(&fault);
}

void
guard_check(void *owner, const struct fault *error)
{
	const struct guard *guard = owner;
	struct buf text = BUF_INIT, noted = BUF_INIT, what = BUF_INIT;
	struct invariants broken = {.sum = 0};
	struct fault fault = FAULT_INIT;
	struct proof read, written;

	fault_check(error);
	message_init();
	close(guard->side[1]);
	read_both(guard->side[0], &text, &noted);
	buf_pad(&text);
	proof_init(&written);
	proof_take_all(&written, buf_str(&text));
	receive(&noted, &read);
	proof_compare(&read, &written, &broken);
	buf_add_fmt(&what, "stage '%s%s%s' broke: ", guard->first,
	    guard->first == guard->last ? "" : "' to '",
	    guard->first == guard->last ? "" : guard->last);
	invariants_say(&broken, buf_str(&what), &fault);
	fault_check(&fault);
	write_output(&text, guard->is_last);
	exit(STATUS_OK);
}
