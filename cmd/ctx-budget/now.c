#include "now.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "data/message/content.h"
#include "data/tombstone.h"
#include "dialects/dialect.h"
#include "stream/process/unzstd.h"

enum { STEP = 64 << 10 }; /* bytes read first; each further step doubles them */

/* Some bytes of the file, with JSON_PADDING readable bytes after them. */
struct log_tail {
	int fd;
	char *path;
	off_t size; /* of the file */
	char *bytes;
	size_t len;
	off_t before; /* bytes of the file before these */
	struct fault *fault;
};

static bool
open_tail(struct log_tail *tail, char *path, struct fault *fault)
{
	struct stat st;
	int is_packed;

	*tail = (struct log_tail){.path = path, .fault = fault};
	tail->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (tail->fd < 0 || fstat(tail->fd, &st) != 0)
		return fault_set_error(fault, STATUS_NO_INPUT, "cannot open '%s'", path);
	if (!S_ISREG(st.st_mode))
		return fault_set(fault, STATUS_USAGE,
		    "--now reads '%s' from its end, but it is not a regular file", path);
	is_packed = unzstd.is_due(tail->fd);
	if (is_packed < 0)
		return fault_set_error(fault, STATUS_IO, "cannot read '%s'", path);
	if (is_packed > 0)
		return fault_set(fault, STATUS_USAGE,
		    "--now reads '%s' from its end, and it is packed: without --now it is read",
		    path);
	tail->size = tail->before = st.st_size;
	return true;
}

static bool
fail_short(const struct log_tail *tail)
{
	return fault_set(
	    tail->fault, STATUS_IO, "cannot read '%s': the file became shorter", tail->path);
}

/* Reads len bytes at offset. A file that was shortened meanwhile is as good as one that cannot be
 * read. */
static bool
read_at(struct log_tail *tail, char *bytes, size_t len, off_t offset)
{
	ssize_t n = file_read_at(tail->fd, bytes, len, (uint64_t)offset);

	if (n < 0)
		return fault_set_error(tail->fault, STATUS_IO, "cannot read '%s'", tail->path);
	return n == (ssize_t)len || fail_short(tail);
}

/* Reads more bytes, from before those at hand: at least as many as there are up to end, and forgets
 * those after end. Returns false at the start of the file and after a fault. */
static bool
extend(struct log_tail *tail, off_t end)
{
	size_t kept = (size_t)(end - tail->before), more = kept > STEP ? kept : STEP;
	char *bytes;

	if (tail->before == 0 || fault_is_set(tail->fault))
		return false;
	if ((off_t)more > tail->before)
		more = (size_t)tail->before;
	bytes = mem_alloc(more + kept + JSON_PADDING, 1);
	if (kept > 0)
		memcpy(bytes + more, tail->bytes, kept);
	free(tail->bytes);
	tail->bytes = bytes;
	tail->len = more + kept;
	tail->before -= (off_t)more;
	memset(bytes + tail->len, 0, JSON_PADDING);
	return read_at(tail, bytes, more, tail->before);
}

/* Finds the line that ends at the offset end. Sets *len to the line's length with its LF. Returns
 * false at the start of the file. */
static bool
find_line(struct log_tail *tail, off_t end, size_t *len)
{
	size_t searched = 1; /* the byte before end is the line's own LF */

	for (;;) {
		size_t have = (size_t)(end - tail->before);
		const char *lf = NULL;

		if (have > searched)
			lf = memrchr(tail->bytes, '\n', have - searched);
		if (lf != NULL) {
			*len = (size_t)(tail->bytes + have - (lf + 1));
			return true;
		}
		searched = have > searched ? have : searched;
		if (!extend(tail, end)) {
			*len = have;
			return have > 0 && !fault_is_set(tail->fault);
		}
	}
}

/* The line of len bytes that find_line found last. */
static struct str
line_at(const struct log_tail *tail, off_t end, size_t len)
{
	struct str text = str_of(tail->bytes + (end - tail->before) - len, len);

	while (text.len > 0 && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
		text.len--;
	return text;
}

/* Whether the log is a sub-agent's, by its first message. If no message is in the first STEP bytes,
 * the log counts as a main agent's. */
static bool
is_side_log(struct log_tail *tail)
{
	char head[STEP + JSON_PADDING];
	struct str text = str_of(head, tail->size < STEP ? (size_t)tail->size : STEP);
	int side = -1;

	memset(head + text.len, 0, JSON_PADDING);
	if (!read_at(tail, head, text.len, 0))
		return false;
	while (side < 0 && text.len > 0) {
		struct str line = str_take_line(&text);
		struct message message;

		if (line.ptr + line.len == text.ptr)
			break; /* the line has no end here */
		message_parse(&message, line);
		side = figure_is_side(&message);
	}
	return side == 1;
}

/* Finds the last figure before the offset end. Returns the offset at which counting begins: of an
 * answer, else of the record after the one with the figure. */
static off_t
find_figure(struct log_tail *tail, off_t end, struct figure *figure)
{
	bool is_side = is_side_log(tail), is_gone = false;
	struct message message;
	size_t len;

	*figure = (struct figure){.kind = FIGURE_NONE};
	for (; find_line(tail, end, &len); end -= (off_t)len) {
		message_parse(&message, line_at(tail, end, len));
		if (figure_is_side(&message) == !is_side)
			continue;
		*figure = figure_read(&message);
		is_gone |= figure->kind == FIGURE_SUMMARY;
		if (figure->kind != FIGURE_NONE && !is_gone)
			return figure->kind == FIGURE_ANSWER ? end - (off_t)len : end;
	}
	*figure = (struct figure){.kind = FIGURE_NONE};
	return end;
}

/* Watches the records from the reader on their way to the meter. */
struct witness {
	struct stage stage;
	bool has_message;
	bool has_other;   /* a foreign or a bad record */
	bool has_unknown; /* a message of an unknown shape */
};

static void
witness_take(struct stage *stage, struct record *record)
{
	struct witness *witness = (struct witness *)stage;
	struct message message;

	if (record->kind == RECORD_MESSAGE) {
		witness->has_message = true;
		witness->has_unknown |= message_is_unknown(record_message(record, &message));
	}
	witness->has_other |= record->kind == RECORD_FOREIGN || record->kind == RECORD_BAD;
	stage_emit(stage, record);
}

/* Takes a line through the stages. Returns whether the next line may repeat the summary, too. */
static bool
take_line(struct stage *first, const struct input *in, struct line *line, bool may_repeat)
{
	struct message message;
	struct record record;

	line->number = 0; /* nobody knows */
	message_parse(&message, line->text);
	record = (struct record){
	    .line = *line, .kind = message.kind, .message = &message, .block = in->block};
	if (!may_repeat || !figure_is_summary(&message))
		first->take(first, &record);
	return may_repeat && message.kind == RECORD_BLANK;
}

/* Takes the lines between two offsets through the stages. */
static void
take_lines(const struct log_tail *tail, off_t from, off_t end, const struct figure *figure,
    struct stage *first)
{
	char *const operand[] = {tail->path};
	bool may_repeat = figure->kind == FIGURE_COMPACTION;
	struct input in;
	struct line line;

	input_init(&in, operand, 1, first->fault);
	in.line_max = SIZE_MAX; /* no pieces */
	input_lend(&in, tail->fd, (uint64_t)(end - from), from > 0);
	if (lseek(tail->fd, from, SEEK_SET) < 0)
		fault_set_error(first->fault, STATUS_IO, "cannot read '%s'", tail->path);
	while (input_fill(&in))
		while (!fault_is_set(first->fault) && input_next(&in, &line))
			may_repeat = take_line(first, &in, &line, may_repeat);
	if (in.bytes < (uint64_t)(end - from))
		fail_short(tail);
	input_free(&in);
}

/* The end of the last line. It is before an unfinished line, whose first byte *begun is then set
 * to, but after a last line that is whole without its LF. */
static off_t
find_end(struct log_tail *tail, char *begun)
{
	struct message message;
	size_t len;

	if (!extend(tail, tail->size) || tail->bytes[tail->len - 1] == '\n' ||
	    !find_line(tail, tail->size, &len))
		return tail->size;
	message_parse(&message, line_at(tail, tail->size, len));
	if (message.kind != RECORD_BAD)
		return tail->size;
	*begun = *line_at(tail, tail->size, len).ptr;
	return tail->size - (off_t)len;
}

bool
now_read(char *path, bool forgets, struct stage *stage, struct figure *figure, struct fault *fault)
{
	struct tally skipped = {.sum = 0}, sealed = {.sum = 0};
	struct dialect_reading reading = {.skipped = &skipped, .sealed = &sealed};
	struct dialect_stage *reader = auto_dialect.reader(&reading);
	struct witness witness = {.stage = {.take = witness_take, .end = stage_pass_end}};
	struct tombstone tombstone;
	struct log_tail tail;
	off_t end, from;
	char begun = '{';

	*figure = (struct figure){.kind = FIGURE_NONE};
	message_init();
	tombstone_init(&tombstone, false);
	stage_link((struct stage *[]){&reader->stage, &witness.stage,
		       forgets ? &tombstone.stage : stage, forgets ? stage : NULL, NULL},
	    NULL, fault);
	if (open_tail(&tail, path, fault)) {
		end = find_end(&tail, &begun);
		from = find_figure(&tail, end, figure);
		if (!fault_is_set(fault)) {
			take_lines(&tail, from, end, figure, &reader->stage);
			witness.has_other |= begun != '{';
		}
		if (!fault_is_set(fault))
			stage_end(&reader->stage);
	}
	if (tail.fd >= 0)
		close(tail.fd);
	free(tail.bytes);
	reader->free(reader);
	tombstone_free(&tombstone);
	return witness.has_unknown || (witness.has_other && !witness.has_message);
}
