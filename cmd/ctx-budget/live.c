#include "live.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void
paint(struct live *live)
{
	struct buf line = BUF_INIT;
	struct output *out = &live->filter->out;

	live->write(live->context, &line);
	if (!str_eq(buf_str(&line), buf_str(&live->shown))) {
		if (live->is_terminal)
			output_copy(out, STR("\r\033[K"));
		else
			output_begin_record(out);
		output_copy(out, buf_str(&line));
		if (!live->is_terminal)
			output_copy(out, STR("\n"));
		output_flush(out);
		buf_reset(&live->shown);
		buf_add_str(&live->shown, buf_str(&line));
	}
	live->painted = now();
	live->dirty = false;
	buf_free(&line);
}

/* Whether input is there within so many milliseconds (-1 waits for it). */
static bool
has_input(const struct live *live, int64_t milliseconds)
{
	struct pollfd ready = {.fd = live->filter->source.in.fd, .events = POLLIN};

	return poll(&ready, 1, milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX) != 0;
}

static void
before_read(void *context)
{
	struct live *live = context;
	int64_t due = live->painted + (int64_t)live->interval;
	int64_t left = due - now();

	/* Before the first record a line is shown only when that one is not there yet. */
	if (!live->dirty && (live->shown.len > 0 || has_input(live, 0)))
		return;
	if (left > 0 && has_input(live, left))
		return;
	if (left <= 0 || !has_input(live, 0))
		paint(live);
}

void
live_start(struct live *live, struct filter *filter, uint64_t seconds)
{
	live->filter = filter;
	live->interval = seconds * 1000;
	live->painted = now() - (int64_t)live->interval;
	live->is_terminal = isatty(STDOUT_FILENO) == 1;
	if (seconds == 0)
		return;
	filter->before_read = before_read;
	filter->context = live;
}

void
live_end(struct live *live)
{
	paint(live);
	if (live->is_terminal)
		output_copy(&live->filter->out, STR("\n"));
	buf_free(&live->shown);
}
