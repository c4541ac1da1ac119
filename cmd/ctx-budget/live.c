#include "live.h"

#include <poll.h>
#include <unistd.h>

#include "base/clock.h"
#include "face/progress.h"

void
live_start(struct live *live, struct output *out, uint64_t seconds)
{
	*live = (struct live){.out = out, .interval = seconds * 1000};
	live->painted = clock_ms() - (int64_t)live->interval;
	live->is_terminal = isatty(out->fd) == 1;
}

/* Whether input arrives within that many milliseconds. */
static bool
has_input(const struct input *in, int64_t milliseconds)
{
	struct pollfd ready = {.fd = input_fd(in), .events = POLLIN};

	if (ready.fd < 0)
		return true;
	return poll(&ready, 1, milliseconds < INT32_MAX ? (int)milliseconds : INT32_MAX) != 0;
}

bool
live_is_due(struct live *live, const struct input *in)
{
	int64_t left = live->painted + (int64_t)live->interval - clock_ms();

	if (live->interval == 0)
		return false;
	/* Without a new record a line is shown only if none is shown and no input waits. */
	if (!live->dirty && (live->shown.len > 0 || has_input(in, 0)))
		return false;
	return left <= 0 || (!has_input(in, left) && !has_input(in, 0));
}

void
live_paint(struct live *live, struct str line)
{
	if (!str_eq(line, buf_str(&live->shown))) {
		progress_give_way();
		if (live->is_terminal)
			output_copy(live->out, STR("\r\033[K"));
		else
			output_begin_record(live->out);
		output_copy(live->out, line);
		if (!live->is_terminal)
			output_copy(live->out, STR("\n"));
		output_flush(live->out);
		buf_reset(&live->shown);
		buf_add_str(&live->shown, line);
	}
	live->painted = clock_ms();
	live->dirty = false;
}

void
live_end(struct live *live)
{
	if (live->is_terminal) {
		output_copy(live->out, STR("\n"));
		output_flush(live->out);
	}
	buf_free(&live->shown);
}
