#include "policy/digest/digest.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "policy/compact/facts_text.h"
#include "policy/digest/constraints.h"
#include "policy/digest/names.h"

enum {
	ITEM_LEAST = 60,     /* no item begins with less room */
	STARTS_LEAST = 1000, /* room from which goal and next step are shown */
	GROUPS_LEAST = 4000, /* room from which names are grouped: about 1,000 tokens */
	LABEL_SHOWN = 80,
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

static void
add_start(const char *title, struct str text, struct buf *out)
{
	if (text.len == 0)
		return;
	buf_add_fmt(out, "\n%s: ", title);
	text_add_visible(out, text);
}

/* The names with a label: those of one call stand together. */
struct names {
	const struct gather *gather;
	const struct session *session;
	uint32_t *next; /* the next name of the same group, or NONE */
	uint32_t *last; /* of a group's first name: the last one by now; NONE: no first name */
	uint32_t *size; /* of a group's first name: how many names */
	uint32_t count; /* names that are shown */
};

static struct str
label_of(const struct names *names, uint32_t index)
{
	uint32_t call = names->gather->name[index].call;
	struct str label = STR("");

	if (call != NONE)
		label = names->session->call[call].use.target;
	if (label.len > 0 && memchr(label.ptr, '\n', label.len) != NULL)
		label.len = (size_t)((const char *)memchr(label.ptr, '\n', label.len) - label.ptr);
	return label.len > LABEL_SHOWN ? STR("") : label;
}

static void
group_names(struct names *names)
{
	struct map group = MAP_INIT;

	for (uint32_t i = 0; i < names->count; i++) {
		struct str label = label_of(names, i);
		uint64_t first;

		names->next[i] = names->last[i] = NONE;
		names->size[i] = 1;
		if (label.len == 0)
			continue;
		first = map_get(&group, names_hash(label));
		if (first == MAP_NONE) {
			map_set(&group, names_hash(label), i);
			names->last[i] = i;
			continue;
		}
		names->next[names->last[first]] = i;
		names->last[first] = i;
		names->size[first]++;
		names->size[i] = 0;
	}
	map_free(&group);
}

/* Groups of two names and more have a line of their own. */
static void
add_groups(const struct names *names, struct buf *out)
{
	const char *before = "\nNames: ";

	for (uint32_t i = 0; i < names->count; i++) {
		if (names->size[i] != 1)
			continue;
		buf_add_str(out, str_from(before));
		buf_add_str(out, names->gather->name[i].name);
		before = ", ";
	}
	for (uint32_t i = 0; i < names->count; i++) {
		if (names->size[i] < 2)
			continue;
		buf_add_str(out, STR("\nNames in "));
		text_add_visible(out, label_of(names, i));
		before = ": ";
		for (uint32_t k = i; k != NONE; k = names->next[k]) {
			buf_add_str(out, str_from(before));
			buf_add_str(out, names->gather->name[k].name);
			before = ", ";
		}
	}
}

/* Appends as many names as there is room for; returns how many. */
static uint32_t
add_names(const struct gather *gather, const struct session *t, size_t room, bool grouped,
    struct buf *out)
{
	struct names names = {.gather = gather, .session = t};
	uint32_t *memory;

	for (size_t taken = 8; names.count < gather->name_count; names.count++) {
		taken += gather->name[names.count].name.len + 2;
		if (taken > room)
			break;
	}
	memory = mem_alloc((size_t)names.count * 3 + 1, sizeof *memory);
	names.next = memory;
	names.last = memory + names.count;
	names.size = memory + names.count * 2;
	if (grouped)
		group_names(&names);
	else
		for (uint32_t i = 0; i < names.count; i++)
			names.size[i] = 1;
	add_groups(&names, out);
	free(memory);
	return names.count;
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

static void
add_used(const struct gather_list *used, size_t room, struct buf *out)
{
	size_t start = out->len;

	for (uint32_t i = 0; i < used->count && out->len - start + used->item[i].len < room; i++) {
		buf_add_str(out, i > 0 ? STR(", ") : STR("\nStill used: "));
		buf_add_str(out, used->item[i]);
	}
}

void
digest_write(const struct gather *gather, const struct session *t, const struct facts *facts,
    size_t room, size_t names_room, struct digest_shown *shown, struct buf *text)
{
	size_t start = text->len, share = room, left;
	bool has_starts = room >= STARTS_LEAST;
	bool is_told = gather->told.len > 0 || gather->told_symbols > 0;

	*shown = (struct digest_shown){.names = 0};
	if (room == 0) {
		if (gather->told_symbols > 0)
			shown->symbols = add_symbols(gather, facts->dropped, 0, text);
		add_told(gather->told, text);
		return;
	}
	if (gather->splits_turn)
		buf_add_str(text, STR("\nA turn's first part is among them; its rest follows."));
	add_constraints(&gather->constraints, room, is_told, text);
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
	shown->users =
	    add_items("The user's messages, newest first", &gather->users, share / 10 * 3, text);
	shown->decisions =
	    add_items("Last decisions, newest first", &gather->decisions, share / 5, text);
	facts_text_write(
	    facts, facts->list[FACTS_UNRESOLVED].count > 0 ? share / 2 : share / 4, text);
	shown->checks = add_items("Last checks, newest first", &gather->checks, share / 10, text);
	add_used(&gather->used, share / 10, text);
	left = text->len - start < room ? room - (text->len - start) : 0;
	shown->names_len = text->len;
	shown->names =
	    add_names(gather, t, left < names_room ? left : names_room, room >= GROUPS_LEAST, text);
	shown->names_len = text->len - shown->names_len;
	if (has_starts)
		add_start("Next step", gather->next, text);
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
	write_list(w, STR("user"), &gather->users, shown->users);
	write_list(w, STR("decisions"), &gather->decisions, shown->decisions);
	write_list(w, STR("checks"), &gather->checks, shown->checks);
	if (shown->symbols > 0)
		json_member_integer(w, STR("symbols"), shown->symbols);
	if (gather->told.len > 0)
		json_member_string(w, STR("text"), gather->told);
	else if (shown->earlier > 0)
		json_member_string(w, STR("text"), gather->earlier.item[0]);
	if (shown->names == 0)
		return;
	json_name(w, STR("names"));
	json_open(w, '[');
	for (uint32_t i = 0; i < shown->names; i++)
		json_put_string(w, gather->name[i].name);
	json_close(w);
}
