#include "face/changes.h"

#include "data/archive/archive.h"
#include "policy/budget/weigh.h"

struct list {
	struct session *session;
	struct estimator *estimator;
	const struct run *run;
	struct output out;
	struct buf text; /* the line under way */
	uint64_t line;
	bool is_archived;
};

static void
open_line(struct list *list, struct json_writer *w, const struct message *message)
{
	json_begin(w, &list->text, '{');
	if (list->run->file != NULL)
		json_member_string(w, STR("file"), str_from(list->run->file->path));
	if (list->run->session.len > 0)
		json_member_raw(w, STR("session"), list->run->session);
	json_name(w, STR("line"));
	if (list->line > 0)
		json_put_integer(w, (int64_t)list->line);
	else
		json_put_raw(w, STR("null"));
	if (message->meta[METADATA_ID].type == JSON_STRING)
		json_member_value(w, STR("id"), message->meta[METADATA_ID]);
	json_member_string(w, STR("role"), role_name(message->role));
}

static void
put_change(struct json_writer *w, const struct change_rule *rule, const uint64_t *tokens)
{
	json_member_string(w, STR("action"), rule->action);
	if (rule->name.len > 0)
		json_member_string(w, STR("rule"), rule->name);
	json_member_string(w, STR("reason"), rule->reason);
	json_member_integer(w, STR("tokens_before"), (int64_t)tokens[0]);
	json_member_integer(w, STR("tokens_after"), (int64_t)tokens[1]);
}

static void
put_line(struct list *list, struct json_writer *w)
{
	json_close(w);
	buf_add_char(&list->text, '\n');
	output_copy(&list->out, buf_str(&list->text));
	buf_reset(&list->text);
}

/* Writes the line of an entry, if it is a message that was changed or dropped. */
static void
write_entry(struct list *list, uint32_t index)
{
	struct session *t = list->session;
	const struct change *change = change_of(t, index);
	struct entry original;
	struct message message;
	struct json_writer w;
	uint64_t tokens[2] = {0, 0};
	uint32_t call = session_call_of(t, &t->entry[index]);

	if (change == NULL ||
	    (t->entry[index].kind != RECORD_MESSAGE && !t->entry[index].is_forgotten))
		return;
	original = change_original(t, index);
	entry_parse(&original, &message);
	tokens[0] = weigh_original(t, index, list->estimator);
	if (!t->entry[index].is_dropped)
		tokens[1] = weigh_entry(t, index, list->estimator);
	open_line(list, &w, &message);
	if (call != NONE)
		json_member_string(&w, STR("tool"), t->call[call].name);
	put_change(&w, change->rule, tokens);
	if (list->is_archived) {
		struct archive_key key = archive_original_key(t, index);

		archive_key_put(&w, STR("archived"), &key);
	}
	put_line(list, &w);
}

/* Writes the line of a message that was added. Its key is the key of the messages that it
 * replaces. */
static void
write_added(struct list *list, const struct change *added)
{
	uint64_t tokens[2] = {0, added->after}, line = list->line;
	struct message message;
	struct json_writer w;

	message_reread(&message, str_of(added->raw, added->len));
	if (message.kind != RECORD_MESSAGE)
		return;
	list->line = 0;
	open_line(list, &w, &message);
	put_change(&w, added->rule, tokens);
	json_member_value(&w, STR("archived"), message.meta[METADATA_ARCHIVED]);
	put_line(list, &w);
	list->line = line;
}

void
changes_write(struct session *session, struct estimator *estimator, bool is_written,
    bool is_archived, struct run *run)
{
	struct list list = {
	    .session = session, .estimator = estimator, .run = run, .is_archived = is_archived};
	int fd = run_create_changes(run);

	if (fd < 0)
		return;
	output_init(&list.out, fd, run->options->changes, &run->fault);
	if (is_written) {
		const struct session *t = list.session;
		const struct change *added;
		uint32_t next = 0;

		for (uint32_t i = 0; i <= t->count; i++) {
			while ((added = change_next_added(t, i, &next)) != NULL)
				write_added(&list, added);
			if (i == t->count)
				break;
			list.line += !t->entry[i].is_continued;
			write_entry(&list, i);
		}
		buf_free(&list.text);
	}
	output_close(&list.out);
}
