#include "face/choices/recall_command.h"

#include "base/text/shell_word.h"

void
recall_command_add(struct buf *buf, const char *path)
{
	buf_add_str(buf, STR("ctx-recall "));
	shell_word_add_file(buf, path);
	buf_add_char(buf, ' ');
}
