#include "stream/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "stream/block.h"

enum { HOLD_BLOCK = 1 << 20 };

static const struct str bom = STR_INIT("\xef\xbb\xbf");

static bool
is_stdin(const char *operand)
{
	return strcmp(operand, "-") == 0;
}

/* Says before anything was written what could not be read later. */
static void
check_operand(const char *operand)
{
	struct stat st;

	if (is_stdin(operand))
		return;
	if (stat(operand, &st) != 0 || access(operand, R_OK) != 0)
		diag_die(STATUS_NO_INPUT, "cannot open '%s': %s", operand, strerror(errno));
	if (S_ISDIR(st.st_mode))
		diag_die(STATUS_NO_INPUT, "cannot read '%s': is a directory", operand);
}

void
input_init(struct input *in, char *const *operand, unsigned count)
{
	static char stdin_name[] = "-";
	static char *const stdin_only[] = {stdin_name};

	*in = (struct input){.fd = -1, .line_max = INPUT_LINE_MAX, .first_file = true};
	in->operand = count > 0 ? operand : stdin_only;
	in->operand_count = count > 0 ? count : 1;
	for (unsigned i = 0; i < in->operand_count; i++)
		check_operand(in->operand[i]);
}

bool
input_has_file(const struct input *in, const struct stat *st)
{
	struct stat own;

	for (unsigned i = 0; i < in->operand_count; i++) {
		const char *operand = in->operand[i];
		int error = is_stdin(operand) ? fstat(STDIN_FILENO, &own) : stat(operand, &own);

		if (error == 0 && S_ISREG(own.st_mode) && own.st_dev == st->st_dev &&
		    own.st_ino == st->st_ino)
			return true;
	}
	return false;
}

static _Noreturn void
end_on_truncation(int signal)
{
	static const char text[] = ": the input was truncated while it was read\n";

	(void)signal;
	if (write(STDERR_FILENO, diag_program(), strlen(diag_program())) > 0 &&
	    write(STDERR_FILENO, text, sizeof text - 1) > 0)
		_exit(STATUS_TRY_AGAIN);
	_exit(STATUS_TRY_AGAIN);
}

/* Decides what of a new operand is worth mapping: whole windows of a large regular file. */
static void
plan_windows(struct input *in)
{
	struct stat st;
	off_t at;

	in->map_at = in->map_end = 0;
	in->is_mapping = false;
	if (fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size < 2 * INPUT_WINDOW)
		return;
	at = lseek(in->fd, 0, SEEK_CUR);
	if (at < 0 || at % block_page() != 0)
		return;
	in->map_at = at;
	in->map_end = (st.st_size - INPUT_PADDING) / INPUT_WINDOW * INPUT_WINDOW;
	signal(SIGBUS, end_on_truncation);
}

static void
open_operand(struct input *in)
{
	in->first_file = in->operand_next == 0;
	in->file = in->operand[in->operand_next++];
	in->fd = is_stdin(in->file) ? STDIN_FILENO : open(in->file, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		diag_die(STATUS_NO_INPUT, "cannot open '%s': %s", in->file, strerror(errno));
	plan_windows(in);
	in->line_number = 0;
	in->file_start = true;
	in->file_ended = false;
}

static void
close_operand(struct input *in)
{
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
}

/* The partial line at the end of a held block goes to a new one; what was handed out stays. */
static void
chain_block(struct input *in, size_t partial)
{
	struct input_block *block = block_new(in->block, partial * 2 > HOLD_BLOCK ? partial * 2 : HOLD_BLOCK);

	memcpy(block->bytes, in->block->bytes + in->at, partial);
	in->block = block;
	in->searched -= in->at;
	in->at = 0;
	in->end = partial;
}

/* Makes room behind the partial line: by moving it to the front, to a new block, or by growing. */
static void
make_room(struct input *in)
{
	size_t partial = in->end - in->at;

	if (in->block == NULL) {
		in->block = block_new(in->block, in->hold ? HOLD_BLOCK : INPUT_BLOCK);
	} else if (in->block->mapped > 0) {
		chain_block(in, partial);
	} else if (in->end < in->block->cap && (in->hold || in->at == 0)) {
		return;
	} else if (in->at == 0) {
		in->block = block_grow(in->block);
	} else if (in->hold) {
		chain_block(in, partial);
	} else {
		memmove(in->block->bytes, in->block->bytes + in->at, partial);
		in->searched -= in->at;
		in->at = 0;
		in->end = partial;
	}
}

/*
 * Maps the next window, from the page where the unfinished line of the last one began; all of them
 * at once when blocks are held. False when the rest is to be read, as it is behind a long line.
 */
static bool
map_window(struct input *in)
{
	bool goes_on = in->block != NULL && in->block->mapped > 0 && !in->hold;
	size_t partial = goes_on ? in->end - in->at : 0;
	off_t page = block_page(), start = (in->map_at - (off_t)partial) / page * page;
	size_t len = in->hold ? (size_t)(in->map_end - start) : INPUT_WINDOW;
	struct input_block *block;

	if (in->map_at >= in->map_end || (in->block != NULL && in->at < in->end && !goes_on))
		return false;
	if (partial * 2 > len)
		return false;
	if (start + (off_t)len > in->map_end)
		len = (size_t)(in->map_end - start);
	block = block_map(in->block, in->fd, start, len, !in->hold);
	if (block == NULL)
		return false;
	if (in->block != NULL && !in->hold) {
		block->older = in->block->older;
		block_free(in->block);
	}
	in->block = block;
	in->at = (size_t)(in->map_at - (off_t)partial - start);
	in->searched = in->at + partial;
	in->end = len;
	in->map_at = start + (off_t)len;
	in->is_mapping = true;
	return true;
}

/* Goes on reading where the windows of an operand end, or a line is too long for them. A stream reads
 * the unfinished line again, since a long one would be there twice if it were copied. */
static void
leave_windows(struct input *in)
{
	size_t partial = in->end - in->at;
	off_t at = in->hold ? in->map_at : in->map_at - (off_t)partial;

	in->is_mapping = false;
	in->map_end = 0;
	if (lseek(in->fd, at, SEEK_SET) < 0)
		diag_die(STATUS_IO, "cannot read '%s': %s", in->file, strerror(errno));
	if (in->hold)
		return;
	block_free(in->block);
	in->block = NULL;
	in->block = block_new(in->block, partial < INPUT_BLOCK ? INPUT_BLOCK : partial + partial / 4);
	in->at = in->end = in->searched = 0;
}

static ssize_t
read_some(struct input *in)
{
	for (;;) {
		ssize_t n = read(in->fd, in->block->bytes + in->end, in->block->cap - in->end);

		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
		if (errno == EAGAIN) {
			struct pollfd ready = {.fd = in->fd, .events = POLLIN};

			poll(&ready, 1, -1);
		}
	}
}

static void
fill(struct input *in)
{
	ssize_t n;

	if (in->before_read != NULL)
		in->before_read(in->context);
	if (map_window(in))
		return;
	if (in->is_mapping)
		leave_windows(in);
	make_room(in);
	n = read_some(in);
	if (n < 0)
		diag_die(STATUS_IO, "cannot read '%s': %s", in->file, strerror(errno));
	in->end += (size_t)n;
	in->file_ended = n == 0;
	memset(in->block->bytes + in->end, 0, INPUT_PADDING);
}

/* Strips what is not text, and a BOM that starts a later operand altogether. */
static void
trim(struct input *in, struct line *line)
{
	struct str *text = &line->text;

	if (in->file_start && str_has_prefix(*text, bom)) {
		*text = str_of(text->ptr + bom.len, text->len - bom.len);
		if (!in->first_file)
			line->raw = str_of(line->raw.ptr + bom.len, line->raw.len - bom.len);
	}
	if (text->len > 0 && text->ptr[text->len - 1] == '\n')
		text->len--;
	if (text->len > 0 && text->ptr[text->len - 1] == '\r')
		text->len--;
}

static void
hand_out(struct input *in, struct line *line, size_t len, bool more)
{
	const char *ptr = in->block->bytes + in->at;

	in->handed = in->at;
	if (!in->continued)
		in->line_number++;
	line->raw = line->text = str_of(ptr, len);
	line->file = in->file;
	line->number = in->line_number;
	line->more = more;
	line->continued = in->continued;
	trim(in, line);
	in->continued = more;
	in->file_start = false;
	in->ended_open = ptr[len - 1] != '\n';
	in->at += len;
	in->searched = in->at;
}

static const char *
find_end(struct input *in)
{
	const char *bytes;
	const char *lf;

	if (in->searched >= in->end)
		return NULL;
	bytes = in->block->bytes;
	lf = memchr(bytes + in->searched, '\n', in->end - in->searched);
	in->searched = in->end;
	return lf;
}

bool
input_next(struct input *in, struct line *line)
{
	for (;;) {
		const char *lf = find_end(in);
		size_t len = in->end - in->at;

		if (lf != NULL)
			len = (size_t)(lf - (in->block->bytes + in->at)) + 1;
		if (len > in->line_max) {
			hand_out(in, line, lf != NULL ? len : in->line_max, lf == NULL);
			return true;
		}
		if (lf != NULL || (in->fd >= 0 && in->file_ended && len > 0)) {
			hand_out(in, line, len, false);
			return true;
		}
		if (in->fd >= 0 && in->file_ended)
			close_operand(in);
		if (in->fd < 0 && in->operand_next == in->operand_count)
			return false;
		if (in->fd < 0)
			open_operand(in);
		fill(in);
	}
}

/* Hands out len bytes from where the last line started, in its place. */
static void
hand_out_again(struct input *in, struct line *line, size_t len)
{
	in->line_number = line->number - 1;
	in->file_start = line->number == 1;
	hand_out(in, line, len, false);
}

bool
input_join(struct input *in, struct line *line)
{
	size_t first = in->at - in->handed;
	size_t rest;

	in->at = in->handed;
	while (!in->file_ended && in->end - in->at <= in->line_max)
		fill(in);
	rest = in->end - in->at;
	hand_out_again(in, line, rest <= in->line_max ? rest : first);
	return rest <= in->line_max;
}

void
input_split(struct input *in, struct line *line)
{
	const char *bytes = in->block->bytes + in->handed;
	size_t rest = in->end - in->handed;
	const char *lf = memchr(bytes, '\n', rest);

	in->at = in->handed;
	hand_out_again(in, line, lf != NULL ? (size_t)(lf - bytes) + 1 : rest);
}

struct str
input_rest(const struct input *in)
{
	if (in->at == in->end || in->continued || in->file_start)
		return str_of(NULL, 0);
	return str_of(in->block->bytes + in->at, in->end - in->at);
}

void
input_take(struct input *in, struct line *line, size_t len)
{
	hand_out(in, line, len, false);
}

void
input_free(struct input *in)
{
	while (in->block != NULL) {
		struct input_block *older = in->block->older;

		block_free(in->block);
		in->block = older;
	}
}
