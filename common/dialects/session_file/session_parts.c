#include "dialects/session_file/session_parts.h"

#include "dialects/parts/media.h"
#include "dialects/parts/text_part.h"
#include "json/string.h"
#include "json/write.h"

struct str
session_parts_list(const struct buf *list)
{
	return list->ptr != NULL ? buf_str(list) : STR("");
}

/* Whether results are in the records of their calls, and this is a part of a result. */
static bool
is_in_result(const struct session_parts *parts)
{
	return parts->role == ROLE_TOOL && parts->form->result == NULL;
}

void
session_parts_begin(struct session_parts *parts, enum role role)
{
	parts->role = role;
	buf_set(&parts->flat, STR("\""));
	buf_reset(&parts->files);
	parts->no_files = false;
	parts->count = 0;
	parts->value[SESSION_side] = role == ROLE_ASSISTANT ? STR("output") : STR("input");
}

void
session_parts_clear(struct session_parts *parts)
{
	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++)
		buf_reset(&parts->list[i]);
}

/* Sets the value, or clears it if it is no string. */
static void
set_string(struct session_parts *parts, enum session_form_value at, struct json_value string)
{
	parts->value[at] = string.type == JSON_STRING ? json_span(string) : (struct str){NULL, 0};
}

bool
session_parts_add(struct session_parts *parts, enum session_form_part part)
{
	const struct session_form_row *row = &parts->form->part[part];
	struct buf *to;
	size_t start;

	if (row->form == NULL)
		return false;
	buf_reset(&parts->number);
	buf_add_fmt(&parts->number, "%012jx", (uintmax_t)parts->parts);
	parts->value[SESSION_part] = buf_str(&parts->number);
	if (row->place == SESSION_ALONE)
		return parts->put_alone(parts, row->form);
	to = is_in_result(parts) && part >= SESSION_IMAGE && part <= SESSION_LINK ?
	    &parts->files :
	    &parts->list[row->place];
	start = to->len;
	if (start > 0 || to == &parts->files)
		buf_add_char(to, ',');
	if (!session_form_write(row->form, parts->value, to)) {
		to->len = start;
		return false;
	}
	parts->parts++;
	parts->count += row->place == SESSION_IN_PARTS;
	parts->is_text = part == SESSION_TEXT;
	return true;
}

void
session_parts_set_thought(struct session_parts *parts, struct json_value value)
{
	static const struct str kept[] = {STR_INIT("x_gemini"), STR_INIT("x_gemini_cli")};

	parts->value[SESSION_thought] = (struct str){NULL, 0};
	for (unsigned i = 0; i < 2 && parts->value[SESSION_thought].ptr == NULL; i++)
		set_string(parts, SESSION_thought,
		    json_find(json_find(value, kept[i]), STR("thoughtSignature")));
}

/* Adds a text, or a refusal where the form has a place for one. */
static void
add_said(struct session_parts *parts, struct json_value string, enum session_form_part part)
{
	if (string.type != JSON_STRING || string.len == 2 ||
	    (parts->role != ROLE_TOOL && json_is_blank(string)))
		return;
	if (parts->role != ROLE_ASSISTANT) {
		buf_add_str(&parts->flat, parts->flat.len > 1 ? STR("\\n") : STR(""));
		buf_add_str(&parts->flat, json_inner(string));
	}
	set_string(parts, SESSION_text, string);
	if (!is_in_result(parts))
		session_parts_add(
		    parts, parts->form->part[part].form != NULL ? part : SESSION_TEXT);
}

void
session_parts_add_refusal(struct session_parts *parts, struct json_value string)
{
	session_parts_set_thought(parts, json_absent);
	add_said(parts, string, SESSION_REFUSAL);
}

void
session_parts_add_thinking(struct session_parts *parts, struct json_value string)
{
	if (string.type != JSON_STRING || json_is_blank(string))
		return;
	set_string(parts, SESSION_text, string);
	session_parts_set_thought(parts, json_absent);
	parts->value[SESSION_signature] = parts->value[SESSION_sealed] = (struct str){NULL, 0};
	if (parts->role != ROLE_ASSISTANT || !session_parts_add(parts, SESSION_THINKING))
		tally_add(parts->dropped, STR("reasoning_content"));
}

/* A string member of the value, or of its member x_FORMAT under another name. */
static struct json_value
find_kept(struct json_value value, struct str name, struct str format, struct str other)
{
	struct json_value found = json_find(value, name);

	return found.type == JSON_STRING ? found : json_find(json_find(value, format), other);
}

static void
add_thought(struct session_parts *parts, const struct part *part)
{
	const struct str sealed = STR_INIT("encrypted_content");
	struct json_value value = part->value, text = json_find(value, STR("thinking"));
	bool has_text;

	if (text.type != JSON_STRING)
		text = text_part_find(part);
	has_text = text.type == JSON_STRING && !json_is_blank(text);
	set_string(parts, SESSION_text, text);
	set_string(parts, SESSION_data, json_find(value, STR("data")));
	set_string(parts, SESSION_signature,
	    find_kept(value, STR("signature"), STR("x_pi"), STR("thinkingSignature")));
	set_string(parts, SESSION_sealed, find_kept(value, sealed, STR("x_codex"), sealed));
	if (parts->value[SESSION_sealed].ptr == NULL)
		set_string(
		    parts, SESSION_sealed, json_find(json_find(value, STR("x_responses")), sealed));
	parts->value[SESSION_raw] = json_span(value);
	if (parts->role != ROLE_ASSISTANT ||
	    !session_parts_add(parts, has_text ? SESSION_THINKING : SESSION_REDACTED))
		text_part_drop(part, parts->dropped);
}

/* Sets the values of a source in Anthropic's spelling. */
static void
set_source(struct session_parts *parts, struct json_value source)
{
	struct json_value mime = json_find(source, STR("media_type"));
	struct json_value data = json_find(source, STR("data"));

	parts->value[SESSION_source] = json_span(source);
	parts->value[SESSION_inlined] = (struct str){NULL, 0};
	/* The data of a text is no base64. */
	if (json_has_type(source, STR("text")))
		data.type = JSON_ABSENT;
	set_string(parts, SESSION_mime, mime);
	set_string(parts, SESSION_data, data);
	set_string(parts, SESSION_url, json_find(source, STR("url")));
	if (mime.type != JSON_STRING || data.type != JSON_STRING)
		return;
	buf_set(&parts->url, STR("\"data:"));
	buf_add_str(&parts->url, json_inner(mime));
	buf_add_str(&parts->url, STR(";base64,"));
	buf_add_str(&parts->url, json_inner(data));
	buf_add_char(&parts->url, '"');
	parts->value[SESSION_url] = parts->value[SESSION_inlined] = buf_str(&parts->url);
}

/* Adds an image or a document. Returns false if the part is neither, or has no place. */
static bool
add_medium(struct session_parts *parts, struct json_value value)
{
	struct json_value source = json_find(value, STR("source"));

	if (parts->role == ROLE_ASSISTANT || parts->no_files)
		return false;
	if (source.type != JSON_OBJECT) {
		buf_reset(&parts->medium);
		if (!media_to_anthropic(value, &parts->medium))
			return false;
		buf_pad(&parts->medium);
		value = json_value_at(parts->medium.ptr);
		source = json_find(value, STR("source"));
	}
	set_source(parts, source);
	return session_parts_add(
		   parts, json_has_type(value, STR("image")) ? SESSION_IMAGE : SESSION_DOCUMENT) ||
	    session_parts_add(parts, SESSION_LINK);
}

/* Adds the text of a document, if it is text. */
static bool
add_document_text(struct session_parts *parts, struct json_value value)
{
	buf_reset(&parts->scratch);
	if (parts->role == ROLE_ASSISTANT || !media_text(value, &parts->scratch))
		return false;
	buf_pad(&parts->scratch);
	add_said(parts, json_value_at(parts->scratch.ptr), SESSION_TEXT);
	return true;
}

/* Adds a part that only the provider of the form makes, as it is. */
static bool
add_own(struct session_parts *parts, struct json_value value)
{
	if (parts->form->is_own == NULL || is_in_result(parts) || !parts->form->is_own(value))
		return false;
	parts->value[SESSION_raw] = json_span(value);
	return session_parts_add(parts, SESSION_OWN);
}

static void
add_part(struct session_parts *parts, struct json_value value)
{
	struct json_value text;
	struct part part;

	part_read(value, &part);
	session_parts_set_thought(parts, value);
	if (part_is_thinking(&part) || part.kind == PART_REASONING) {
		add_thought(parts, &part);
	} else if (part.kind == PART_TEXT || part.kind == PART_REFUSAL) {
		add_said(parts, text_part_find(&part),
		    part.kind == PART_TEXT ? SESSION_TEXT : SESSION_REFUSAL);
	} else if (!add_own(parts, value) && (!part_is_media(&part) || !add_medium(parts, value)) &&
	    !add_document_text(parts, value)) {
		text = text_part_find(&part);
		if (text.type == JSON_STRING && !part_is_media(&part)) {
			add_said(parts, text, SESSION_TEXT);
			return;
		}
		buf_reset(&parts->scratch);
		text_part_add_name(&parts->scratch, &part, parts->dropped);
		if (parts->scratch.len == 0)
			return;
		buf_pad(&parts->scratch);
		add_said(parts, json_value_at(text_part_string(buf_str(&parts->scratch)).ptr),
		    SESSION_TEXT);
	}
}

void
session_parts_add_content(struct session_parts *parts, struct json_value content)
{
	session_parts_set_thought(parts, json_absent);
	if (content.type == JSON_STRING) {
		add_said(parts, content, SESSION_TEXT);
		return;
	}
	if (content.type > JSON_NULL && content.type != JSON_ARRAY) {
		buf_reset(&parts->scratch);
		json_write_string(&parts->scratch, json_span(content));
		buf_pad(&parts->scratch);
		add_said(parts, json_value_at(parts->scratch.ptr), SESSION_TEXT);
		return;
	}
	for (struct json_walk walk = json_walk_list(content); json_walk_next(&walk);)
		add_part(parts, walk.value);
}

bool
session_parts_is_command(struct session_parts *parts)
{
	int first;

	if (parts->form->commands == NULL || parts->role != ROLE_USER)
		return false;
	buf_set(&parts->scratch, buf_str(&parts->flat));
	buf_add_char(&parts->scratch, '"');
	first = json_first_byte(json_written(&parts->scratch, 0));
	return first > 0 && strchr(parts->form->commands, first) != NULL;
}

void
session_parts_set_output(struct session_parts *parts)
{
	struct buf *list = &parts->scratch;

	buf_add_char(&parts->flat, '"');
	parts->value[SESSION_flat] = parts->value[SESSION_output] = buf_str(&parts->flat);
	parts->value[SESSION_more_files] = session_parts_list(&parts->files);
	parts->value[SESSION_files] =
	    str_rest(parts->value[SESSION_more_files], parts->files.len > 0);
	parts->value[SESSION_filed] =
	    parts->files.len > 0 ? parts->value[SESSION_files] : (struct str){NULL, 0};
	parts->value[SESSION_parts] = session_parts_list(&parts->list[SESSION_IN_PARTS]);
	if (parts->count == 0 || (parts->count == 1 && parts->is_text))
		return;
	buf_set(list, STR("["));
	buf_add_str(list, parts->value[SESSION_parts]);
	buf_add_char(list, ']');
	parts->value[SESSION_output] = buf_str(list);
}

bool
session_parts_says_failure(struct session_parts *parts, bool is_failed)
{
	if (parts->form->says_failure == NULL)
		return is_failed;
	buf_set(&parts->medium, parts->value[SESSION_output]);
	buf_pad(&parts->medium);
	return parts->form->says_failure(json_value_at(parts->medium.ptr));
}

void
session_parts_free(struct session_parts *parts)
{
	for (unsigned i = 0; i < SESSION_PLACE_COUNT; i++)
		buf_free(&parts->list[i]);
	buf_free(&parts->flat);
	buf_free(&parts->files);
	buf_free(&parts->scratch);
	buf_free(&parts->medium);
	buf_free(&parts->url);
	buf_free(&parts->number);
}
