#include "stream/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/process/pipe.h"

const struct str input_bom = STR_INIT("\xef\xbb\xbf");

/* Finds operands that cannot be read, before the run has written anything. */
static bool
check_operand(const char *operand, struct fault *fault)
{
	struct stat st;

	if (file_is_stdin(operand))
		return true;
	if (stat(operand, &st) != 0 || access(operand, R_OK) != 0)
		return fault_set_error(fault, STATUS_NO_INPUT, "cannot open '%s'", operand);
	if (S_ISDIR(st.st_mode))
		return fault_set(
		    fault, STATUS_NO_INPUT, "cannot read '%s': is a directory", operand);
	return true;
}

void
input_init(struct input *in, char *const *operand, unsigned count, struct fault *fault)
{
	static char stdin_name[] = "-";
	static char *const stdin_only[] = {stdin_name};

	*in = (struct input){.fd = -1,
	    .lent = -1,
	    .lent_left = UINT64_MAX,
	    .line_max = INPUT_LINE_MAX,
	    .first_file = true,
	    .fault = fault};
	in->operand = count > 0 ? operand : stdin_only;
	in->operand_count = count > 0 ? count : 1;
	in->pool = block_pool_new();
	for (unsigned i = 0; i < in->operand_count; i++)
		if (!check_operand(in->operand[i], fault))
			return;
}

bool
input_stat(const struct input *in, unsigned i, struct stat *st)
{
	const char *operand = in->operand[i];

	return (file_is_stdin(operand) ? fstat(STDIN_FILENO, st) : stat(operand, st)) == 0;
}

bool
input_is_of_files(const struct input *in, uint64_t *size)
{
	struct stat st;

	*size = 0;
	for (unsigned i = 0; i < in->operand_count; i++) {
		if (!input_stat(in, i, &st) || !S_ISREG(st.st_mode))
			return false;
		*size += (uint64_t)st.st_size;
	}
	return true;
}

static bool
fail_to_read(const struct input *in)
{
	return fault_set_error(in->fault, STATUS_IO, "cannot read '%s'", in->file);
}

static bool
open_operand(struct input *in)
{
	int is_packed;
	bool is_lent;

	in->first_file = in->operand_next == 0;
	is_lent = in->first_file && in->lent >= 0;
	in->file = in->operand[in->operand_next++];
	if (!is_lent && !check_operand(in->file, in->fault))
		return false;
	if (is_lent)
		in->fd = in->lent;
	else
		in->fd =
		    file_is_stdin(in->file) ? STDIN_FILENO : open(in->file, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return fault_set_error(in->fault, STATUS_NO_INPUT, "cannot open '%s'", in->file);
	if (in->unpacker != NULL && in->fd != STDIN_FILENO && in->fd != in->lent) {
		is_packed = in->unpacker->is_due(in->fd);
		if (is_packed < 0) {
			fail_to_read(in);
			close(in->fd);
			in->fd = -1;
		}
		if (is_packed > 0)
			in->fd = in->unpacker->open(in->fd, in->file, &in->unpacking, in->fault);
		if (in->fd < 0)
			return false;
	}
	pipe_widen(in->fd);
	if (in->sums != NULL)
		sums_begin(in->sums, in->file);
	in->line_number = in->fd == in->lent ? in->lent_lines : 0;
	in->file_start = in->line_number == 0;
	in->file_ended = false;
	return true;
}

static void
close_operand(struct input *in)
{
	if (in->fd != STDIN_FILENO && in->fd != in->lent)
		close(in->fd);
	in->fd = -1;
	if (in->unpacking > 0)
		in->is_torn =
		    !in->unpacker->close(in->unpacking, in->file, in->file_ended, in->fault);
	in->unpacking = 0;
}

/*
 * Makes room after the unfinished line. The line moves to the front of its block, which grows when
 * it is full. When the block is kept by a user, the line stays until there is no room after it, and
 * then moves to another block. A block that grew for a long line is given back when lines are short
 * again.
 */
static void
make_room(struct input *in)
{
	struct block *block = in->block, *next;
	size_t len = in->end - in->at;

	if (block != NULL && block->users > 1 && block->cap - in->end >= BLOCK_SIZE / 4)
		return;
	if (block != NULL && block->users == 1 && (block->cap < BLOCK_LARGE || len >= BLOCK_SIZE)) {
		if (in->at > 0)
			memmove(block->bytes, block->bytes + in->at, len);
		if (len == block->cap)
			in->block = block_grow(block);
	} else {
		next = block_take(in->pool);
		while (next->cap < len + len / 2)
			next = block_grow(next);
		if (len > 0)
			memcpy(next->bytes, block->bytes + in->at, len);
		block_drop(block);
		in->block = next;
	}
	in->searched -= in->at;
	in->at = 0;
	in->end = len;
}

/* Whether the input goes on. The passer takes a fault of the operand. */
static bool
pass_fault(struct input *in)
{
	if (fault_is_set(in->fault) && in->passer != NULL)
		in->passer->take(in->passer, in);
	in->is_torn = false;
	return !fault_is_set(in->fault);
}

/* Opens the next operand, if none is open. Returns false when there is none, and after a fault. */
static bool
is_open(struct input *in)
{
	if (in->fd >= 0 && in->file_ended)
		close_operand(in);
	while (pass_fault(in) && in->fd < 0 && in->operand_next < in->operand_count)
		open_operand(in);
	return in->fd >= 0 && !fault_is_set(in->fault);
}

/* How many bytes to read: no more than a block while lines are short, so that they stay in the
 * processor's cache, and no more than a block beyond line_max. */
static size_t
read_size(const struct input *in)
{
	size_t room = in->block->cap - in->end, len = in->end - in->at, most = BLOCK_SIZE;

	if (len >= BLOCK_SIZE && len < in->line_max)
		most += in->line_max - len;
	if (in->fd == in->lent && in->lent_left < most)
		most = (size_t)in->lent_left;
	return room < most ? room : most;
}

/* Reads once, waiting for a descriptor that does not block. Returns as read(2) does. */
static ssize_t
read_some(int fd, char *bytes, size_t len)
{
	for (;;) {
		ssize_t n = read(fd, bytes, len);

		if (n >= 0 || (errno != EINTR && errno != EAGAIN))
			return n;
		if (errno == EAGAIN) {
			struct pollfd ready = {.fd = fd, .events = POLLIN};

			poll(&ready, 1, -1);
		}
	}
}

void
input_lend(struct input *in, int fd, uint64_t len, size_t lines)
{
	in->lent = fd;
	in->lent_left = len;
	in->lent_lines = lines;
	in->operand_next = 0;
}

bool
input_waits(const struct input *in)
{
	struct pollfd ready = {.fd = in->fd, .events = POLLIN};

	if (in->fd < 0 || in->file_ended)
		return in->operand_next < in->operand_count;
	return poll(&ready, 1, 0) == 0;
}

bool
input_fill(struct input *in)
{
	ssize_t n;

	if (fault_is_set(in->fault) || !is_open(in))
		return false;
	make_room(in);
	n = read_some(in->fd, in->block->bytes + in->end, read_size(in));
	if (n < 0) {
		fail_to_read(in);
		if (!pass_fault(in))
			return false;
		n = 0;
	}
	if (in->fd == in->lent)
		in->lent_left -= (size_t)n;
	if (in->fd == in->lent && in->lent_sum != NULL)
		hash_stream_add(in->lent_sum, str_of(in->block->bytes + in->end, (size_t)n));
	if (in->sums != NULL)
		sums_add(in->sums, str_of(in->block->bytes + in->end, (size_t)n));
	in->end += (size_t)n;
	in->bytes += (size_t)n;
	in->file_ended = n == 0;
	memset(in->block->bytes + in->end, 0, BUF_PADDING);
	return true;
}

struct str
input_line_text(struct str line)
{
	if (line.len > 0 && line.ptr[line.len - 1] == '\n')
		line.len--;
	if (line.len > 0 && line.ptr[line.len - 1] == '\r')
		line.len--;
	return line;
}

/* The line at the front without BOM, CR and LF. */
static struct str
text_of(const struct input *in, struct str line)
{
	if (in->file_start && str_has_prefix(line, input_bom))
		line = str_of(line.ptr + input_bom.len, line.len - input_bom.len);
	return input_line_text(line);
}

/* Sets line->text. A BOM that starts a later operand is also removed from line->raw. */
static void
trim(struct input *in, struct line *line)
{
	line->text = text_of(in, line->raw);
	if (line->text.ptr > line->raw.ptr && !in->first_file)
		line->raw = str_of(line->text.ptr, line->raw.len - input_bom.len);
}

static void
hand_out(struct input *in, struct line *line, size_t len, bool more)
{
	const char *ptr = in->block->bytes + in->at;

	in->handed = in->at;
	if (!in->continued)
		in->line_number++;
	line->raw = str_of(ptr, len);
	line->file = in->file;
	line->number = in->line_number;
	line->more = more;
	line->continued = in->continued;
	line->is_folded = false;
	trim(in, line);
	in->continued = more;
	in->file_start = false;
	in->ended_open = ptr[len - 1] != '\n';
	in->at += len;
	in->searched = in->at;
}

/* The end of the line at the front of the bytes at hand; NULL when the end has not been read. */
static const char *
find_end(struct input *in)
{
	const char *bytes, *lf;

	if (in->searched >= in->end)
		return NULL;
	bytes = in->block->bytes;
	lf = memchr(bytes + in->searched, '\n', in->end - in->searched);
	in->searched = in->end;
	return lf;
}

/* The length of the piece to hand out of bytes, which are a line or begin one; 0: the line is not
 * too long. It is the same whatever has been read of the line. */
static size_t
piece_len(const struct input *in, struct str bytes)
{
	struct str text = text_of(in, bytes);

	return text.len > in->line_max ? (size_t)(text.ptr - bytes.ptr) + in->line_max : 0;
}

bool
input_next(struct input *in, struct line *line)
{
	size_t len = in->end - in->at, piece;
	const char *lf;

	if (len == 0)
		return false;
	lf = find_end(in);
	if (lf != NULL)
		len = (size_t)(lf - (in->block->bytes + in->at)) + 1;
	piece = piece_len(in, str_of(in->block->bytes + in->at, len));
	if (lf == NULL && piece == 0 && !in->file_ended)
		return false;
	hand_out(in, line, piece > 0 ? piece : len, piece > 0);
	return true;
}

void
input_take_back(struct input *in, const struct line *line)
{
	in->at = in->searched = in->handed;
	in->line_number = line->number - 1;
	in->file_start = line->number == 1;
}

struct str
input_at_hand(const struct input *in, bool *is_last)
{
	*is_last = in->file_ended;
	return str_of(in->block != NULL ? in->block->bytes + in->at : NULL, in->end - in->at);
}

void
input_take_lines(struct input *in, struct line *line, size_t len)
{
	hand_out(in, line, len, false);
	in->line_number += str_count(line->raw, '\n') - 1;
}

struct str
input_rest(const struct input *in)
{
	if (in->searched > in->at || in->at == in->end || in->continued || in->file_start)
		return str_of(NULL, 0);
	return str_of(in->block->bytes + in->at, in->end - in->at);
}

void
input_take(struct input *in, struct line *line, size_t len)
{
	hand_out(in, line, len, false);
}

void
input_feed(struct input *in, struct line *line)
{
	if (!line->continued)
		in->line_number++;
	line->file = in->operand[0];
	line->number = in->line_number;
	in->ended_open = !str_has_suffix(line->raw, STR("\n"));
}

void
input_free(struct input *in)
{
	in->file_ended = false; /* it does not matter whether the operand is whole */
	if (in->fd >= 0)
		close_operand(in);
	block_drop(in->block);
	block_pool_close(in->pool);
	in->block = NULL;
}
