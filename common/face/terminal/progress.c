#include "face/terminal/progress.h"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"

enum { FIRST_SECONDS = 2, REPAINT_MICROSECONDS = 250000, LINE_LEN = 128 };

/* What the signal handler shows; in is NULL when there is nothing to show. */
static struct {
	const struct input *volatile in;
	uint64_t size; /* bytes of all operands */
	int64_t started;
	bool has_output;              /* standard output is a terminal, too */
	const char *volatile command; /* NULL: none runs */
	uint64_t seconds;             /* that it may take */
	int64_t command_started;
} shown;

struct line_text {
	char text[LINE_LEN];
	size_t len;
};

/* A handler of a signal may call neither printf nor malloc, so the line is put together here. */
static void
add(struct line_text *line, const char *text)
{
	while (*text != '\0' && line->len < LINE_LEN)
		line->text[line->len++] = *text++;
}

static void
add_number(struct line_text *line, uint64_t number)
{
	char digits[24];
	size_t at = sizeof digits;

	digits[--at] = '\0';
	do
		digits[--at] = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	add(line, digits + at);
}

/* As number_write_size has it: 812 B, 9 kB, 412 MB, 1.2 GB. */
static void
add_size(struct line_text *line, uint64_t bytes)
{
	static const char *const units[] = {" B", " kB", " MB", " GB", " TB"};
	unsigned unit = 0;
	uint64_t tenths = bytes * 10;

	for (; tenths >= 10000 && unit < 4; unit++)
		tenths /= 1000;
	add_number(line, tenths / 10);
	if (unit > 1 && tenths < 100) {
		add(line, ".");
		add_number(line, tenths % 10);
	}
	add(line, units[unit]);
}

static void
add_command(struct line_text *line)
{
	add(line, shown.command);
	add(line, " is at work for ");
	add_number(line, (uint64_t)(clock_ms() - shown.command_started) / 1000);
	add(line, " s");
	if (shown.seconds == 0)
		return;
	add(line, ", of ");
	add_number(line, shown.seconds);
	add(line, " s");
}

static void
add_read(struct line_text *line, uint64_t read)
{
	uint64_t elapsed = (uint64_t)(clock_ms() - shown.started) + 1;

	add_size(line, read);
	if (read < shown.size) {
		add(line, " of ");
		add_size(line, shown.size);
		add(line, " read (");
		add_number(line, read / (shown.size / 100 + 1));
		add(line, "%), ");
		add_size(line, read * 1000 / elapsed);
		add(line, "/s");
	} else {
		add(line, " read, at work for ");
		add_number(line, elapsed / 1000);
		add(line, " s");
	}
}

static void
paint(int number)
{
	struct line_text line = {.len = 0};

	(void)number;
	if (shown.command == NULL && shown.in == NULL)
		return;
	add(&line, diag_program());
	add(&line, ": ");
	if (shown.command != NULL)
		add_command(&line);
	else
		add_read(&line, shown.in->bytes);
	diag_show_status(line.text, line.len);
}

static void
set_timer(time_t first, suseconds_t interval)
{
	struct itimerval timer = {{0, interval}, {first, 0}};

	setitimer(ITIMER_REAL, &timer, NULL);
}

static void
start_timer(void)
{
	struct sigaction action = {.sa_handler = paint, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &action, NULL);
	set_timer(FIRST_SECONDS, REPAINT_MICROSECONDS);
}

void
progress_start(const struct input *in)
{
	if (isatty(STDERR_FILENO) != 1 || !input_is_of_files(in, &shown.size) || shown.size == 0)
		return;
	shown.has_output = isatty(STDOUT_FILENO) == 1;
	shown.started = clock_ms();
	shown.in = in;
	start_timer();
}

void
progress_begin_command(const char *what, uint64_t seconds)
{
	if (isatty(STDERR_FILENO) != 1)
		return;
	shown.seconds = seconds;
	shown.command_started = clock_ms();
	shown.command = what;
	if (shown.in == NULL)
		start_timer();
}

void
progress_end_command(void)
{
	if (shown.command == NULL)
		return;
	shown.command = NULL;
	if (shown.in != NULL)
		return;
	set_timer(0, 0);
	diag_end_status();
}

void
progress_end(void)
{
	if (shown.in == NULL)
		return;
	set_timer(0, 0);
	shown.in = NULL;
	diag_end_status();
}

void
progress_give_way(void)
{
	if (shown.has_output)
		progress_end();
}
