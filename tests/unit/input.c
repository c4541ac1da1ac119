/* Lines of files: how long they may be, and the pieces of those that are longer. */

#include "stream/input.h"

#include <unistd.h>

#include "unit.h"

enum { LINE_MAX_TRIED = 10100000 };

/* Writes lines of these lengths, line ends included; 0 ends the list. */
static void
write_lines(int fd, const size_t *len)
{
	for (; *len > 0; len++) {
		char *line = malloc(*len);

		memset(line, 'x', *len);
		line[*len - 1] = '\n';
		CHECK(write(fd, line, *len) == (ssize_t)*len);
		free(line);
	}
}

static void
check_line(const struct line *line, size_t *lines, size_t *bytes)
{
	CHECK(line->raw.len <= LINE_MAX_TRIED + 1);
	CHECK(!line->more || line->raw.len == LINE_MAX_TRIED);
	*lines += !line->continued;
	*bytes += line->raw.len;
	CHECK(line->number == *lines);
}

/* Some bytes of a file are the input, and then some more: the lines count on. */
static void
check_lent(void)
{
	char path[] = "/tmp/ctx-input.XXXXXX";
	char *const operand[] = {path};
	struct fault fault = FAULT_INIT;
	struct input in;
	struct line line;
	int fd = mkstemp(path);

	CHECK(fd >= 0 && write(fd, "a\nb\nc\nd\n", 8) == 8 && lseek(fd, 0, SEEK_SET) == 0);
	input_init(&in, operand, 1, &fault);
	input_lend(&in, fd, 4, 0);
	for (size_t lines = 0; lines < 4;) {
		bool more = input_fill(&in);

		while (input_next(&in, &line)) {
			CHECK(line.number == ++lines && lines <= 2 + 2 * (in.lent_lines > 0));
			CHECK(*line.raw.ptr == "abcd"[lines - 1]);
		}
		CHECK(more || (lines == 2 && in.lent_lines == 0));
		if (!more && in.lent_lines > 0)
			break;
		if (!more)
			input_lend(&in, fd, 100, 2);
	}
	CHECK(!input_waits(&in));
	CHECK(!fault_is_set(&fault));
	input_free(&in);
	close(fd);
	unlink(path);
}

/* Takes the lines at hand, up to a first piece. Returns the length of the text of that piece, or
 * 0. */
static size_t
first_piece(struct input *in, size_t *lines)
{
	struct line line;

	while (input_next(in, &line)) {
		*lines += !line.continued;
		if (line.more && !line.continued)
			return line.text.len;
	}
	return 0;
}

/* The bytes come from a pipe, step at a time: whether a line is too long, and where its first piece
 * ends, is the same for all steps. Lines of line_max bytes, beside a BOM and CR LF, are whole. */
static void
check_steps(size_t step)
{
	static const char bytes[] = "\xef\xbb\xbf"
				    "0123456789\r\n0123456789\n0123456789a\n"
				    "0123456789\rb\r\nc\n0123456789\r";
	struct fault fault = FAULT_INIT;
	struct input in;
	size_t lines = 0, pieces = 0;
	int fd[2], saved = dup(STDIN_FILENO);

	CHECK(pipe(fd) == 0 && dup2(fd[0], STDIN_FILENO) == STDIN_FILENO);
	input_init(&in, NULL, 0, &fault);
	in.line_max = 10;
	for (size_t at = 0; at < sizeof bytes - 1; at += step) {
		size_t len = sizeof bytes - 1 - at < step ? sizeof bytes - 1 - at : step, piece;

		CHECK(write(fd[1], bytes + at, len) == (ssize_t)len && input_fill(&in));
		while ((piece = first_piece(&in, &lines)) > 0)
			pieces += piece == 10 && (lines == 3 || lines == 4);
	}
	close(fd[1]);
	while (input_fill(&in))
		CHECK(first_piece(&in, &lines) == 0);
	CHECK(lines == 6 && pieces == 2);
	input_free(&in);
	close(fd[0]);
	CHECK(dup2(saved, STDIN_FILENO) == STDIN_FILENO);
	close(saved);
}

int
main(void)
{
	static const size_t len[] = {
	    5, LINE_MAX_TRIED, 15000000, 3, 10500000, BLOCK_SIZE + 1, 40000000, 2, 0};
	char path[] = "/tmp/ctx-input.XXXXXX";
	char *const operand[] = {path};
	int fd = mkstemp(path);
	struct fault fault = FAULT_INIT;
	size_t lines = 0, bytes = 0, all = 0;
	struct input in;
	struct line line;

	CHECK(fd >= 0);
	write_lines(fd, len);
	close(fd);
	for (int i = 0; len[i] > 0; i++)
		all += len[i];
	input_init(&in, operand, 1, &fault);
	in.line_max = LINE_MAX_TRIED;
	while (input_fill(&in)) {
		CHECK(in.end - in.at <= LINE_MAX_TRIED + 2 * BLOCK_SIZE);
		while (input_next(&in, &line))
			check_line(&line, &lines, &bytes);
	}
	CHECK(!fault_is_set(&fault));
	CHECK(lines == 8 && bytes == all);
	input_free(&in);
	check_lent();
	for (size_t step = 1; step < 60; step++)
		check_steps(step);
	unlink(path);
	return unit_end();
}
