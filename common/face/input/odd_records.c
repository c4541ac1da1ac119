#include "face/input/odd_records.h"

#include "base/diag.h"
#include "data/message/content.h"
#include "data/message/part.h"
#include "dialects/likeness.h"
#include "dialects/unread.h"
#include "json/string.h"

enum { GUESSED_MAX = 10 }; /* the dialect is guessed from so many foreign records */

static void
note(
    struct odd_records *odd, enum odd_records_kind kind, const char *looks, const struct line *line)
{
	if (odd->kind[kind].count++ > 0)
		return;
	odd->kind[kind].line = (struct line){.file = line->file, .number = line->number};
	odd->kind[kind].looks = looks;
}

/* A filter would pass the record as if nobody spoke in it. */
static void
note_foreign(struct odd_records *odd, struct json_value record, const struct line *line)
{
	const char *name;

	if (odd->foreign++ < GUESSED_MAX && odd->looks_like == NULL)
		odd->looks_like = likeness_name(record);
	if (odd->reads_others || !(unread_speaks(record) || unread_has_message(record)))
		return;
	name = likeness_name(record);
	if (name != NULL)
		note(odd, ODD_RECORDS_MIXED, name, line);
}

/* Whether the message has only members of chat completions. Then no dialect has to be tried, which
 * would cost more than all the work of a filter. */
static bool
is_chat(struct json_value message)
{
	static const struct str members[] = {
	    STR_INIT("role"), STR_INIT("content"), STR_INIT("name"), STR_INIT("id")};
	struct part part;

	for (struct json_walk walk = json_walk_of(message); json_walk_next(&walk);) {
		if (!JSON_IS_ONE_OF(walk.name, members))
			return false;
		for (struct json_walk parts = json_walk_list(walk.value); json_walk_next(&parts);) {
			part_read(parts.value, &part);
			if (!part_is_chat(&part))
				return false;
		}
	}
	return true;
}

/* A message may have blocks that no canonical message has. */
static void
note_blocks(struct odd_records *odd, struct json_value message, const struct line *line)
{
	const struct dialect *dialect;
	const char *looks;

	if (is_chat(message))
		return;
	dialect = dialect_detect(message);
	looks = dialect != NULL && dialect_sign_of(dialect, message) == DIALECT_SIGN_CERTAIN ?
	    dialect->name :
	    likeness_name(message);
	if (looks != NULL)
		note(odd, ODD_RECORDS_BLOCKS, looks, line);
}

static bool
has_own_members(const struct message *message)
{
	return message->has_metadata || message->tool_calls.type == JSON_ARRAY ||
	    message->tool_call_id.type == JSON_STRING;
}

bool
odd_records_is_canonical(const struct message *message)
{
	return has_own_members(message) && !message_is(message, METADATA_COMPACTED);
}

/* Messages of a dialect whose calls and results are blocks pass alone: that is one format, also
 * with marks and messages of a filter. Members that only canonical messages have make a mixture. */
void
odd_records_note(struct odd_records *odd, const struct message *message, const struct line *line)
{
	if (message->kind == RECORD_FOREIGN) {
		note_foreign(odd, message->value, line);
	} else if (!message_has_text(message) && message_is_unknown(message)) {
		note(odd, ODD_RECORDS_UNKNOWN, likeness_name(message->value), line);
	} else if (has_own_members(message)) {
		odd->has_canonical |= odd_records_is_canonical(message);
	} else if (message->content.type == JSON_ARRAY && !odd->reads_others) {
		note_blocks(odd, message->value, line);
	}
}

static bool
has_kind(const struct odd_records *odd, enum odd_records_kind kind)
{
	return odd->kind[kind].count > 0 && (kind != ODD_RECORDS_BLOCKS || odd->has_canonical);
}

bool
odd_records_are_any(const struct odd_records *odd)
{
	return has_kind(odd, ODD_RECORDS_UNKNOWN) || has_kind(odd, ODD_RECORDS_MIXED) ||
	    has_kind(odd, ODD_RECORDS_BLOCKS);
}

bool
odd_records_say(const struct odd_records *odd)
{
	static const struct {
		const char *code, *what;
	} row[ODD_RECORDS_KINDS] = {
	    [ODD_RECORDS_UNKNOWN] = {"unknown-shape", "messages with a role without content"},
	    [ODD_RECORDS_MIXED] = {"other-dialect", "records of another dialect beside messages"},
	    [ODD_RECORDS_BLOCKS] = {"other-dialect",
		"messages of another dialect beside canonical ones"},
	};

	struct buf looks = BUF_INIT;

	for (enum odd_records_kind kind = 0; kind < ODD_RECORDS_KINDS; kind++) {
		if (!has_kind(odd, kind))
			continue;
		buf_reset(&looks);
		likeness_write(odd->kind[kind].looks, &looks);
		diag_warn_at(odd->kind[kind].line.file, odd->kind[kind].line.number,
		    "%s: the first of %ju %s; %.*s", row[kind].code,
		    (uintmax_t)odd->kind[kind].count, row[kind].what, STR_ARG(buf_str(&looks)));
	}
	buf_free(&looks);
	return odd_records_are_any(odd);
}

void
odd_records_forget_foreign(struct odd_records *odd)
{
	odd->looks_like = NULL;
	odd->foreign = 0;
}

void
odd_records_forget(struct odd_records *odd)
{
	memset(odd->kind, 0, sizeof odd->kind);
	odd->has_canonical = false;
}
