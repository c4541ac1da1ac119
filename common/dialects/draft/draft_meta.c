#include "dialects/draft/draft.h"

#include "json/write.h"

/* Begins a member of metadata. Returns its number as a name that a message reads, or METADATA_COUNT
 * for any other name. The name must be of plain bytes. */
static enum metadata_name
begin_meta(struct draft *draft, struct str name)
{
	struct buf *to = &draft->metadata;
	size_t at;

	draft_text_next(to);
	at = to->len;
	buf_reserve(to, name.len + 3 + JSON_PADDING);
	buf_add_char(to, '"');
	buf_add_str(to, name);
	buf_add_str(to, STR("\":"));
	return metadata_name_of(
	    (struct json_value){to->ptr + at, (uint32_t)name.len + 2, JSON_STRING, false});
}

/* Notes the member of metadata whose value is at the place. */
static void
note_meta(struct draft *draft, enum metadata_name name, struct draft_text_value place)
{
	if (name == METADATA_COUNT)
		return;
	if (draft->meta_count < DRAFT_METAS)
		draft->meta[draft->meta_count] = (struct draft_meta){name, place};
	draft->meta_count++;
	if (name == METADATA_ID)
		draft->id_at = place.at;
}

static void
add_meta(struct draft *draft, struct str name, struct json_value value)
{
	enum metadata_name found = begin_meta(draft, name);

	note_meta(draft, found, draft_text_add(&draft->metadata, value));
}

void
draft_set_success(struct draft *draft)
{
	add_meta(draft, STR("is_error"), json_whole(STR("false")));
}

void
draft_set_error(struct draft *draft)
{
	add_meta(draft, STR("is_error"), json_whole(STR("true")));
	draft->read |= RECORD_READ_ERROR;
}

/* Notes that the reader has made the member. */
static void
note_made(struct draft *draft, enum metadata_name name, struct draft_text_value place)
{
	note_meta(draft, name, place);
	if (name == METADATA_PARENT_EXECUTION_ID)
		draft->read |= RECORD_READ_AGENT;
}

static void
add_made(struct draft *draft, struct str name, struct json_value value)
{
	enum metadata_name found = begin_meta(draft, name);

	note_made(draft, found, draft_text_add(&draft->metadata, value));
}

void
draft_meta(struct draft *draft, struct str name, struct str json)
{
	add_made(draft, name, json_whole(json));
}

void
draft_meta_string(struct draft *draft, struct str name, struct str text)
{
	enum metadata_name found = begin_meta(draft, name);
	size_t at = draft->metadata.len;

	json_write_string(&draft->metadata, text);
	note_made(draft, found, draft_text_place(&draft->metadata, at));
}

void
draft_meta_value(struct draft *draft, struct str name, struct json_value value)
{
	if (value.type > JSON_NULL)
		add_made(draft, name, value);
}

void
draft_meta_extra(struct draft *draft, struct str name, struct str json)
{
	if (draft->other_count == 1 && str_eq(json, buf_str(&draft->others)))
		return;
	if (draft->other_count++ == 0) {
		begin_meta(draft, name);
		draft->others_at = draft->metadata.len;
	}
	draft_text_next(&draft->others);
	buf_add_str(&draft->others, json);
}

struct json_value
draft_id(struct draft *draft)
{
	if (draft->id_at == 0)
		return json_absent;
	return json_written(&draft->metadata, draft->id_at);
}

void
draft_set_summary(struct draft *draft)
{
	draft_meta_string(draft, STR("kind"), STR("summary"));
	draft_meta_string(draft, STR("scope"), STR("historical"));
}

void
draft_set_pinned(struct draft *draft)
{
	if (!draft->is_pinned)
		draft_meta(draft, STR("pinned"), STR("true"));
	draft->is_pinned = true;
}

void
draft_claim(struct draft *draft, struct str name, struct str json)
{
	add_meta(draft, name, json_whole(json));
	if (memchr(name.ptr, '\\', name.len) != NULL)
		draft->meta_count = DRAFT_METAS + 1;
	draft->read &= (uint8_t)~RECORD_READ_OWN;
}

void
draft_set_usage(struct draft *draft, struct json_value usage)
{
	if (usage.type != JSON_OBJECT)
		return;
	buf_set(&draft->usage, json_span(usage));
}

/* Writes the digits of the number before end. Returns where they begin. */
static char *
put_digits(char *end, uint64_t number)
{
	do
		*--end = (char)('0' + number % 10);
	while ((number /= 10) > 0);
	return end;
}

void
draft_set_source(struct draft *draft, struct draft_source *source, const struct line *from)
{
	bool is_next = source->number == from->number && source->file == from->file;
	char text[48], *end = text + sizeof text, *at = end;

	*source =
	    (struct draft_source){from->file, from->number, is_next ? source->messages + 1 : 1};
	if (is_next) {
		*--at = '"';
		at = put_digits(at, source->messages);
		*--at = '.';
	}
	at = put_digits(at, from->number);
	if (is_next)
		*--at = '"';
	draft_meta(draft, STR("source"), str_of(at, (size_t)(end - at)));
}
