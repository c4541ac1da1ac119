#include "policy/redact/redact.h"

#include <stdlib.h>

#include "base/mem.h"
#include "json/place.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"
#include "policy/secret/assignment.h"
#include "policy/redact/member.h"
#include "policy/redact/pointer.h"
#include "policy/redact/rule_set.h"
#include "policy/redact/stand_in.h"
#include "policy/secret/label.h"
#include "policy/secret/person.h"

/* Strings that are JSON are opened to the depth LAYERS, and then are text. */
enum { LAYERS = 8 };

/*
 * A text that is walked: the record, or the JSON that a string of the layer below is.
 *
 *     layer 0   {"arguments":"{\"command\":\"...\"}"}
 *     layer 1                 {"command":"..."}         decoded into layer[0].text
 */
struct layer {
	struct json_leaves leaves;
	struct buf text;         /* the decoded string at hand, if it has escapes */
	const char *decoded;     /* where the decoded string at hand is */
	struct json_place place; /* in the string at hand */
	struct label_list labels;
	bool asks;     /* the name at hand asks for a secret, as far as a hint says */
	bool is_given; /* the text is what a tool was given or gave, for stand_in.h */
};

struct redact_state {
	struct rule_set rules;
	struct layer layer[LAYERS];
	struct json_edit *edit;
	struct buf tell, stand_in;
	uint64_t line;
	uint64_t walks;
	bool is_result; /* the record is a message of role tool */
	bool is_custom; /* the record is one of an extension, for stand_in.h */
};

void
redact_init(struct redact *redact, unsigned kinds)
{
	*redact = (struct redact){.kinds = kinds, .rule_count = rules_built_in()};
	redact->counts = mem_alloc(redact->rule_count + RULE_PATTERNS_MAX, sizeof *redact->counts);
	memset(
	    redact->counts, 0, (redact->rule_count + RULE_PATTERNS_MAX) * sizeof *redact->counts);
	redact->state = mem_alloc(1, sizeof *redact->state);
	memset(redact->state, 0, sizeof *redact->state);
	rule_set_init(&redact->state->rules, kinds);
}

void
redact_reset(struct redact *redact)
{
	redact->sanitized = 0;
	memset(redact->counts, 0, redact->rule_count * sizeof *redact->counts);
}

bool
redact_add_pattern(struct redact *redact, const char *text, struct buf *message)
{
	bool is_added = rule_set_add(&redact->state->rules, text, message);

	redact->rule_count += is_added;
	return is_added;
}

struct str
redact_name(const struct redact *redact, unsigned rule)
{
	return rule_set_name(&redact->state->rules, rule);
}

/* The place in the record of the byte at p of the decoded string at this depth. */
static const char *
place_in_record(struct redact_state *state, unsigned depth, const char *p)
{
	for (;; depth--) {
		struct layer *layer = &state->layer[depth];

		p = json_place_find(&layer->place, (size_t)(p - layer->decoded));
		if (depth == 0)
			return p;
	}
}

static void
tell(struct redact *redact, unsigned depth, unsigned rule)
{
	struct redact_state *state = redact->state;
	struct json_writer w;
	struct buf path = BUF_INIT;

	if (redact->tell == NULL)
		return;
	for (unsigned i = 0; i <= depth; i++)
		pointer_add(&path, &state->layer[i].leaves, &state->rules);
	buf_reset(&state->tell);
	json_begin(&w, &state->tell, '{');
	json_member_integer(&w, STR("line"), (int64_t)state->line);
	json_member_string(&w, STR("path"), buf_str(&path));
	json_member_string(&w, STR("rule"), redact_name(redact, rule));
	json_close(&w);
	buf_add_char(&state->tell, '\n');
	redact->tell(redact->owner, buf_str(&state->tell));
	buf_free(&path);
}

/* The string at hand of a layer. */
struct found_place {
	struct redact *redact;
	unsigned depth;
};

static void
replace(void *context, const struct search_found *found)
{
	const struct found_place *place = context;
	struct redact *redact = place->redact;
	struct redact_state *state = redact->state;
	unsigned depth = place->depth;
	const char *start = place_in_record(state, depth, found->start);
	const char *end = place_in_record(state, depth, found->end);

	json_edit_replace(state->edit, str_of(start, (size_t)(end - start)),
	    json_edit_keep(state->edit, rule_set_mark(&state->rules, found->rule)));
	redact->counts[found->rule]++;
	tell(redact, depth, found->rule);
}

/* The decoded text of the string at hand, which other strings of the layer may overwrite. */
static struct str
decode(struct layer *layer, struct json_value string)
{
	struct str text = json_text(string, &layer->text);

	if (string.escaped)
		buf_pad(&layer->text);
	layer->decoded = text.ptr;
	json_place_open(&layer->place, string);
	return text;
}

/* Whether the text is JSON that has strings. */
static bool
is_json(struct str text)
{
	struct json_scan scan;
	struct str trimmed = str_trim(text);

	return trimmed.len > 2 && strchr("{[\"", *trimmed.ptr) != NULL &&
	    json_scan(text, NULL, &scan);
}

/* What asks for the value at hand: a label beside it, or the name of its member. Absent when
 * nothing does, as far as a hint says. */
static struct json_value
find_name(struct redact *redact, const struct layer *layer)
{
	struct json_value label = json_absent;

	if ((redact->kinds & RULE_SECRETS) == 0)
		return label;
	label = label_find(&layer->labels, &layer->leaves);
	if (label.type == JSON_STRING &&
	    finder_hints(&redact->state->rules.finder, json_inner(label)))
		return label;
	label = json_leaves_name(&layer->leaves);
	label.type = layer->asks ? label.type : JSON_ABSENT;
	return label;
}

/* Whether the name is one of a secret, and the text may be that secret. */
static bool
is_asked_for(struct json_value name, struct str text, struct search_found *found)
{
	struct buf buf = BUF_INIT;
	bool is_found = name.type == JSON_STRING && text.len > 0 &&
	    assignment_match_member(json_text(name, &buf), text, found);

	buf_free(&buf);
	return is_found;
}

static void walk(struct redact *redact, unsigned depth, struct str text);

/* Replaces the whole text at hand by its stand-in, unless the text stays. */
static void
sanitize(struct redact *redact, unsigned depth, bool is_name)
{
	struct redact_state *state = redact->state;
	struct layer *layer = &state->layer[depth];
	bool is_given = layer->is_given ||
	    (!is_name && stand_in_is_given(&layer->leaves, depth == 0 && state->is_custom));
	struct str text = decode(layer, layer->leaves.value);
	const char *start, *end;

	if (!is_name && !is_given && depth + 1 < LAYERS && is_json(text) &&
	    stand_in_opens(&layer->leaves, text, &layer[1].is_given)) {
		walk(redact, depth + 1, text);
		return;
	}
	if (!stand_in_write(&layer->leaves, text, is_name, is_given, &state->stand_in))
		return;
	start = place_in_record(state, depth, text.ptr);
	end = place_in_record(state, depth, text.ptr + text.len);
	json_edit_replace(state->edit, str_of(start, (size_t)(end - start)),
	    json_edit_keep(state->edit, buf_str(&state->stand_in)));
	redact->sanitized++;
}

static void
take_string(struct redact *redact, unsigned depth, bool is_name)
{
	struct redact_state *state = redact->state;
	struct layer *layer = &state->layer[depth];
	struct json_value string = layer->leaves.value;
	bool is_hinted = finder_hints(&state->rules.finder, json_inner(string));
	struct found_place place = {redact, depth};
	struct json_value name = json_absent;
	struct search_found found;
	struct str text;

	if (is_name)
		layer->asks = is_hinted;
	else
		name = find_name(redact, layer);
	if (!is_name)
		label_note(&layer->labels, &layer->leaves);
	if (!is_hinted && name.type == JSON_ABSENT && state->rules.pattern_count == 0)
		return;
	if (!is_name && member_keeps(&layer->leaves, depth > 0, state->is_result))
		return;
	text = decode(layer, string);
	if (is_asked_for(name, text, &found)) {
		replace(&place, &found);
		return;
	}
	if (depth + 1 < LAYERS && is_json(text))
		walk(redact, depth + 1, text);
	else
		rule_set_find(&state->rules, text, replace, &place);
}

/* Replaces the number at hand. The mark is a string, whose quotes are escaped once for each string
 * that the number is in. */
static void
replace_number(struct redact *redact, unsigned depth, unsigned rule)
{
	struct redact_state *state = redact->state;
	struct json_value value = state->layer[depth].leaves.value;
	const char *start = value.ptr, *end = value.ptr + value.len;
	struct buf quoted = BUF_INIT;

	if (depth > 0) {
		start = place_in_record(state, depth - 1, start);
		end = place_in_record(state, depth - 1, end);
	}
	for (unsigned side = 0; side < 2; side++) {
		if (side == 1)
			buf_add_str(&quoted, rule_set_mark(&state->rules, rule));
		for (unsigned i = 1; i < 1u << depth; i++)
			buf_add_char(&quoted, '\\');
		buf_add_char(&quoted, '"');
	}
	json_edit_replace(state->edit, str_of(start, (size_t)(end - start)),
	    json_edit_keep(state->edit, buf_str(&quoted)));
	buf_free(&quoted);
	redact->counts[rule]++;
	tell(redact, depth, rule);
}

/* A password may be a number, and so may a card. */
static void
take_number(struct redact *redact, unsigned depth)
{
	struct layer *layer = &redact->state->layer[depth];
	struct str number = json_span(layer->leaves.value);
	struct search text;
	struct search_found found;

	if (is_asked_for(find_name(redact, layer), number, &found) &&
	    found.rule == rule_coded(RULE_PASSWORD)) {
		replace_number(redact, depth, found.rule);
		return;
	}
	search_open(&text, number.ptr, number.ptr + number.len);
	if ((redact->kinds & RULE_PII) != 0 && person_hint_card(number.ptr) &&
	    person_match_card(&text, number.ptr, &found) && found.end == text.end)
		replace_number(redact, depth, found.rule);
}

static void
walk(struct redact *redact, unsigned depth, struct str text)
{
	struct layer *layer = &redact->state->layer[depth];
	void (*take)(struct redact *, unsigned, bool) = redact->sanitizes ? sanitize : take_string;
	enum json_leaf leaf;

	json_leaves_open(&layer->leaves, text);
	label_open(&layer->labels, ++redact->state->walks);
	layer->asks = false;
	for (;;)
		switch (leaf = json_leaves_next(&layer->leaves)) {
		case JSON_LEAF_END:
			return;
		case JSON_LEAF_NAME:
		case JSON_LEAF_STRING:
			take(redact, depth, leaf == JSON_LEAF_NAME);
			break;
		case JSON_LEAF_NUMBER:
			if (!redact->sanitizes)
				take_number(redact, depth);
			break;
		}
}

bool
redact_record(struct redact *redact, struct str text, uint64_t line, struct json_edit *edit)
{
	struct redact_state *state = redact->state;
	struct json_value record;

	if (!redact->sanitizes && state->rules.pattern_count == 0 &&
	    !finder_hints(&state->rules.finder, text))
		return false;
	state->edit = edit;
	state->line = line;
	record = json_value_at(str_trim(text).ptr);
	state->is_result = json_is(json_find(record, STR("role")), STR("tool"));
	state->is_custom = json_has_type(record, STR("custom"));
	walk(redact, 0, text);
	return edit->count > 0;
}

void
redact_free(struct redact *redact)
{
	struct redact_state *state = redact->state;

	for (unsigned i = 0; i < LAYERS; i++)
		buf_free(&state->layer[i].text);
	rule_set_free(&state->rules);
	buf_free(&state->tell);
	buf_free(&state->stand_in);
	free(state);
	free(redact->counts);
}
