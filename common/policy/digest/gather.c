#include "policy/digest/gather.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/text/utf8.h"
#include "json/string.h"
#include "policy/build_check.h"
#include "policy/digest/constraints.h"
#include "policy/digest/names.h"
#include "policy/digest/symbol.h"
#include "policy/digest/wrapping.h"

enum {
	CHECKS = 5,
	START_SHOWN = 200, /* bytes of a text of which the start is shown */
	CHECK_SHOWN = 120,
};

struct gatherer {
	struct gather *gather;
	const struct session *session;
	size_t room; /* bytes that are left */
};

static void
add_item(struct gather *gather, struct gather_list *list, struct str text)
{
	LIST_ROOM(list->item, list->count, list->cap);
	list->item[list->count++] = arena_copy(&gather->arena, text);
}

static bool
is_in_thread(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside;
}

/* The first line of the text, cut on a code point boundary. */
static struct str
start_of(struct str text, size_t most)
{
	const char *lf = text.len > 0 ? memchr(text.ptr, '\n', text.len) : NULL;

	if (lf != NULL)
		text.len = (size_t)(lf - text.ptr);
	if (text.len > most)
		text.len = utf8_floor(text, most);
	return str_trim(text);
}

/* The checks that were run last, each command once. */
static void
gather_checks(struct gatherer *g)
{
	const struct session *t = g->session;
	struct gather_list *list = &g->gather->checks;
	struct map seen = MAP_INIT;
	struct buf line = BUF_INIT;

	for (uint32_t i = t->call_count; i-- > 0 && list->count < CHECKS;) {
		const struct call *call = &t->call[i];
		struct str command = start_of(call->use.target, CHECK_SHOWN);

		if (call->use.op != TOOL_SHELL || call->result == NONE ||
		    !t->entry[call->result].is_dropped || t->entry[call->result].outside ||
		    !build_check_is(command) || map_set(&seen, names_hash(command), 1) != MAP_NONE)
			continue;
		buf_reset(&line);
		buf_add_str(&line, command);
		buf_add_str(&line, t->entry[call->result].is_error ? STR(": failed") : STR(": ok"));
		add_item(g->gather, list, buf_str(&line));
	}
	map_free(&seen);
	buf_free(&line);
}

/* What the facts of the earlier artifact list under that name, behind what is new; newest first. */
static void
add_earlier(struct gather *gather, struct gather_list *list, struct json_value array)
{
	struct buf text = BUF_INIT;
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && json_walk_next(&walk))
		if (walk.value.type == JSON_STRING)
			add_item(gather, list, json_text(walk.value, &text));
	buf_free(&text);
}

/* The facts of the earlier artifact, or an absent value. */
static struct json_value
earlier_facts(const struct session *t, uint32_t artifact)
{
	struct entry entry;

	if (artifact == NONE)
		return (struct json_value){NULL, 0, JSON_ABSENT, 0};
	entry = change_base(t, artifact);
	return facts_of(&entry);
}

/* The lines of the earlier artifact, which are its last ones, and those of what was dropped. */
static void
gather_outline(struct gatherer *g, uint32_t artifact, struct json_value earlier)
{
	struct outline *outline = &g->gather->outline;
	struct buf text = BUF_INIT;
	uint64_t count = json_count(json_find(earlier, STR("outline")));

	if (count > 0)
		outline_add_earlier(outline, change_base_text(g->session, artifact, &text), count);
	outline_add_dropped(outline, g->session);
	buf_free(&text);
}

static void
gather_constraints(struct gatherer *g, const struct facts *facts)
{
	const struct session *t = g->session;
	const struct things *all = &facts->list[FACTS_CONSTRAINTS];
	struct things *left = &g->gather->constraints;
	struct constraints_read *read = NULL;
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < all->used; i++)
		things_add(left, all->item[i]);
	for (uint32_t i = 0; i < t->count && left->count > 0; i++)
		if (!t->entry[i].is_dropped && constraints_may_stand_in(&t->entry[i]) &&
		    t->entry[i].role == ROLE_USER)
			constraints_override(
			    left, &read, &t->entry[i], change_base_text(t, i, &text));
	free(read);
	buf_free(&text);
}

/* The first line of what the user says in the entry. */
static struct str
start_of_words(struct gatherer *g, uint32_t index, struct buf *buf)
{
	struct str words = wrapping_inside(change_base_text(g->session, index, buf));

	return arena_copy(&g->gather->arena, start_of(words, START_SHOWN));
}

static void
gather_starts(struct gatherer *g, const struct framing *framing, uint32_t newest)
{
	struct gather *gather = g->gather;
	const struct session *t = g->session;
	struct buf text = BUF_INIT;

	for (uint32_t i = framing->first; i != NONE && i <= framing->last && gather->goal.len == 0;
	     i++)
		if (framing_is_user(&t->entry[i]))
			gather->goal = start_of_words(g, i, &text);
	if (newest != NONE && newest > framing->last)
		gather->latest = start_of_words(g, newest, &text);
	buf_free(&text);
}

/* Whether the newest message that is gone and the oldest behind it are of one turn. */
static bool
splits_turn(const struct session *t)
{
	uint32_t behind = NONE;

	for (uint32_t i = t->count; i-- > 0;) {
		if (!is_in_thread(&t->entry[i]))
			continue;
		if (t->entry[i].is_dropped)
			return behind != NONE && t->entry[i].turn > 0 &&
			    t->entry[i].turn == t->entry[behind].turn;
		behind = i;
	}
	return false;
}

void
gather_open(struct gather *gather, const struct session *t, const struct facts *facts,
    const struct framing *framing, uint32_t newest_user, uint32_t artifact, size_t room)
{
	struct json_value earlier = earlier_facts(t, artifact);
	struct gatherer g = {.gather = gather, .session = t, .room = room};
	struct buf text = BUF_INIT;

	*gather = (struct gather){.splits_turn = splits_turn(t)};
	if (room == 0)
		return;
	gather_starts(&g, framing, newest_user);
	gather_checks(&g);
	add_earlier(gather, &gather->checks, json_find(earlier, STR("checks")));
	if (json_find(earlier, STR("text")).type == JSON_STRING)
		add_item(
		    gather, &gather->earlier, json_text(json_find(earlier, STR("text")), &text));
	gather_constraints(&g, facts);
	gather_outline(&g, artifact, earlier);
	buf_free(&text);
}

void
gather_tell(struct gather *gather, struct str text)
{
	gather->told = arena_copy(&gather->arena, text);
}

static void
gather_symbols(struct gatherer *g)
{
	const struct session *t = g->session;
	struct buf line = BUF_INIT;

	for (uint32_t i = t->count; i-- > 0 && g->room > 0;) {
		if (!t->entry[i].is_dropped)
			continue;
		buf_reset(&line);
		symbol_write(t, i, &line);
		add_item(g->gather, &g->gather->symbols, buf_str(&line));
		g->room -= line.len < g->room ? line.len : g->room;
	}
	buf_free(&line);
}

/* Takes the last line off the text. */
static struct str
take_line(struct str *text)
{
	const char *lf = memrchr(text->ptr, '\n', text->len);
	const char *line = lf != NULL ? lf + 1 : text->ptr;
	struct str taken = str_of(line, text->len - (size_t)(line - text->ptr));

	text->len = lf != NULL ? (size_t)(lf - text->ptr) : 0;
	return taken;
}

/* The last lines of the earlier artifact. */
static void
add_earlier_symbols(struct gather *gather, const struct session *t, uint32_t artifact)
{
	struct entry entry = change_base(t, artifact);
	int64_t count = json_integer(json_find(facts_of(&entry), STR("symbols")), 0);
	struct buf text = BUF_INIT;
	struct str left = change_base_text(t, artifact, &text);

	for (; count > 0 && left.len > 0; count--)
		add_item(gather, &gather->symbols, take_line(&left));
	buf_free(&text);
}

/* What stands beside the symbols of what went. */
static void
gather_beside_symbols(struct gatherer *g, const struct facts *facts, uint32_t artifact)
{
	if (artifact != NONE)
		add_earlier_symbols(g->gather, g->session, artifact);
	gather_constraints(g, facts);
}

void
gather_open_symbols(struct gather *gather, const struct session *t, const struct facts *facts,
    uint32_t artifact, size_t room)
{
	struct gatherer g = {.gather = gather, .session = t, .room = room};

	*gather = (struct gather){.has_symbols = true, .splits_turn = splits_turn(t)};
	gather_symbols(&g);
	gather_beside_symbols(&g, facts, artifact);
}

void
gather_tell_symbols(struct gather *gather, const struct session *t, const struct facts *facts,
    uint32_t artifact, struct str lines)
{
	struct gatherer g = {.gather = gather, .session = t};
	struct buf line = BUF_INIT;

	*gather = (struct gather){.has_symbols = true, .splits_turn = splits_turn(t)};
	while (lines.len > 0) {
		buf_reset(&line);
		buf_add_str(&line, STR("  "));
		buf_add_str(&line, take_line(&lines));
		add_item(gather, &gather->symbols, buf_str(&line));
	}
	gather->told_symbols = gather->symbols.count;
	gather_beside_symbols(&g, facts, artifact);
	buf_free(&line);
}

void
gather_close(struct gather *gather)
{
	free(gather->checks.item);
	free(gather->symbols.item);
	free(gather->earlier.item);
	outline_free(&gather->outline);
	things_free(&gather->constraints);
	arena_free(&gather->arena);
}
