#include "face/archiving.h"

#include <unistd.h>

#include "base/shell_word.h"
#include "data/archive_pass.h"
#include "face/files.h"
#include "stream/append.h"

void
archiving_add_command(struct buf *buf, const char *path)
{
	buf_add_str(buf, STR("ctx-recall "));
	buf_add_str(buf, path[0] == '-' ? STR("./") : STR("")); /* no option */
	shell_word_add(buf, path);
	buf_add_char(buf, ' ');
}

void
archiving_begin(const char *path, struct session *session, const struct run *run)
{
	struct buf text = BUF_INIT;

	if (path == NULL)
		return;
	files_check_appended(run->options, &run->source.in, "--archive", path);
	archiving_add_command(&text, path);
	session->recall = arena_copy(&session->arena, buf_str(&text));
	buf_free(&text);
}

void
archiving_write(const char *path, const struct session *session, struct run *run)
{
	struct append append;

	if (path == NULL || fault_is_set(&run->fault) ||
	    (session->change_count == 0 && access(path, F_OK) == 0) ||
	    !append_open(&append, path, &run->fault))
		return;
	archive_pass_write(session, run->sink.drops_bad, &append.out);
	append_close(&append);
}
