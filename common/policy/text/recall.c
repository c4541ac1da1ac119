#include "policy/text/recall.h"

/* Appends the command that recalls the entry of the archive under the key. */
static void
add_command(const struct session *t, struct archive_key key, struct buf *buf)
{
	buf_add_str(buf, t->recall);
	archive_key_write(&key, buf);
	buf->len -= ARCHIVE_KEY_DIGITS - ARCHIVE_KEY_SHORT;
}

void
recall_add_command(struct session *t, uint32_t entry, struct buf *buf)
{
	if (t->recall.len > 0)
		add_command(t, archive_original_key(t, entry), buf);
}

struct str
recall_clause(struct session *t, uint32_t entry)
{
	struct buf text = BUF_INIT;
	struct str command;

	if (t->recall.len == 0)
		return STR("");
	buf_add_str(&text, STR("; "));
	recall_add_command(t, entry, &text);
	command = arena_copy(&t->arena, buf_str(&text));
	buf_free(&text);
	return command;
}

void
recall_mark(struct session *t, uint32_t entry, struct str text, struct buf *buf)
{
	struct str command = recall_clause(t, entry);
	bool is_closed = text.len > 0 && text.ptr[text.len - 1] == ']';

	if (command.len > 0 && str_find(text, str_of(command.ptr + 2, command.len - 2)) != NULL)
		command = STR("");
	buf_add(buf, text.ptr, text.len - (is_closed && command.len > 0));
	buf_add_str(buf, command);
	if (is_closed && command.len > 0)
		buf_add_char(buf, ']');
}

void
recall_add_list(const struct session *t, const struct archive_list *list, struct buf *buf)
{
	add_command(t, archive_list_key(list), buf);
}

void
recall_write_key(const struct archive_list *list, struct json_writer *w)
{
	struct archive_key key;

	if (list->text.len == 0)
		return;
	key = archive_list_key(list);
	archive_key_put(w, STR("archived"), &key);
	json_member_raw(w, STR("pass"), STR(ARCHIVE_NO_PASS));
}

/* Whether a shell command prints from an archive, in the present spelling or an earlier one. */
static bool
is_look_up(struct str command)
{
	return str_find(command, STR("ctx-recall ")) != NULL ||
	    str_find(command, STR("ctx recall ")) != NULL ||
	    (str_find(command, STR("ctx-compact")) != NULL &&
		(str_find(command, STR("--recall")) != NULL ||
		    str_find(command, STR("--search")) != NULL));
}

bool
recall_is_result(const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	if (entry->call == NONE || entry->is_error || session_head(t, entry)->is_compacted)
		return false; /* the note of a cut command names it, too */
	return t->call[entry->call].use.op == TOOL_SHELL &&
	    is_look_up(t->call[entry->call].use.target);
}
