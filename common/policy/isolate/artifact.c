#include "policy/isolate/artifact.h"

#include "base/number.h"
#include "data/message/texts.h"
#include "json/write.h"
#include "policy/attempts.h"
#include "policy/facts/facts.h"
#include "policy/text/call_text.h"
#include "policy/text/recall.h"

/* The metadata of the call message that the artifact keeps. */
static const enum metadata_name carried[] = {METADATA_ID, METADATA_EXECUTION_ID, METADATA_SECTION,
    METADATA_SESSION_ID, METADATA_AGENT_ID, METADATA_PARENT_EXECUTION_ID, METADATA_TIMESTAMP};

static void
add_call(struct session *t, const struct call *call, struct estimator *estimator, struct buf *buf)
{
	struct message message;

	call_text_add_tool(call, buf);
	if (call->use.target.len > 0) {
		buf_add_char(buf, ' ');
		call_text_add_target(call, buf);
	}
	buf_add_str(buf, STR(": "));
	buf_add_str(buf, attempts_outcome(t, call));
	if (call->result == NONE)
		return;
	entry_parse(&t->entry[call->result], &message);
	weigh_note(t, call->result, &message, estimator);
	buf_add_str(buf, STR(", "));
	number_write_size(buf, message_text_len(&message));
}

/* What a project's instruction file that was read forbids or obliges: nobody sees it any more. */
static void
write_instructions(const struct session *t, uint32_t index, struct json_writer *w)
{
	struct facts facts = {.dropped = 0};
	struct things *rules = &facts.list[FACTS_INSTRUCTIONS];

	facts_add_instructions(&facts, t, index);
	if (rules->count > 0) {
		json_name(w, STR("instructions"));
		things_write(rules, w);
	}
	things_free(rules);
}

static void
write_facts(const struct session *t, uint32_t index, struct json_writer *w)
{
	const struct call *call = &t->call[index];
	struct buf label = BUF_INIT, key = BUF_INIT;

	retries_add_label(call, &label);
	retries_add_key(t, index, buf_str(&label), &key);
	json_open(w, '{');
	json_member_string(w, STR("tool"), call->name);
	if (call->use.target.len > 0)
		json_member_string(w, STR("target"), call->use.target);
	json_member_string(w, STR("op"), tool_op_name(call->use.op));
	json_member_string(w, STR("outcome"), attempts_outcome(t, call));
	if (key.len > 0)
		json_member_string(w, STR("key"), buf_str(&key));
	if (call->result != NONE && !t->entry[call->result].is_error)
		write_instructions(t, index, w);
	json_close(w);
	buf_free(&label);
	buf_free(&key);
}

/* The facts of all calls; those of a single call stand alone. */
static void
write_all_facts(const struct session *t, const struct artifact *artifact, struct json_writer *w)
{
	const struct group *group = &t->group[artifact->group[0]];

	json_name(w, STR("facts"));
	if (artifact->count == 1 && group->calls == 1) {
		write_facts(t, group->first_call, w);
		return;
	}
	json_open(w, '{');
	json_member_open(w, STR("calls"), '[');
	for (uint32_t i = 0; i < artifact->count; i++) {
		group = &t->group[artifact->group[i]];
		for (uint32_t call = 0; call < group->calls; call++)
			write_facts(t, group->first_call + call, w);
	}
	json_close(w);
	json_close(w);
}

/* Returns the length of the content. */
static size_t
write_content(struct session *t, const struct artifact *artifact, const struct archive_list *gone,
    struct estimator *estimator, struct json_writer *w)
{
	struct buf text = BUF_INIT;
	size_t len;

	buf_add_str(&text, STR("[trace] "));
	for (uint32_t i = 0; i < artifact->count; i++) {
		const struct group *group = &t->group[artifact->group[i]];

		if (i > 0)
			buf_add_char(&text, '\n');
		for (uint32_t call = 0; call < group->calls; call++) {
			if (call > 0)
				buf_add_str(&text, STR("; "));
			add_call(t, &t->call[group->first_call + call], estimator, &text);
		}
	}
	if (gone->text.len > 0) {
		buf_add_str(&text, STR(" ("));
		recall_add_list(t, gone, &text);
		buf_add_char(&text, ')');
	}
	json_member_string(w, STR("content"), buf_str(&text));
	len = text.len;
	buf_free(&text);
	return len;
}

/* The members that the artifact keeps of the metadata of the call message. */
static void
write_carried(const struct entry *entry, struct json_writer *w)
{
	struct message message;

	if (!entry->has_metadata)
		return;
	entry_parse(entry, &message);
	for (size_t i = 0; i < sizeof carried / sizeof carried[0]; i++)
		json_member_value(w, metadata_name_text(carried[i]), message.meta[carried[i]]);
}

uint64_t
artifact_write(struct session *t, const struct artifact *artifact, const struct archive_list *gone,
    struct estimator *estimator, struct buf *buf)
{
	struct json_writer w;
	size_t len;

	json_begin(&w, buf, '{');
	json_member_string(&w, STR("role"), role_name(artifact->role));
	len = write_content(t, artifact, gone, estimator, &w);
	json_member_open(&w, STR("metadata"), '{');
	json_member_string(&w, STR("kind"), STR("trace"));
	if (!artifact->is_brief)
		json_member_string(&w, STR("scope"), STR("historical"));
	write_carried(&t->entry[t->group[artifact->group[0]].entry], &w);
	json_member_bool(&w, STR("is_trace"), true);
	json_member_bool(&w, STR("compacted"), true);
	if (artifact->resolves.len > 0)
		json_member_raw(&w, metadata_name_text(METADATA_RESOLVES), artifact->resolves);
	recall_write_key(gone, &w);
	if (!artifact->is_brief)
		write_all_facts(t, artifact, &w);
	json_close(&w);
	json_close(&w);
	return TOKENS_PER_MESSAGE + len; /* a token has at least one byte */
}
