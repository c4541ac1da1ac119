#include "policy/redact/redact.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/place.h"
#include "json/scan.h"
#include "json/string.h"
#include "json/members.h"
#include "json/write.h"
#include "policy/secret/assignment.h"
#include "policy/redact/finder.h"
#include "policy/redact/folded.h"
#include "policy/secret/label.h"
#include "policy/redact/member.h"
#include "policy/redact/pointer.h"
#include "policy/redact/pattern.h"
#include "policy/secret/person.h"

/* Strings that are JSON are opened to the depth LAYERS, and then are text. What stands in front of
 * a find is searched again, and so on, AGAIN times. */
enum { LAYERS = 8, AGAIN = 8 };

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
	bool asks; /* the name at hand asks for a secret, as far as a hint says */
};

struct redact_state {
	struct finder finder;
	struct pattern *pattern;
	unsigned pattern_count, pattern_cap;
	struct layer layer[LAYERS];
	struct folded folded; /* the part of the string at hand that is searched */
	struct json_edit *edit;
	struct buf mark, tell;
	uint64_t line;
	uint64_t walks;
	bool is_result; /* the record is a message of role tool */
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
	finder_init(&redact->state->finder, kinds);
}

void
redact_reset(struct redact *redact)
{
	memset(redact->counts, 0, redact->rule_count * sizeof *redact->counts);
}

bool
redact_add_pattern(struct redact *redact, const char *text, struct buf *message)
{
	struct redact_state *state = redact->state;
	struct pattern pattern;

	if (!pattern_parse(&pattern, text, message))
		return false;
	for (unsigned i = 0; i < state->pattern_count; i++)
		if (str_eq(state->pattern[i].name, pattern.name))
			buf_add_str(message, STR("the name is taken"));
	if (message->len > 0 || state->pattern_count == RULE_PATTERNS_MAX) {
		pattern_free(&pattern);
		return false;
	}
	LIST_ROOM(state->pattern, state->pattern_count, state->pattern_cap);
	state->pattern[state->pattern_count++] = pattern;
	redact->rule_count++;
	return true;
}

struct str
redact_name(const struct redact *redact, unsigned rule)
{
	unsigned built_in = rules_built_in();

	return rule < built_in ? rule_name(rule) : redact->state->pattern[rule - built_in].name;
}

/* The mark of the rule, valid until the next one. */
static struct str
make_mark(struct redact *redact, unsigned rule)
{
	struct buf *mark = &redact->state->mark;

	buf_reset(mark);
	buf_add_str(mark, STR("[REDACTED:"));
	buf_add_str(mark, redact_name(redact, rule));
	buf_add_char(mark, ']');
	return buf_str(mark);
}

/* The end of the mark at p, of a rule of this run; NULL when there is none. */
static const char *
mark_end(const struct redact *redact, const char *p, const char *end)
{
	static const struct str head = STR_INIT("[REDACTED:");
	struct str name;

	if (!str_has_prefix(str_of(p, (size_t)(end - p)), head))
		return NULL;
	name.ptr = p += head.len;
	while (p < end && alphabet_has(ALPHABET_DOTTED, *p))
		p++;
	name.len = (size_t)(p - name.ptr);
	if (p == end || *p != ']')
		return NULL;
	for (unsigned rule = 0; rule < redact->rule_count; rule++)
		if (str_eq(name, redact_name(redact, rule)))
			return p + 1;
	return NULL;
}

/* Where a byte of the decoded string at hand of a layer stands in the record. */
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
		pointer_add(&path, &state->layer[i].leaves, &state->finder, state->pattern,
		    state->pattern_count);
	buf_reset(&state->tell);
	json_writer_init(&w, &state->tell);
	json_open(&w, '{');
	json_member_integer(&w, STR("line"), (int64_t)state->line);
	json_member_string(&w, STR("path"), buf_str(&path));
	json_member_string(&w, STR("rule"), redact_name(redact, rule));
	json_close(&w);
	buf_add_char(&state->tell, '\n');
	redact->tell(redact->owner, buf_str(&state->tell));
	buf_free(&path);
}

/* Replaces what was found in the string at hand of the layer. */
static void
replace(struct redact *redact, unsigned depth, const struct search_found *found)
{
	struct redact_state *state = redact->state;
	const char *start = place_in_record(state, depth, found->start);
	const char *end = place_in_record(state, depth, found->end);

	json_edit_replace(state->edit, str_of(start, (size_t)(end - start)),
	    json_edit_keep(state->edit, make_mark(redact, found->rule)));
	redact->counts[found->rule]++;
	tell(redact, depth, found->rule);
}

/* Finds by the rules built in, in a part of the string that has no mark and no match. What stands
 * in front of a find is searched again as a text that ends there, as a second run does: so
 * "+49 30 1234567 (415) 555-0132" is two numbers, though it is none by itself. */
static void
find_again(
    struct redact *redact, unsigned depth, const char *start, const char *end, unsigned again)
{
	struct folded *folded = &redact->state->folded;
	struct search text;
	struct search_found found;
	struct str origin;

	search_open(&text, start, end);
	while (finder_next(&redact->state->finder, &text, &found)) {
		if (again > 0)
			find_again(redact, depth, start, found.start, again - 1);
		start = found.end;
		origin = folded_origin(folded, found.start, found.end);
		found.start = origin.ptr;
		found.end = origin.ptr + origin.len;
		replace(redact, depth, &found);
	}
}

static void
find_built_in(struct redact *redact, unsigned depth, const char *start, const char *end)
{
	struct folded *folded = &redact->state->folded;

	folded_open(folded, str_of(start, (size_t)(end - start)));
	find_again(redact, depth, folded->text.ptr, folded->text.ptr + folded->text.len, AGAIN);
}

/* A part of the string: whether a line begins and ends with it. */
struct piece {
	const char *start, *end;
	bool before, behind;
};

/* Finds by the patterns from number on, each in what the ones before it left. */
static void
find_patterns(struct redact *redact, unsigned depth, unsigned number, struct piece piece)
{
	struct redact_state *state = redact->state;
	struct search_found found;
	struct piece left = piece;

	if (number == state->pattern_count) {
		find_built_in(redact, depth, piece.start, piece.end);
		return;
	}
	found.rule = rules_built_in() + number;
	while (pattern_next(
	    &state->pattern[number], &found, left.start, left.end, left.before, left.behind)) {
		struct piece first = {left.start, found.start, left.before, false};

		find_patterns(redact, depth, number + 1, first);
		replace(redact, depth, &found);
		left.start = found.end;
		left.before = false;
	}
	find_patterns(redact, depth, number + 1, left);
}

/* Finds in the string at hand, part by part between the marks that stand there. */
static void
find_all(struct redact *redact, unsigned depth, struct str text)
{
	struct piece piece = {text.ptr, text.ptr + text.len, true, true};
	const char *end = piece.end;

	for (const char *p = piece.start;;) {
		const char *mark = str_find(str_of(p, (size_t)(end - p)), STR("[REDACTED:"));
		const char *behind = mark != NULL ? mark_end(redact, mark, end) : NULL;

		if (mark != NULL && behind == NULL) {
			p = mark + 1;
			continue;
		}
		if (mark == NULL) {
			find_patterns(redact, depth, 0, piece);
			return;
		}
		piece.end = mark;
		piece.behind = false;
		find_patterns(redact, depth, 0, piece);
		piece = (struct piece){behind, end, false, true};
		p = behind;
	}
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
	struct json_value label = {.type = JSON_ABSENT};

	if ((redact->kinds & RULE_SECRETS) == 0)
		return label;
	label = label_find(&layer->labels, &layer->leaves);
	if (label.type == JSON_STRING && finder_hints(&redact->state->finder, json_inner(label)))
		return label;
	label = json_leaves_name(&layer->leaves);
	label.type = layer->asks ? label.type : JSON_ABSENT;
	return label;
}

/* Whether the text is what a name that asks for a secret asks for. */
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

static void
take_string(struct redact *redact, unsigned depth, bool is_name)
{
	struct redact_state *state = redact->state;
	struct layer *layer = &state->layer[depth];
	struct json_value string = layer->leaves.value;
	bool is_hinted = finder_hints(&state->finder, json_inner(string));
	struct json_value name = {.type = JSON_ABSENT};
	struct search_found found;
	struct str text;

	if (is_name)
		layer->asks = is_hinted;
	else
		name = find_name(redact, layer);
	if (!is_name)
		label_note(&layer->labels, &layer->leaves);
	if (!is_hinted && name.type == JSON_ABSENT && state->pattern_count == 0)
		return;
	if (!is_name && member_keeps(&layer->leaves, depth > 0, state->is_result))
		return;
	text = decode(layer, string);
	if (is_asked_for(name, text, &found)) {
		replace(redact, depth, &found);
		return;
	}
	if (depth + 1 < LAYERS && is_json(text))
		walk(redact, depth + 1, text);
	else
		find_all(redact, depth, text);
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
			buf_add_str(&quoted, make_mark(redact, rule));
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

	json_leaves_open(&layer->leaves, text);
	label_open(&layer->labels, ++redact->state->walks);
	layer->asks = false;
	for (;;)
		switch (json_leaves_next(&layer->leaves)) {
		case JSON_LEAF_END:
			return;
		case JSON_LEAF_NAME:
			take_string(redact, depth, true);
			break;
		case JSON_LEAF_STRING:
			take_string(redact, depth, false);
			break;
		case JSON_LEAF_NUMBER:
			take_number(redact, depth);
			break;
		}
}

bool
redact_record(struct redact *redact, struct str text, uint64_t line, struct json_edit *edit)
{
	struct redact_state *state = redact->state;
	struct json_value record;

	if (state->pattern_count == 0 && !finder_hints(&state->finder, text))
		return false;
	state->edit = edit;
	state->line = line;
	record = json_value_at(str_trim(text).ptr);
	state->is_result = json_is(json_find(record, STR("role")), STR("tool"));
	walk(redact, 0, text);
	return edit->count > 0;
}

void
redact_free(struct redact *redact)
{
	struct redact_state *state = redact->state;

	for (unsigned i = 0; i < state->pattern_count; i++)
		pattern_free(&state->pattern[i]);
	for (unsigned i = 0; i < LAYERS; i++)
		buf_free(&state->layer[i].text);
	folded_free(&state->folded);
	buf_free(&state->mark);
	buf_free(&state->tell);
	free(state->pattern);
	free(state);
	free(redact->counts);
}
