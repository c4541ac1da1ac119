#include "dialects/load/load_mend.h"

#include <stdio.h>
#include <stdlib.h>

#include "dialects/session_file/session_layout.h"
#include "dialects/surrogates.h"
#include "dialects/load/load_chain.h"
#include "dialects/load/load_pass.h"
#include "dialects/session_file/session_stamp.h"
#include "json/edit.h"

struct mend {
	struct load_pass pass;
	struct load_file *file;
	uint32_t *link;  /* see load_chain_relink */
	struct str *id;  /* of each node, JSON; empty: none */
	uint32_t at;     /* the node at hand */
	struct str time; /* of the record before, JSON */
	struct session_stamp_digest digest;
	struct arena arena;
	struct json_edit edit;
	struct buf scratch;
};

/* Judges the file, and finds which of its messages are missed. */
static bool
judge(struct mend *mend, const struct dialect *dialect, struct str text, bool is_document,
    struct fault *fault)
{
	load_pass_open(&mend->pass, dialect, fault);
	for (size_t number = 1; text.len > 0 && !fault_is_set(fault); number++) {
		struct message message;
		struct str line = str_trim(session_layout_take(&text, is_document));
		struct record record = {.line = {.raw = line,
					    .text = line,
					    .file = "-",
					    .number = number,
					    .place = number,
					    .is_folded = is_document && !str_is_one_line(line)},
		    .message = &message};

		message_parse(&message, line);
		record.kind = message.kind;
		mend->pass.load.stage.take(&mend->pass.load.stage, &record);
	}
	return load_pass_end(&mend->pass);
}

/* A new id, made of the text written before it and of its place. */
static struct str
make_id(struct mend *mend, struct str text)
{
	char uuid[SESSION_UUID], quoted[SESSION_UUID + 2];

	session_stamp_add(&mend->digest, &text, 1);
	session_stamp_uuid(&mend->digest, uuid);
	snprintf(quoted, sizeof quoted, "\"%s\"", uuid);
	return arena_copy_padded(&mend->arena, str_from(quoted));
}

/* The text of a row, filled in. */
static struct str
fill(struct mend *mend, struct str row, struct str id)
{
	struct buf *to = &mend->scratch;

	buf_reset(to);
	while (row.len > 0) {
		size_t len = 1;

		if (str_has_prefix(row, STR("<id>"))) {
			buf_add_str(to, id);
			len = 4;
		} else if (str_has_prefix(row, STR("<time>"))) {
			buf_add_str(to, mend->time);
			len = 6;
		} else if (str_has_prefix(row, STR("<line>"))) {
			buf_add_fmt(to, "%zu", mend->file->node[mend->at].line);
			len = 6;
		} else {
			buf_add_char(to, row.ptr[0] == '\'' ? '"' : row.ptr[0]);
		}
		row = str_rest(row, len);
	}
	return buf_str(to);
}

/* Adds the members that the object lacks. */
static void
add_members(struct mend *mend, struct json_value object, const char *needs)
{
	struct str word;

	while (object.type == JSON_OBJECT && str_take_word(&needs, ' ', &word)) {
		const char *equals = memchr(word.ptr, '=', word.len);
		struct str name =
		    str_of(word.ptr, equals != NULL ? (size_t)(equals - word.ptr) : word.len);

		if (equals != NULL && !json_has(object, name))
			json_edit_add(&mend->edit, object, name,
			    fill(mend, str_rest(word, name.len + 1),
				make_id(mend, json_span(object))));
	}
}

/* Mends a value at that depth of lists, and the elements of its own lists. */
static void
mend_value(struct mend *mend, struct json_value value, unsigned depth)
{
	const struct load_plan *plan = &mend->pass.load.plan;
	const struct load_form_rule *rule = plan->form->rules;
	struct member_view view;

	load_plan_view(plan, value, &view);
	for (unsigned i = 0; rule[i].code != 0; i++) {
		bool is_of = rule[i].depth == depth && rule[i].needs != NULL &&
		    load_form_is_of(&rule[i], mend->file->is_spread) &&
		    (rule[i].scope != LOAD_FIRST || mend->at == 0) &&
		    (rule[i].scope != LOAD_LAST || mend->at == mend->file->count - 1);

		if (is_of && conditions_hold(&plan->rules[i], &view))
			add_members(mend, member_find(&view, &plan->at[i]), rule[i].needs);
	}
	for (struct json_walk walk = json_walk_list(member_find(&view, &plan->lists));
	     depth < 2 && json_walk_next(&walk);)
		mend_value(mend, walk.value, depth + 1);
}

/* Links the record to its new parent, and gives it an id if others may follow it. */
static void
mend_link(struct mend *mend, struct json_value value)
{
	const struct session_layout *format = mend->pass.load.plan.form->format;
	const struct load_file_node *node = &mend->file->node[mend->at];
	uint32_t link = mend->link[mend->at];
	struct json_value id, parent;

	if (mend->pass.load.plan.form->chain == NULL)
		return;
	id = json_find(value, str_from(format->id));
	parent = json_find(value, str_from(format->parent));
	if (id.type == JSON_STRING || id.type == JSON_NUMBER) {
		mend->id[mend->at] = arena_copy_padded(&mend->arena, json_span(id));
	} else if (id.type == JSON_ABSENT && (node->flags & LOAD_IS_REACHED) != 0) {
		mend->id[mend->at] = make_id(mend, json_span(value));
		json_edit_add(&mend->edit, value, str_from(format->id), mend->id[mend->at]);
	}
	if (link == LOAD_BEGINS)
		json_edit_replace(&mend->edit, json_span(parent), STR("null"));
	if (link == LOAD_NONE || link == LOAD_BEGINS || mend->id[link].len == 0)
		return;
	if (parent.type != JSON_ABSENT)
		json_edit_replace(&mend->edit, json_span(parent), mend->id[link]);
	else
		json_edit_add(&mend->edit, value, str_from(format->parent), mend->id[link]);
}

/* Clears the note of the record at which the chain began, unless the user went there. */
static void
mend_checkpoint(struct mend *mend, struct json_value value)
{
	struct json_value leaf = json_find(value, STR("leafUuid"));

	if (mend->file->checkpoint.is_begun && !mend->file->checkpoint.is_explicit &&
	    leaf.type == JSON_STRING && json_has_type(value, STR("last-prompt")) &&
	    json_find(value, STR("explicit")).type != JSON_TRUE)
		json_edit_replace(&mend->edit, json_span(leaf), STR("null"));
}

/* Adds the header that the file lacks. value is its first record, or absent. */
static void
add_header(struct mend *mend, struct json_value value, struct buf *to)
{
	const struct load_form_rule *rule = mend->pass.load.plan.form->rules;
	struct member_view view;

	load_plan_view(&mend->pass.load.plan, value, &view);
	for (unsigned i = 0; rule[i].code != 0; i++)
		if (rule[i].adds != NULL &&
		    (rule[i].scope == LOAD_ANYONE ?
			    ((mend->file->anyones | mend->file->stand_ins) >> i & 1) == 0 :
			    !conditions_hold(&mend->pass.load.plan.rules[i], &view)) &&
		    (mend->file->torn == 0 || value.type == JSON_ABSENT)) {
			buf_add_str(to,
			    fill(mend, str_from(rule[i].adds), make_id(mend, json_span(value))));
			buf_add_char(to, '\n');
		}
}

static void
mend_line(struct mend *mend, struct str whole, struct buf *to)
{
	struct message message;
	struct json_value time;
	size_t begun;

	message_parse(&message, str_trim(whole));
	time = json_find(message.value, STR("timestamp"));
	if (time.type == JSON_STRING)
		mend->time = json_span(time);
	if (mend->at == 0)
		add_header(mend, message.value, to);
	json_edit_reset(&mend->edit, whole);
	mend_value(mend, message.value, 0);
	mend_link(mend, message.value);
	mend_checkpoint(mend, message.value);
	begun = to->len;
	json_edit_write(&mend->edit, to);
	mend->at++;
	if (!mend->file->has_half)
		return;
	buf_pad(to);
	surrogates_replace(to->ptr + begun, to->len - begun);
}

bool
load_mend(const struct dialect *dialect, struct str text, bool is_document, struct buf *to,
    struct fault *fault)
{
	struct mend mend = {.time = STR("\"1970-01-01T00:00:00.000Z\""), .arena = ARENA_INIT};
	bool is_judged = judge(&mend, dialect, text, is_document, fault);

	if (is_judged && mend.pass.load.files > 0) {
		mend.file = &mend.pass.load.file[0];
		mend.link = load_chain_relink(mend.file);
		mend.id = arena_zalloc(&mend.arena, mend.file->count + 1, sizeof *mend.id);
	}
	json_edit_init(&mend.edit, text);
	for (size_t number = 1; is_judged && text.len > 0; number++) {
		struct str line = session_layout_take(&text, is_document);

		if (mend.file != NULL && mend.file->torn == number)
			add_header(&mend, json_absent, to);
		if (mend.file != NULL && mend.at < mend.file->count &&
		    mend.file->node[mend.at].line == number)
			mend_line(&mend, line, to);
		else
			buf_add_str(to, line);
	}
	json_edit_free(&mend.edit);
	load_pass_free(&mend.pass);
	free(mend.link);
	arena_free(&mend.arena);
	buf_free(&mend.scratch);
	return is_judged;
}
