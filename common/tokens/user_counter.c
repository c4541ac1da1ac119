#include "tokens/user_counter.h"

#include "base/bounded.h"
#include "json/write.h"
#include "stream/process/process.h"

/* An integer has at most 20 digits. The other bytes are room for blanks, and for the start of wrong
 * output, which the diagnostic quotes. */
enum { LINE_MAX_LEN = 64, ANSWER_SPARE = 4096 };

void
user_counter_add(struct user_counter_batch *batch, struct str text)
{
	json_write_string(&batch->lines, text);
	buf_add_char(&batch->lines, '\n');
	batch->count++;
}

void
user_counter_free(struct user_counter_batch *batch)
{
	buf_free(&batch->lines);
}

/* Reads a line of digits with or without blanks around them. Returns false for anything else. */
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

static bool
parse_answer(
    struct str answer, const char *command, uint64_t *counts, uint64_t wanted, struct fault *fault)
{
	uint64_t found = 0;

	while (answer.len > 0) {
		struct str line = str_take_line(&answer);
		uint64_t count;

		if (!parse_count(line, &count))
			return fault_set(fault, STATUS_UNAVAILABLE,
			    "'%s' wrote '%.*s', expected an integer a line", command,
			    (int)(line.len < 40 ? line.len : 40), line.ptr);
		if (found < wanted)
			counts[found] = count;
		found++;
	}
	return found == wanted ||
	    fault_set(fault, STATUS_UNAVAILABLE, "'%s' wrote %ju lines for %ju texts", command,
		(uintmax_t)found, (uintmax_t)wanted);
}

bool
user_counter_run(struct user_counter_batch *batch, const char *command, uint64_t timeout,
    uint64_t *counts, struct fault *fault)
{
	struct process process = {.command = command,
	    .input = buf_str(&batch->lines),
	    .timeout = timeout,
	    .output_max = bounded_add(ANSWER_SPARE, bounded_multiply(batch->count, LINE_MAX_LEN))};
	struct buf answer = BUF_INIT;
	bool good = batch->count == 0 ||
	    (process_run(&process, &answer, NULL, fault) &&
		parse_answer(buf_str(&answer), command, counts, batch->count, fault));

	buf_reset(&batch->lines);
	batch->count = 0;
	buf_free(&answer);
	return good;
}
