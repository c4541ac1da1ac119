#include "policy/digest/digest.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text/text.h"
#include "base/text/visible.h"
#include "policy/constraints/constraints.h"
#include "policy/digest/section.h"
#include "policy/facts/facts_text.h"
#include "policy/outline/outline_text.h"
#include "policy/outline/outline_told.h"
#include "policy/text/cut.h"

enum {
	ITEM_LEAST = 60,     /* no item begins with less room */
	STARTS_LEAST = 1000, /* room from which goal and latest request are shown */
	COUNT_LINE = 48,     /* that says how many messages have no symbol */
};

/* What is written, and where. */
struct writer {
	struct gather *gather;
	const struct facts *facts;
	size_t room;
	size_t rules;    /* the room of rules */
	size_t share;    /* whose parts are written */
	size_t start;    /* where the counted text starts, in text */
	struct map told; /* the rules that are written */
	struct buf *text;
};

static size_t
room_left(const struct writer *w)
{
	size_t taken = w->text->len - w->start;

	return taken < w->room ? w->room - taken : 0;
}

/* Appends a text whose lines are indented under its first one. Control characters are made visible,
 * so that no text forges lines. */
static void
add_indented(struct str text, struct buf *out)
{
	const char *p = text.ptr, *end = text.ptr + text.len;
	char shown[VISIBLE_MAX];

	while (p < end) {
		if (*p != '\n' && *p != '\t') {
			buf_add(out, shown, visible_next(&p, end, shown));
			continue;
		}
		buf_add_str(out, *p == '\n' ? STR("\n  ") : STR("\t"));
		p++;
	}
}

/* Appends a thing; the first one follows the title. start: where the section starts. */
static void
add_item(const struct section *section, size_t start, struct str item, struct buf *out)
{
	if (out->len == start)
		buf_add_fmt(out, "\n%s:", section->title);
	buf_add_str(out, STR("\n- "));
	add_indented(item, out);
}

static void
add_newest(const struct section *section, const struct things *list, size_t room, struct buf *out)
{
	size_t start = out->len;

	for (uint32_t i = list->used; i-- > 0 && out->len - start + ITEM_LEAST <= room;) {
		struct str item = list->item[i];
		size_t left = room - (out->len - start), begin, end;

		if (item.len == 0)
			continue;
		if (item.len <= left) {
			add_item(section, start, item, out);
			continue;
		}
		cut_find(item, left / 2, left / 4, false, &begin, &end);
		add_item(section, start, str_of(item.ptr, begin), out);
		buf_add_str(out, STR(" […] "));
		add_indented(str_of(item.ptr + end, item.len - end), out);
	}
}

static void
add_first(const struct section *section, const struct things *list, size_t room, struct buf *out)
{
	size_t start = out->len;

	for (uint32_t i = 0; i < list->used; i++)
		if (list->item[i].len > 0 && out->len - start + list->item[i].len + 3 <= room)
			add_item(section, start, list->item[i], out);
}

enum { RULE_STRICT = 1, RULE_CHOSEN = 2 };

/* Chooses the newest constraints that there is room for. Returns the bytes that they take. */
static size_t
choose_constraints(const struct things *list, unsigned strict, size_t room, uint8_t *rule)
{
	enum { AROUND = 3 }; /* bytes around a constraint */
	size_t taken = 0;

	for (uint32_t i = list->used; i-- > 0;) {
		size_t len = list->item[i].len + AROUND;

		if (len == AROUND || (rule[i] & RULE_STRICT) != strict || len > room - taken)
			continue;
		rule[i] |= RULE_CHOSEN;
		taken += len;
	}
	return taken;
}

/* What is known of each constraint, by item; nothing is chosen. */
static uint8_t *
rules_of(struct writer *w, const struct things *list)
{
	struct gather *gather = w->gather;
	struct phrases *own = w->facts->constraints.own;

	if (gather->rule == NULL) {
		gather->rule = mem_alloc((size_t)list->used + 1, sizeof *gather->rule);
		for (uint32_t i = 0; i < list->used; i++)
			gather->rule[i] =
			    list->item[i].len > 0 && constraints_is_strict(list->item[i], own);
	}
	for (uint32_t i = 0; i < list->used; i++)
		gather->rule[i] &= RULE_STRICT;
	return gather->rule;
}

/* Strict rules get room first, of these the newest; they are written in their order. */
static void
add_rules(struct writer *w, const struct section *section, const struct things *list)
{
	bool all = list->json_len <= w->rules;
	uint8_t *rule = all || w->rules == 0 ? NULL : rules_of(w, list);
	size_t start = w->text->len;

	if (rule != NULL) {
		w->rules -= choose_constraints(list, RULE_STRICT, w->rules, rule);
		w->rules -= choose_constraints(list, 0, w->rules, rule);
	} else {
		w->rules -= all ? list->json_len : 0;
	}
	for (uint32_t i = 0; i < list->used; i++) {
		if (list->item[i].len == 0 ||
		    !(all || (rule != NULL && (rule[i] & RULE_CHOSEN) != 0)))
			continue;
		add_item(section, start, list->item[i], w->text);
		outline_told_add(&w->told, list->item[i]);
	}
}

/* The text of a command is whole, and takes none of the room. */
static void
add_text(struct writer *w, const struct section *section, const struct things *list, size_t room)
{
	size_t start = w->text->len;

	if (!w->gather->is_told) {
		add_newest(section, list, room, w->text);
		return;
	}
	buf_add_str(w->text, STR("\nSummary:\n  "));
	add_indented(list->item[list->used - 1], w->text);
	w->start += w->text->len - start;
}

static void
add_start(struct writer *w, const struct section *section, const struct things *list)
{
	if (list->count == 0 || w->room < STARTS_LEAST)
		return;
	buf_add_fmt(w->text, "\n%s: ", section->title);
	text_add_visible(w->text, list->item[list->used - 1]);
}

/* The names share one room; a few files show the subject of the work. */
static void
add_names(struct writer *w)
{
	enum { FILES_LEAST = 200, FILES_PART = 32 };
	bool has_failed = w->facts->list[FACTS_UNRESOLVED].count > 0;
	size_t files = w->share / FILES_PART;

	if (w->gather->view == GATHER_NAMES)
		facts_text_write(w->facts, w->room, w->room, w->text);
	else
		facts_text_write(w->facts,
		    w->gather->view == GATHER_DIGEST && has_failed ? w->share / 2 : w->share / 4,
		    files > FILES_LEAST ? files : FILES_LEAST, w->text);
}

/* The symbols of a command, the newest others for which there is room, and how many messages have
 * none. */
static void
add_symbols(struct writer *w)
{
	struct gather *gather = w->gather;
	uint64_t dropped = w->facts->dropped;
	size_t room = room_left(w);
	uint32_t shown = gather->told_symbols;

	room -= room < COUNT_LINE ? room : COUNT_LINE;
	while (shown < gather->symbols && gather->symbol[shown].len + 1 <= room)
		room -= gather->symbol[shown++].len + 1;
	if (shown < dropped) {
		buf_add_str(w->text, STR("\n["));
		number_write_grouped(w->text, dropped - shown);
		buf_add_str(w->text,
		    dropped - shown == 1 ? STR(" older one has no line]") :
					   STR(" older ones have no line]"));
	}
	for (uint32_t i = shown; i-- > 0;) {
		buf_add_char(w->text, '\n');
		text_add_visible(w->text, gather->symbol[i]);
	}
	gather->lines = shown;
}

static void
add_outline(struct writer *w, const struct section *section)
{
	size_t room = room_left(w);

	if (room <= ITEM_LEAST)
		return;
	buf_add_fmt(w->text, "\n%s:", section->title);
	w->gather->lines = outline_text_write(&w->gather->outline, &w->told, room, w->text);
}

static void
add_section(struct writer *w, enum facts_section id)
{
	const struct section *section = &section_table[id];
	const struct things *list = section->gather != NULL && w->gather->is_open ?
	    &w->gather->list[id] :
	    &w->facts->list[id];
	size_t room = section->part > 0 ? w->share / section->part : 0;

	switch ((enum section_form)section->form) {
	case SECTION_OF_RULES:
		add_rules(w, section, list);
		break;
	case SECTION_OF_FIRST:
		if (id == FACTS_INSTRUCTIONS)
			room = number_least(w->rules, w->gather->files_room);
		add_first(section, list, room, w->text);
		break;
	case SECTION_OF_NEWEST:
		add_newest(section, list, room, w->text);
		break;
	case SECTION_OF_TEXT:
		add_text(w, section, list, room);
		break;
	case SECTION_OF_START:
		add_start(w, section, list);
		break;
	case SECTION_OF_NAMES:
		if (id == FACTS_READ)
			add_names(w);
		break;
	case SECTION_OF_PLACES:
		break;
	case SECTION_OF_OUTLINE:
		add_outline(w, section);
		break;
	case SECTION_OF_SYMBOLS:
		add_symbols(w);
		break;
	}
}

void
digest_write(
    struct gather *gather, const struct facts *facts, size_t room, size_t rules, struct buf *text)
{
	struct writer w = {.gather = gather,
	    .facts = facts,
	    .room = room,
	    .rules = rules,
	    .share = room,
	    .start = text->len,
	    .text = text};
	bool is_told = gather->is_told || gather->told_symbols > 0;

	gather->lines = 0;
	if (gather->splits_turn && room > 0)
		buf_add_str(text, STR("\nA turn's first part is among them; its rest follows."));
	for (unsigned i = 0; i < FACTS_SECTIONS && (i < FACTS_SUMMARY || room > 0 || is_told);
	     i++) {
		if (i == FACTS_SUMMARY && room_left(&w) < room / 4 * 3 && !is_told)
			w.share = room_left(&w) / 3 * 4;
		if ((section_table[i].views & gather->view) != 0)
			add_section(&w, (enum facts_section)i);
	}
	map_free(&w.told);
}
