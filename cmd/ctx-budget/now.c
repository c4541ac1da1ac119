#include "now.h"

#include <errno.h>
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

/* The last len bytes of the file, with JSON_PADDING readable bytes after them. */
struct log_tail {
	int fd;
	const char *path;
	char *bytes;
	size_t len;
	off_t before; /* bytes of the file before these */
	struct fault *fault;
};

static bool
open_tail(struct log_tail *tail, const char *path, struct fault *fault)
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
	tail->before = st.st_size;
	return true;
}

/* Reads len bytes at offset. A file that was shortened meanwhile is as good as one that cannot be
 * read. */
static bool
read_at(struct log_tail *tail, char *bytes, size_t len, off_t offset)
{
	ssize_t n = file_read_at(tail->fd, bytes, len, (uint64_t)offset);

	return n == (ssize_t)len ||
	    fault_set(tail->fault, STATUS_IO, "cannot read '%s': %s", tail->path,
		n < 0 ? strerror(errno) : "the file became shorter");
}

/* Reads as many bytes again, from before those at hand. Returns false at the start of the file and
 * after a fault. */
static bool
extend(struct log_tail *tail)
{
	size_t more = tail->len > STEP ? tail->len : STEP;
	char *bytes;

	if (tail->before == 0 || fault_is_set(tail->fault))
		return false;
	if ((off_t)more > tail->before)
		more = (size_t)tail->before;
	bytes = mem_alloc(more + tail->len + JSON_PADDING, 1);
	if (tail->len > 0)
		memcpy(bytes + more, tail->bytes, tail->len);
	free(tail->bytes);
	tail->bytes = bytes;
	tail->len += more;
	tail->before -= (off_t)more;
	memset(bytes + tail->len, 0, JSON_PADDING);
	return read_at(tail, bytes, more, tail->before);
}

/* Finds the line that ends before end. end is a distance from the end of the file, which does not
 * change when more is read. Sets *len to the line's length with its LF. Returns false at the start
 * of the file. */
static bool
find_line(struct log_tail *tail, size_t end, size_t *len)
{
	size_t searched = end + 1; /* the byte before end is the line's own LF */

	for (;;) {
		const char *lf = NULL;

		if (tail->len > searched)
			lf = memrchr(tail->bytes, '\n', tail->len - searched);
		if (lf != NULL) {
			*len = (size_t)(tail->bytes + tail->len - end - (lf + 1));
			return true;
		}
		searched = tail->len > searched ? tail->len : searched;
		if (!extend(tail)) {
			*len = tail->len - end;
			return *len > 0 && !fault_is_set(tail->fault);
		}
	}
}

static struct str
line_at(const struct log_tail *tail, size_t end, size_t len)
{
	struct str text = str_of(tail->bytes + tail->len - end - len, len);

	while (text.len > 0 && (text.ptr[text.len - 1] == '\n' || text.ptr[text.len - 1] == '\r'))
		text.len--;
	return text;
}

/* Whether the log is a sub-agent's, by its first message. If no message is in the first STEP bytes,
 * the log counts as a main agent's. */
static bool
is_side_log(struct log_tail *tail, off_t size)
{
	char head[STEP + JSON_PADDING];
	struct str text = str_of(head, size < STEP ? (size_t)size : STEP);
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

/* Finds the last figure. Returns the distance from the end of the file to the place where counting
 * begins: at an answer, else after the record with the figure. */
static size_t
find_figure(struct log_tail *tail, size_t end, struct figure *figure)
{
	bool is_side = is_side_log(tail, tail->before + (off_t)tail->len), is_gone = false;
	struct message message;
	size_t len;

	*figure = (struct figure){.kind = FIGURE_NONE};
	for (; find_line(tail, end, &len); end += len) {
		message_parse(&message, line_at(tail, end, len));
		if (figure_is_side(&message) == !is_side)
			continue;
		*figure = figure_read(&message);
		is_gone |= figure->kind == FIGURE_SUMMARY;
		if (figure->kind != FIGURE_NONE && !is_gone)
			return figure->kind == FIGURE_ANSWER ? end + len : end;
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

/* Takes the lines between two distances from the end through the stages. */
static void
take_lines(const struct log_tail *tail, size_t from, size_t end, const struct figure *figure,
    struct stage *first)
{
	struct message message;
	bool may_repeat = figure->kind == FIGURE_COMPACTION;

	while (from > end && !fault_is_set(first->fault)) {
		struct str rest = str_of(tail->bytes + tail->len - from, from - end);
		size_t len = str_take_whole_line(&rest).len;
		struct str text = line_at(tail, from - len, len);
		struct record record = {.line = {.raw = text, .text = text, .file = tail->path}};

		message_parse(&message, text);
		record.message = &message;
		record.kind = message.kind;
		if (!may_repeat || !figure_is_summary(&message))
			first->take(first, &record);
		may_repeat &= message.kind == RECORD_BLANK;
		from -= len;
	}
}

/* The distance of the last line end from the end of the file; 0 when there is no unfinished line,
 * or when the last line is whole without its LF. */
static size_t
find_end(struct log_tail *tail)
{
	struct message message;
	size_t len;

	if (!extend(tail) || tail->bytes[tail->len - 1] == '\n' || !find_line(tail, 0, &len))
		return 0;
	message_parse(&message, line_at(tail, 0, len));
	return message.kind == RECORD_BAD ? len : 0;
}

bool
now_read(
    const char *path, bool forgets, struct stage *stage, struct figure *figure, struct fault *fault)
{
	struct tally skipped = {.sum = 0}, sealed = {.sum = 0};
	struct dialect_reading reading = {.skipped = &skipped, .sealed = &sealed};
	struct dialect_stage *reader = auto_dialect.reader(&reading);
	struct witness witness = {.stage = {.take = witness_take, .end = stage_pass_end}};
	struct tombstone tombstone;
	struct log_tail tail;
	size_t end, from;

	*figure = (struct figure){.kind = FIGURE_NONE};
	message_init();
	tombstone_init(&tombstone, false);
	stage_link((struct stage *[]){&reader->stage, &witness.stage,
		       forgets ? &tombstone.stage : stage, forgets ? stage : NULL, NULL},
	    NULL, fault);
	if (open_tail(&tail, path, fault)) {
		end = find_end(&tail);
		from = find_figure(&tail, end, figure);
		if (!fault_is_set(fault)) {
			take_lines(&tail, from, end, figure, &reader->stage);
			witness.has_other |= end > 0 && *line_at(&tail, 0, end).ptr != '{';
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
