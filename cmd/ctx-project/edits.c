#include "edits.h"

#include <stdlib.h>

#include "base/mem.h"
#include "data/message/metadata.h"
#include "face/choices/select_option.h"
#include "json/string.h"

/* The bytes of ,"_metadata":{"compacted":true} at most; a text that is cut makes room for it. */
enum { SPARE = sizeof ",\"_metadata\":{\"compacted\":true}" - 1 };

/* Cutting the texts of one message. */
struct cutting {
	const struct cut_limit *limit;
	struct json_edit *edit;
	uint64_t texts;
};

static void
cut_string(struct cutting *cutting, struct json_value string)
{
	struct buf scratch = BUF_INIT, cut = BUF_INIT, json = BUF_INIT;
	struct str text;

	if (json_inner(string).len <= cutting->limit->size.value)
		return;
	text = json_text(string, &scratch);
	if (cut_limit_passed(cutting->limit, text)) {
		cut_limit_apply(cutting->limit, text, SPARE, &cut);
		json_write_string(&json, buf_str(&cut));
		json_edit_replace(cutting->edit, json_span(string),
		    json_edit_keep(cutting->edit, buf_str(&json)));
		cutting->texts++;
	}
	buf_free(&scratch);
	buf_free(&cut);
	buf_free(&json);
}

static void
found(void *context, enum text_kind kind, struct json_value value)
{
	if (kind == TEXT_CONTENT && value.type == JSON_STRING)
		cut_string(context, value);
}

/* Notes the cuts of the message in texts->edit. */
static void
cut_texts(struct edits_texts *texts, const struct message *message)
{
	static const struct metadata_member compacted = {METADATA_COMPACTED, STR_INIT("true")};
	struct cutting cutting = {.limit = &texts->limit, .edit = &texts->edit};

	message_texts(message, found, &cutting);
	/* A text that instructor says twice counts once, and is cut in both places. */
	if (message->result_text.type == JSON_STRING &&
	    message_other_text(message).type == JSON_ABSENT)
		cut_string(&cutting, message->result_text);
	if (cutting.texts > 0 && !message_is(message, METADATA_COMPACTED))
		metadata_set(&texts->edit, message, &compacted, 1);
	texts->texts += cutting.texts;
}

/* Most records are too short to hold a long text. */
static bool
is_chosen(const struct edits_texts *texts, struct record *record, struct message *read)
{
	const struct message *message;

	if (record->kind != RECORD_MESSAGE || record->line.text.len <= texts->limit.size.value)
		return false;
	message = record_message(record, read);
	return message->role != ROLE_OTHER && selectors_match_message(texts->chosen, message);
}

static void
take(struct stage *stage, struct record *record)
{
	struct edits_texts *texts = (struct edits_texts *)stage;
	struct message read;

	record_settle(record, &texts->settled);
	if (!is_chosen(texts, record, &read)) {
		stage_emit(stage, record);
		return;
	}
	json_edit_reset(&texts->edit, record->line.text);
	cut_texts(texts, record->message);
	if (texts->edit.count > 0 && !fault_is_set(stage->fault)) {
		record->edit = &texts->edit;
		record->state = record->state == RECORD_GIVEN ? RECORD_CHANGED : record->state;
	}
	stage_emit(stage, record);
}

/* chosen must live as long as the stage. */
static void
init_texts(struct edits_texts *stage, const struct cut_limit *limit, const struct selectors *chosen)
{
	*stage = (struct edits_texts){
	    .stage = {.take = take, .end = stage_pass_end}, .limit = *limit, .chosen = chosen};
}

static void
free_texts(struct edits_texts *stage)
{
	json_edit_free(&stage->edit);
	buf_free(&stage->settled);
}

static _Noreturn void
refuse_shorten(const char *argument)
{
	options_fail("bad value '%s' of --shorten, expected a length such as 2k, 800chars or "
		     "500tok, of which the head may get a share: 2k,70%%",
	    argument);
}

/* Reads "2k" or "2k,70%". */
static void
parse_limit(const char *argument, struct cut_limit *limit)
{
	const char *comma = strchr(argument, ',');
	size_t of_length = strcspn(argument, ",");
	struct size head = {SIZE_PERCENT, SIZE_WHOLE / 2};
	char *length;

	if (comma != NULL && (!size_parse(comma + 1, &head) || head.unit != SIZE_PERCENT))
		refuse_shorten(argument);
	length = mem_alloc(of_length + 1, 1);
	memcpy(length, argument, of_length);
	length[of_length] = '\0';
	if (!size_parse_length(length, &limit->size))
		refuse_shorten(argument);
	free(length);
	if (limit->size.value < CUT_LIMIT_MIN)
		options_fail(
		    "bad value '%s' of --shorten, expected at least %d", argument, CUT_LIMIT_MIN);
	limit->head = head.value;
}

void
edits_parse(struct edits *edits, const struct options *options, struct project_choice *choice)
{
	static const struct option_list unprotected = {{EDITS_CHOSEN}, 1};

	*edits =
	    (struct edits){.merges = options->merge != NULL, .shortens = options->shorten != NULL};
	edits->separator = str_from(edits->merges ? options->merge : "");
	if (edits->separator.len == 0)
		edits->separator = STR("\n");
	if (!edits->shortens)
		return;
	parse_limit(options->shorten, &edits->limit);
	select_option_parse(&unprotected, "shorten", &edits->chosen);
	choice->counts |= edits->limit.size.unit == SIZE_TOKENS;
}

void
edits_open(struct edits *edits, struct project_choice *choice)
{
	choice->edits = edits;
	if (!edits->shortens)
		return;
	/* An estimator that learns from the session counts no single text. */
	if (edits->limit.size.unit == SIZE_TOKENS && estimator_learns(&choice->estimator))
		options_fail("--estimator %s counts whole sessions, not texts: --shorten in "
			     "tokens needs another one",
		    choice->estimator.name);
	edits->limit.estimator = &choice->estimator;
	init_texts(&edits->texts, &edits->limit, &edits->chosen);
	choice->behind[choice->behind_count++] = &edits->texts.stage;
}

void
edits_close(struct edits *edits, const struct project_choice *choice)
{
	struct json_writer *members = &choice->run->members;

	if (edits->merges)
		json_member_integer(members, STR("joined"), (int64_t)choice->joined);
	if (edits->shortens)
		json_member_integer(members, STR("shortened"), (int64_t)edits->texts.texts);
	free_texts(&edits->texts);
	selectors_free(&edits->chosen);
}
