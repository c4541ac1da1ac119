#include "policy/text/rewrite.h"

#include "data/archive/archive.h"
#include "data/message/metadata.h"
#include "data/message/texts.h"
#include "json/write.h"
#include "policy/text/recall.h"

/* Makes text, which marks the message compacted, the record of the entry. Returns false when that
 * saves nothing, unless estimator is NULL. */
static bool
put_record(struct session *t, uint32_t index, const struct change_rule *rule, struct str text,
    struct estimator *estimator)
{
	uint32_t mark = change_mark(t);

	if (estimator != NULL && text.len >= entry_text(&t->entry[index]).len)
		return false; /* a copy would save nothing */
	change_text(t, index, rule, text);
	if (estimator != NULL && !weigh_settle(t, mark, estimator))
		return false;
	t->entry[index].is_compacted = true;
	return true;
}

/* The key of the record that the entry was, as a JSON string; "" when nothing is archived. */
static struct str
key_of_original(struct session *t, uint32_t index, struct json_edit *edit)
{
	struct buf json = BUF_INIT;
	struct archive_key key;
	struct str kept;

	if (t->recall.len == 0)
		return STR("");
	key = archive_original_key(t, index);
	buf_add_char(&json, '"');
	archive_key_write(&key, &json);
	buf_add_char(&json, '"');
	kept = json_edit_keep(edit, buf_str(&json));
	buf_free(&json);
	return kept;
}

/* Whether only the text of the result shows that the user refused the call. */
static bool
was_refused(const struct session *t, uint32_t index)
{
	return t->entry[index].call != NONE && t->call[t->entry[index].call].was_refused;
}

/* Applies the edit and marks the message compacted. more is said in its metadata, too, unless its
 * value is "". */
static bool
put_edit(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct json_edit *edit, struct metadata_member more,
    struct estimator *estimator)
{
	struct metadata_member members[4] = {{METADATA_COMPACTED, STR("true")}};
	struct str key = key_of_original(t, index, edit);
	struct buf text = BUF_INIT;
	unsigned count = 1;
	bool done;

	if (was_refused(t, index))
		more = (struct metadata_member){METADATA_RESOLVED, STR("true")};
	if (more.value.len > 0)
		members[count++] = more;
	if (key.len > 0) {
		members[count++] = (struct metadata_member){METADATA_ARCHIVED, key};
		members[count++] = (struct metadata_member){METADATA_PASS, STR(ARCHIVE_NO_PASS)};
	}
	if (!metadata_set(edit, message, members, count))
		return false;
	json_edit_write(edit, &text);
	done = put_record(t, index, rule, buf_str(&text), estimator);
	buf_free(&text);
	return done;
}

bool
rewrite_edit(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct json_edit *edit, struct str call_keys,
    struct estimator *estimator)
{
	return put_edit(t, index, rule, message, edit,
	    (struct metadata_member){METADATA_CALL_KEYS, call_keys}, estimator);
}

/* record is the text that message was parsed from. */
static bool
put_content(struct session *t, uint32_t index, const struct change_rule *rule, struct str record,
    const struct message *message, struct str text, bool is_failure, struct estimator *estimator)
{
	const struct metadata_member resolved = {
	    METADATA_RESOLVED, is_failure ? STR("true") : STR("")};
	struct buf json = BUF_INIT;
	struct json_edit edit;
	bool done;

	json_write_string(&json, text);
	json_edit_init(&edit, record);
	done = message_set_content(&edit, message, buf_str(&json)) &&
	    put_edit(t, index, rule, message, &edit, resolved, estimator);
	json_edit_free(&edit);
	buf_free(&json);
	return done;
}

/* Puts a placeholder in the place of the content, with the command that brings the content back. */
static bool
put_placeholder(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct str text, bool is_failure, struct estimator *estimator)
{
	struct buf marked = BUF_INIT;
	bool done;

	recall_mark(t, index, text, &marked);
	done = put_content(t, index, rule, entry_text(&t->entry[index]), message, buf_str(&marked),
	    is_failure, estimator);
	buf_free(&marked);
	return done;
}

bool
rewrite_message(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator)
{
	return put_placeholder(t, index, rule, message, text, false, estimator);
}

bool
rewrite_failure(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator)
{
	return put_placeholder(t, index, rule, message, text, true, estimator);
}

bool
rewrite_content(struct session *t, uint32_t index, const struct change_rule *rule, struct str text,
    struct estimator *estimator)
{
	struct message message;

	entry_parse(&t->entry[index], &message);
	return rewrite_message(t, index, rule, &message, text, estimator);
}

bool
rewrite_original(struct session *t, uint32_t index, const struct change_rule *rule, struct str text,
    struct estimator *estimator)
{
	struct entry original = change_base(t, index);
	struct message message;

	entry_parse(&original, &message);
	return put_content(t, index, rule, entry_text(&original), &message, text, false, estimator);
}
