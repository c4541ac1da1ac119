#include "tokens/command.h"

#include <errno.h>
#include <sys/wait.h>

#include "base/diag.h"
#include "json/write.h"
#include "stream/process.h"

void
command_add(struct command_batch *batch, struct str text)
{
	json_write_string(&batch->lines, text);
	buf_add_char(&batch->lines, '\n');
	batch->count++;
}

void
command_free(struct command_batch *batch)
{
	buf_free(&batch->lines);
}

static void
check_status(const char *command, int status)
{
	if (status < 0)
		diag_die(STATUS_UNAVAILABLE, "cannot run '%s': %s", command, strerror(errno));
	if (WIFSIGNALED(status))
		diag_die(STATUS_UNAVAILABLE, "'%s' was ended by signal %d", command, WTERMSIG(status));
	if (WEXITSTATUS(status) != 0)
		diag_die(STATUS_UNAVAILABLE, "'%s' failed with status %d", command, WEXITSTATUS(status));
}

/* A line of digits, blanks around them allowed; false for anything else. */
static bool
parse_count(struct str line, uint64_t *count)
{
	line = str_trim(line);
	*count = 0;
	for (size_t i = 0; i < line.len; i++)
		if (line.ptr[i] < '0' || line.ptr[i] > '9' ||
		    __builtin_mul_overflow(*count, 10u, count) ||
		    __builtin_add_overflow(*count, (uint64_t)(line.ptr[i] - '0'), count))
			return false;
	return line.len > 0;
}

static void
parse_answer(struct str answer, const char *command, uint64_t *counts, uint64_t wanted)
{
	uint64_t found = 0;

	while (answer.len > 0) {
		const char *lf = memchr(answer.ptr, '\n', answer.len);
		size_t len = lf != NULL ? (size_t)(lf - answer.ptr) : answer.len;
		uint64_t count;

		if (!parse_count(str_of(answer.ptr, len), &count))
			diag_die(STATUS_UNAVAILABLE, "'%s' wrote '%.*s', expected an integer a line",
			    command, (int)(len < 40 ? len : 40), answer.ptr);
		if (found < wanted)
			counts[found] = count;
		found++;
		len += lf != NULL;
		answer = str_of(answer.ptr + len, answer.len - len);
	}
	if (found != wanted)
		diag_die(STATUS_UNAVAILABLE, "'%s' wrote %ju lines for %ju texts", command,
		    (uintmax_t)found, (uintmax_t)wanted);
}

void
command_run(struct command_batch *batch, const char *command, uint64_t *counts)
{
	struct buf answer = BUF_INIT;

	if (batch->count > 0) {
		check_status(command, process_run(command, buf_str(&batch->lines), &answer));
		parse_answer(buf_str(&answer), command, counts, batch->count);
	}
	buf_reset(&batch->lines);
	batch->count = 0;
	buf_free(&answer);
}
