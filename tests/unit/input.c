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
	CHECK(line->raw.len <= LINE_MAX_TRIED + 2 * BLOCK_SIZE);
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
	while (input_fill(&in))
		while (input_next(&in, &line))
			check_line(&line, &lines, &bytes);
	CHECK(!fault_is_set(&fault));
	CHECK(lines == 8 && bytes == all);
	input_free(&in);
	check_lent();
	unlink(path);
	return unit_end();
}
