#include "guard.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/file.h"
#include "data/message/message.h"
#include "face/fault_die.h"
#include "policy/filter/proof.h"
#include "stream/output.h"
#include "stream/process/spawn.h"

int
guard_open(struct guard *guard)
{
	return spawn_pipe(guard->side);
}

void
guard_close(struct guard *guard)
{
	close(guard->side[0]);
	close(guard->side[1]);
}

/* Reads standard input to its end. */
static void
read_input(int error, struct buf *input)
{
	struct fault fault = FAULT_INIT;

	if (error != 0)
		fault_set(&fault, status_of_error(error, STATUS_IO),
		    "cannot take over the output: %s", strerror(error));
	else
		file_read("-", SIZE_MAX - 1, input, &fault);
	if (fault_is_set(&fault))
		fault_die(&fault);
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
	if (fault_is_set(&fault))
		fault_die(&fault);
}

/* Writes the bytes to the side, their length first. */
static void
write_side(int fd, const struct buf *bytes)
{
	struct fault fault = FAULT_INIT;
	struct output out;
	uint64_t len = bytes->len;

	output_init(&out, fd, "the proof", &fault);
	output_add(&out, str_of((const char *)&len, sizeof len));
	output_add(&out, buf_str(bytes));
	output_flush(&out);
	if (fault.status == STATUS_PIPE)
		diag_die(STATUS_UNAVAILABLE, "the proof of a stage has ended");
	if (fault_is_set(&fault))
		fault_die(&fault);
}

void
guard_hold(void *owner, int error)
{
	const struct guard *guard = owner;
	struct buf input = BUF_INIT;

	read_input(error, &input);
	close(guard->side[0]);
	write_side(guard->side[1], &input);
	write_output(&input, false);
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

void
guard_check(void *owner, int error)
{
	const struct guard *guard = owner;
	struct buf read = BUF_INIT, written = BUF_INIT, broken = BUF_INIT;
	uint64_t len;

	close(guard->side[1]);
	read_side(guard->side[0], (char *)&len, sizeof len);
	buf_reserve(&read, len);
	read_side(guard->side[0], read.ptr, len);
	read.len = len;
	buf_pad(&read);
	read_input(error, &written);
	message_init();
	proof_check(buf_str(&read), buf_str(&written), &broken);
	if (broken.len > 0)
		diag_die(STATUS_INVARIANT, "nothing was written: stage '%s%s%s' broke: %.*s",
		    guard->first, guard->first == guard->last ? "" : "' to '",
		    guard->first == guard->last ? "" : guard->last, STR_ARG(buf_str(&broken)));
	write_output(&written, guard->is_last);
	exit(STATUS_OK);
}
