#include "policy/rewrite.h"

#include "data/metadata.h"
#include "data/texts.h"
#include "json/text.h"
#include "json/write.h"

/* Makes text, which marks the message compacted, the record of the entry. Returns false when that
 * saves nothing. */
static bool
put_record(struct session *t, uint32_t index, const struct change_rule *rule, struct str text,
    struct estimator *estimator)
{
	uint32_t mark = change_mark(t);

	if (text.len >= entry_text(&t->entry[index]).len)
		return false; /* a copy would save nothing */
	change_text(t, index, rule, text);
	if (!weigh_settle(t, mark, estimator))
		return false;
	t->entry[index].is_compacted = true;
	return true;
}

/* Applies the edit and sets the first count of the members. */
static bool
put_edit(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct json_edit *edit, unsigned count,
    struct estimator *estimator)
{
	const struct metadata_member members[] = {
	    {METADATA_COMPACTED, STR("true")}, {METADATA_RESOLVED, STR("true")}};
	struct buf text = BUF_INIT;
	bool done;

	if (!metadata_set(edit, message, members, count))
		return false;
	json_edit_write(edit, &text);
	done = put_record(t, index, rule, buf_str(&text), estimator);
	buf_free(&text);
	return done;
}

bool
rewrite_edit(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct json_edit *edit, struct estimator *estimator)
{
	return put_edit(t, index, rule, message, edit, 1, estimator);
}

/* record is the text that message was parsed from. */
static bool
put_content(struct session *t, uint32_t index, const struct change_rule *rule, struct str record,
    const struct message *message, struct str text, unsigned count, struct estimator *estimator)
{
	struct buf json = BUF_INIT;
	struct json_edit edit;
	bool done;

	json_write_string(&json, text);
	json_edit_init(&edit, record);
	done = message_set_content(&edit, message, buf_str(&json)) &&
	    put_edit(t, index, rule, message, &edit, count, estimator);
	json_edit_free(&edit);
	buf_free(&json);
	return done;
}

bool
rewrite_message(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator)
{
	return put_content(
	    t, index, rule, entry_text(&t->entry[index]), message, text, 1, estimator);
}

bool
rewrite_failure(struct session *t, uint32_t index, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator)
{
	return put_content(
	    t, index, rule, entry_text(&t->entry[index]), message, text, 2, estimator);
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
	struct entry original = change_original(t, index);
	struct message message;

	entry_parse(&original, &message);
	return put_content(t, index, rule, entry_text(&original), &message, text, 1, estimator);
}
