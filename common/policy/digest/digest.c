#include "policy/digest/digest.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text/text.h"
#include "base/text/utf8.h"
#include "base/text/visible.h"
#include "policy/facts/facts_text.h"
#include "policy/digest/constraints.h"

enum {
	ITEM_LEAST = 60,     /* no item begins with less room */
	STARTS_LEAST = 1000, /* room from which goal and next step are shown */
};

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

/* Appends the title and items until their room is full. Returns how many items. The last one may
 * lose its middle. */
static uint32_t
add_items(const char *title, const struct gather_list *list, size_t room, struct buf *out)
{
	size_t start = out->len;
	uint32_t count = 0;

	for (; count < list->count && out->len - start + ITEM_LEAST <= room; count++) {
		struct str item = list->item[count];
		size_t left = room - (out->len - start), end;

		if (count == 0)
			buf_add_fmt(out, "\n%s:", title);
		buf_add_str(out, STR("\n- "));
		if (item.len <= left) {
			add_indented(item, out);
			continue;
		}
		end = utf8_ceil(item, item.len - left / 4);
		add_indented(str_of(item.ptr, utf8_floor(item, left / 2)), out);
		buf_add_str(out, STR(" […] "));
		add_indented(str_of(item.ptr + end, item.len - end), out);
	}
	return count;
}

/* Chooses the newest constraints that there is room for. Returns the bytes that they take. */
static size_t
choose_constraints(const struct things *list, bool strict, size_t room, uint8_t *chosen)
{
	enum { LEAST = 8, AROUND = 3 }; /* bytes of a constraint, and of what stands around it */
	size_t taken = 0;

	for (uint32_t i = list->used; i-- > 0 && taken + LEAST + AROUND <= room;) {
		size_t len = list->item[i].len;

		if (len == 0 || taken + len + AROUND > room ||
		    constraints_is_strict(list->item[i]) != strict)
			continue;
		chosen[i] = 1;
		taken += len + AROUND;
	}
	return taken;
}

/* The strict ones come first to the room, of those the newest; they stand in their order. With all,
 * they have all of the room. */
static void
add_constraints(const struct things *list, size_t room, bool all, struct buf *out)
{
	uint8_t *chosen = mem_alloc((size_t)list->used + 1, sizeof *chosen);
	size_t most = all ? room : room / 2, taken;

	memset(chosen, 0, list->used);
	taken = choose_constraints(list, true, all ? room : room / 4 * 3, chosen);
	if (taken < most)
		taken += choose_constraints(list, false, most - taken, chosen);
	if (taken > 0)
		buf_add_str(out, STR("\nStanding constraints:"));
	for (uint32_t i = 0; i < list->used; i++) {
		if (chosen[i] == 0)
			continue;
		buf_add_str(out, STR("\n- "));
		add_indented(list->item[i], out);
	}
	free(chosen);
}

/* The first rules of the project's files for which there is room. */
static void
add_instructions(const struct things *list, size_t room, struct buf *out)
{
	size_t start = out->len;

	for (uint32_t i = 0; i < list->used; i++) {
		if (list->item[i].len == 0 || out->len - start + list->item[i].len + 3 > room)
			continue;
		if (out->len == start)
			buf_add_str(out, STR("\nRules of the project's files:"));
		buf_add_str(out, STR("\n- "));
		add_indented(list->item[i], out);
	}
}

static void
add_start(const char *title, struct str text, struct buf *out)
{
	if (text.len == 0)
		return;
	buf_add_fmt(out, "\n%s: ", title);
	text_add_visible(out, text);
}

/* The symbols of a command, the newest others for which there is room, and how many messages have
 * none. */
static uint32_t
add_symbols(const struct gather *gather, uint64_t dropped, size_t room, struct buf *out)
{
	enum { COUNT_LINE = 48 };
	const struct gather_list *list = &gather->symbols;
	uint32_t shown;

	room -= room < COUNT_LINE ? room : COUNT_LINE;
	shown = gather->told_symbols;
	while (shown < list->count && list->item[shown].len + 1 <= room)
		room -= list->item[shown++].len + 1;
	if (shown < dropped) {
		buf_add_str(out, STR("\n["));
		number_write_grouped(out, dropped - shown);
		buf_add_str(out,
		    dropped - shown == 1 ? STR(" older one has no line]") :
					   STR(" older ones have no line]"));
	}
	for (uint32_t i = shown; i-- > 0;) {
		buf_add_char(out, '\n');
		text_add_visible(out, list->item[i]);
	}
	return shown;
}

/* Appends the text of a command; returns how many bytes. */
static size_t
add_told(struct str told, struct buf *out)
{
	size_t start = out->len;

	if (told.len > 0) {
		buf_add_str(out, STR("\nSummary:\n  "));
		add_indented(told, out);
	}
	return out->len - start;
}

void
digest_write(struct gather *gather, const struct facts *facts, size_t room,
    struct digest_shown *shown, struct buf *text)
{
	size_t start = text->len, share = room, left;
	bool has_starts = room >= STARTS_LEAST;
	bool is_told = gather->told.len > 0 || gather->told_symbols > 0;

	*shown = (struct digest_shown){.checks = 0};
	if (room == 0) {
		if (gather->told_symbols > 0)
			shown->symbols = add_symbols(gather, facts->dropped, 0, text);
		add_told(gather->told, text);
		return;
	}
	if (gather->splits_turn)
		buf_add_str(text, STR("\nA turn's first part is among them; its rest follows."));
	add_constraints(&gather->constraints, room, is_told, text);
	add_instructions(&facts->list[FACTS_INSTRUCTIONS], room / 8, text);
	left = text->len - start < room ? room - (text->len - start) : 0;
	if (left < room / 4 * 3 && !is_told)
		share = left / 3 * 4;
	if (gather->has_symbols) {
		facts_text_write(facts, share / 4, text);
		left = text->len - start < room ? room - (text->len - start) : 0;
		shown->symbols = add_symbols(gather, facts->dropped, left, text);
		return;
	}
	start += add_told(gather->told, text);
	if (gather->told.len == 0)
		shown->earlier = add_items("Earlier summary", &gather->earlier, share / 5, text);
	if (has_starts) {
		add_start("Goal", gather->goal, text);
		add_start("Latest request", gather->latest, text);
	}
	facts_text_write(
	    facts, facts->list[FACTS_UNRESOLVED].count > 0 ? share / 2 : share / 4, text);
	shown->checks = add_items("Last checks, newest first", &gather->checks, share / 10, text);
	left = text->len - start < room ? room - (text->len - start) : 0;
	if (left > ITEM_LEAST) {
		buf_add_str(text, STR("\nWhat happened:"));
		shown->outline = outline_write(&gather->outline, left, text);
	}
}

static void
write_list(struct json_writer *w, struct str name, const struct gather_list *list, uint32_t count)
{
	if (count == 0)
		return;
	json_name(w, name);
	json_open(w, '[');
	for (uint32_t i = 0; i < count; i++)
		json_put_string(w, list->item[i]);
	json_close(w);
}

void
digest_write_facts(
    const struct gather *gather, const struct digest_shown *shown, struct json_writer *w)
{
	write_list(w, STR("checks"), &gather->checks, shown->checks);
	if (shown->symbols > 0)
		json_member_integer(w, STR("symbols"), shown->symbols);
	if (gather->told.len > 0)
		json_member_string(w, STR("text"), gather->told);
	else if (shown->earlier > 0)
		json_member_string(w, STR("text"), gather->earlier.item[0]);
	if (shown->outline > 0)
		json_member_integer(w, STR("outline"), shown->outline);
}
