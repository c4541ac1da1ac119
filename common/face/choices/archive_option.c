#include "face/choices/archive_option.h"

#include <unistd.h>

#include "data/archive/archive_pass.h"
#include "face/input/files.h"
#include "face/choices/recall_command.h"
#include "stream/file/append.h"

void
archive_option_begin(const char *path, struct session *session, const struct run *run)
{
	struct buf text = BUF_INIT;

	if (path == NULL)
		return;
	files_check_appended(run->options, &run->source.in, "--archive", path);
	recall_command_add(&text, path);
	session->recall = arena_copy(&session->arena, buf_str(&text));
	buf_free(&text);
}

void
archive_option_mark(const char *path, struct session *session, const struct run *run)
{
	if (path != NULL && session->change_count > 0)
		archive_pass_mark(session, run->sink.drops_bad);
}

void
archive_option_write(const char *path, struct session *session, struct run *run)
{
	struct append append;

	if (path == NULL || fault_is_set(&run->fault) ||
	    (session->change_count == 0 && access(path, F_OK) == 0) ||
	    !append_open(&append, path, &run->fault))
		return;
	archive_pass_write(session, run->sink.drops_bad, &append.out);
	append_close(&append);
}
