#include "face/recall_command.h"

#include "base/shell_word.h"

void
recall_command_add(struct buf *buf, const char *path)
{
	buf_add_str(buf, STR("ctx-recall "));
	buf_add_str(buf, path[0] == '-' ? STR("./") : STR("")); /* no option */
	shell_word_add(buf, path);
	buf_add_char(buf, ' ');
}
