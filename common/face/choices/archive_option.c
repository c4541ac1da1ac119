#include "face/choices/archive_option.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"
#include "face/choices/recall_command.h"
#include "stream/file/append.h"

void
archive_option_begin(struct session *session, const struct run *run)
{
	const char *path = run->options->archive;
	struct buf text = BUF_INIT;

	if (path == NULL)
		return;
	recall_command_add(&text, path);
	session->recall = arena_copy(&session->arena, buf_str(&text));
	buf_free(&text);
}

void
archive_option_mark(struct session *session, const struct run *run)
{
	if (run->options->archive != NULL && session->change_count > 0)
		archive_pass_mark(session, run->sink.drops_bad);
}

static bool
has_changes(const struct archive_pass *part, uint32_t count)
{
	while (count > 0)
		if (part[--count].session->change_count > 0)
			return true;
	return false;
}

/* Appends the passes of the sessions, and, if there are many (whole is not NULL), the pass of the
 * stream so far. The stream continues unless it is the end. */
static void
append_parts(struct archive_whole *whole, struct archive_pass *part, uint32_t count, bool is_end,
    struct run *run)
{
	struct append append;
	bool is_due = whole != NULL && is_end && archive_whole_is_changed(whole);

	if (!is_due && !has_changes(part, count) && access(run->options->archive, F_OK) == 0) {
		if (whole != NULL)
			archive_whole_add(whole, part, count);
		return;
	}
	if (!append_open(&append, run->options->archive, &run->fault))
		return;
	for (uint32_t i = 0; i < count; i++)
		archive_pass_write(&part[i], run->sink.drops_bad, &append.out);
	if (whole != NULL)
		archive_whole_add(whole, part, count);
	if (whole != NULL && (is_end || archive_whole_is_long(whole)) &&
	    archive_whole_is_changed(whole))
		archive_whole_write(whole, &append.out);
	append_close(&append);
}

void
archive_option_write(struct archive_option *archive, struct session *session, struct run *run)
{
	struct archive_pass part = {.session = session, .is_of_many = run->is_keyed};

	if (run->options->archive == NULL || fault_is_set(&run->fault))
		return;
	if (run->is_keyed && archive->whole == NULL)
		archive->whole = archive_whole_open(run->sink.drops_bad);
	if (!run->is_keyed || run->options->sorted) {
		append_parts(archive->whole, &part, 1, false, run);
		return;
	}
	archive_option_mark(session, run);
	LIST_ROOM(archive->part, archive->count, archive->cap);
	archive->part[archive->count++] = part;
}

void
archive_option_end(struct archive_option *archive, struct run *run)
{
	if (archive->whole != NULL && !fault_is_set(&run->fault))
		append_parts(archive->whole, archive->part, archive->count, true, run);
	archive_whole_close(archive->whole);
	free(archive->part);
	*archive = (struct archive_option){.count = 0};
}
