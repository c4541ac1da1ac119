#include "policy/summarizer/summarizer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/text/harmless.h"
#include "json/string.h"
#include "json/write.h"
#include "stream/process/process.h"

enum {
	ANSWER_MOST = 64 << 20, /* bytes; a text that is too long in tokens is refused later */
	WAIT_MOST = 60,         /* seconds before another run */
	NUMBER_LEN = 48,        /* bytes of a variable with a number */
};

/* The variables of the task, in the environment's form. */
struct variables {
	char tokens[NUMBER_LEN], messages[NUMBER_LEN];
	const char *list[4];
};

/* Waits before the next run, after so many others. */
static void
wait_before(unsigned runs)
{
	struct timespec left = {runs < 7 ? 1 << (runs - 1) : WAIT_MOST, 0};

	if (left.tv_sec > WAIT_MOST)
		left.tv_sec = WAIT_MOST;
	while (nanosleep(&left, &left) != 0 && errno == EINTR)
		continue;
}

static bool
is_blank(struct str text)
{
	struct buf json = BUF_INIT;
	bool blank;

	json_write_string(&json, text);
	blank = json_is_blank(json_written(&json, 0));
	buf_free(&json);
	return blank;
}

static bool
check_answer(const struct summarizer *summarizer, struct str answer, struct fault *fault)
{
	if (!process_check_text(summarizer->command, answer, fault))
		return false;
	return !is_blank(answer) ||
	    fault_set(
		fault, STATUS_UNAVAILABLE, "'%s' wrote nothing but blanks", summarizer->command);
}

/* Whether there is one line for each message, and none of them is blank. */
static bool
check_lines(
    const struct summarizer *summarizer, uint64_t messages, struct str answer, struct fault *fault)
{
	uint64_t lines = str_count(answer, '\n') + 1, blank = 0;

	for (uint64_t line = 1; line <= lines && blank == 0; line++)
		if (is_blank(str_take_line(&answer)))
			blank = line;
	if (lines != messages)
		return fault_set(fault, STATUS_UNAVAILABLE,
		    "'%s' wrote %" PRIu64 " lines for %" PRIu64 " messages", summarizer->command,
		    lines, messages);
	return blank == 0 ||
	    fault_set(fault, STATUS_UNAVAILABLE, "'%s' wrote nothing but blanks in line %" PRIu64,
		summarizer->command, blank);
}

static bool
take_answer(const struct summarizer *summarizer, const struct summarizer_task *task,
    struct str output, struct buf *answer, struct fault *fault)
{
	if (!check_answer(summarizer, str_trim(output), fault))
		return false;
	buf_reset(answer);
	if (!task->has_lines) {
		harmless_add(answer, str_trim(output));
		return true;
	}
	harmless_add(answer, output);
	if (answer->ptr[answer->len - 1] == '\n')
		answer->len--;
	return check_lines(summarizer, task->messages, buf_str(answer), fault);
}

/* Runs the command until it answers, or until another run is no use. */
static bool
run(const struct summarizer *summarizer, const struct process *process, struct buf *output,
    unsigned *runs, struct fault *fault)
{
	for (*runs = 0;;) {
		struct fault failed = FAULT_INIT;
		struct process_end end;

		if (*runs > 0)
			wait_before(*runs);
		++*runs;
		buf_reset(output);
		if (process_run(process, output, &end, &failed))
			return true;
		if (*runs > summarizer->retries || !(end.is_late || end.status == STATUS_LATER)) {
			fault_set(fault, failed.status, "%.*s", STR_ARG(buf_str(&failed.text)));
			if (*runs > 1)
				buf_add_fmt(&fault->text, " (run %u)", *runs);
			fault_free(&failed);
			return false;
		}
		fault_free(&failed);
	}
}

bool
summarizer_ask(const struct summarizer *summarizer, const struct summarizer_task *task,
    struct buf *answer, unsigned *runs, struct fault *fault)
{
	struct variables variables;
	struct process process = {.command = summarizer->command,
	    .input = task->input,
	    .output_max = ANSWER_MOST,
	    .deadline = summarizer->timeout,
	    .variables = variables.list};
	struct buf output = BUF_INIT;
	bool good;

	snprintf(variables.tokens, NUMBER_LEN, "CTX_SUMMARY_TOKENS=%" PRIu64, task->tokens);
	snprintf(variables.messages, NUMBER_LEN, "CTX_SUMMARY_MESSAGES=%" PRIu64, task->messages);
	variables.list[0] = variables.tokens;
	variables.list[1] = variables.messages;
	variables.list[2] =
	    task->is_update ? "CTX_SUMMARY_KIND=update" : "CTX_SUMMARY_KIND=initial";
	variables.list[3] = NULL;
	good = run(summarizer, &process, &output, runs, fault) &&
	    take_answer(summarizer, task, buf_str(&output), answer, fault);
	buf_free(&output);
	return good;
}
