/* Files that are read as a whole. */

#include <unistd.h>

#include "base/file.h"

#include "unit.h"

static void
check_fault(const char *path, size_t limit, enum status status, const char *text)
{
	struct fault fault = FAULT_INIT;
	struct buf buf = BUF_INIT;

	CHECK(!file_read(path, limit, &buf, &fault));
	CHECK(fault.status == status);
	CHECK_STR(fault.text, text);
	fault_free(&fault);
	buf_free(&buf);
}

int
main(void)
{
	char path[] = "/tmp/ctx-file.XXXXXX";
	int fd = mkstemp(path);
	struct fault fault = FAULT_INIT;
	struct buf buf = BUF_INIT, text = BUF_INIT;
	unsigned padding = 0;

	CHECK(fd >= 0 && write(fd, "the tide", 8) == 8);
	close(fd);
	buf_add_char(&buf, '>');
	CHECK(file_read(path, 8, &buf, &fault));
	CHECK_STR(buf, ">the tide");
	for (unsigned i = 0; i < BUF_PADDING; i++)
		padding += buf.ptr[buf.len + i] == '\0';
	CHECK(padding == BUF_PADDING);
	CHECK(!fault_is_set(&fault));
	buf_add_fmt(&text, "cannot read '%s': File too large%c", path, '\0');
	check_fault(path, 7, STATUS_NO_INPUT, text.ptr);
	check_fault("/", 100, STATUS_NO_INPUT, "cannot read '/': is a directory");
	check_fault("no such file", 100, STATUS_NO_INPUT,
	    "cannot open 'no such file': No such file or directory");
	unlink(path);
	buf_free(&buf);
	buf_free(&text);
	return unit_end();
}
