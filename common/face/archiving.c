#include "face/archiving.h"

#include <unistd.h>

#include "data/archive_pass.h"
#include "face/files.h"
#include "stream/append.h"

/* Appends the word as a shell reads it. */
static void
add_word(struct buf *buf, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_@%+=:,./-";

	if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
		buf_add_str(buf, str_from(word));
		return;
	}
	buf_add_char(buf, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			buf_add_str(buf, STR("'\\''"));
		else
			buf_add_char(buf, *word);
	buf_add_char(buf, '\'');
}

void
archiving_add_command(struct buf *buf, const char *path)
{
	buf_add_str(buf, STR("ctx-compact --archive "));
	add_word(buf, path);
	buf_add_str(buf, STR(" --recall "));
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
