#include "policy/digest/gather.h"

#include <stdlib.h>

#include "base/byte.h"
#include "base/list.h"
#include "base/text/text.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/constraints/constraints.h"
#include "policy/digest/symbol.h"
#include "policy/digest/text_call.h"
#include "policy/digest/wrapper.h"
#include "policy/facts/state.h"
#include "policy/outline/outline_dropped.h"
#include "policy/outline/outline_earlier.h"
#include "policy/outline/outline_told.h"
#include "policy/text/line_start.h"
#include "policy/text/pasted.h"

enum {
	START_SHOWN = 200,  /* bytes of the text whose start is shown */
	HIDDEN_BEHIND = 400 /* bytes before words that hide them */
};

static void
add_symbol(struct gather *gather, struct str text)
{
	LIST_ADD(
	    gather->symbol, gather->symbols, gather->symbols_cap, arena_copy(&gather->arena, text));
}

/* Whether the sentence of the line continues in the next one. */
static bool
goes_on(struct str line, struct str next)
{
	line = str_trim(line);
	next = str_trim(str_first_line(next));
	return line.len > 0 && memchr(".!?:;", line.ptr[line.len - 1], 5) == NULL && next.len > 0 &&
	    (byte_is_word(next.ptr[0]) || (next.ptr[0] & 0x80) != 0 ||
		memchr("@(\"'", next.ptr[0], 4) != NULL);
}

/* The first line of a text and the lines that continue it. */
static struct str
start_of(struct str text)
{
	struct str rest = str_trim(text), line;
	const char *start = rest.ptr;

	do
		line = str_take_line(&rest);
	while (goes_on(line, rest));
	return str_of(start, (size_t)(line.ptr + line.len - start));
}

void
gather_outline(struct gather_source *g, struct json_value from)
{
	struct outline *outline = &g->gather->outline;
	struct outline_earlier earlier = {.outline = outline};
	struct buf text = BUF_INIT;
	struct entry artifact;

	outline_told_keep(outline, g->session);
	if (json_count(from) > 0) {
		artifact = change_base(g->session, g->artifact);
		outline_earlier_open(&earlier, outline,
		    change_base_text(g->session, g->artifact, &text), from,
		    json_find(facts_of(&artifact), STR("behind")));
	}
	outline_dropped_add(outline, g->session, g->facts, &earlier, g->place);
	buf_free(&text);
}

/* Adds the constraints that no kept message has or overrides. */
void
gather_constraints(struct gather_source *g, struct json_value from)
{
	const struct session *t = g->session;
	const struct things *all = &g->facts->list[FACTS_CONSTRAINTS];
	struct things *left = &g->gather->list[FACTS_CONSTRAINTS];
	struct constraints_reader reader = {.own = g->facts->constraints.own};
	struct buf text = BUF_INIT;

	(void)from;
	for (uint32_t i = 0; i < all->used; i++)
		things_add(left, all->item[i]);
	for (uint32_t i = 0; i < t->count && left->count > 0; i++)
		if (!t->entry[i].is_dropped && constraints_may_stand_in(&t->entry[i]) &&
		    t->entry[i].role == ROLE_USER &&
		    text_call_part_of(&g->facts->calls, i) != TEXT_CALL_RESULT)
			constraints_override(
			    left, &reader, &t->entry[i], change_base_text(t, i, &text));
	free(reader.read);
	buf_free(&text);
}

/* Whether the entry stays and, as it is now, has the words in a place where they are seen. */
static bool
says(const struct entry *entry, struct str words)
{
	struct buf text = BUF_INIT;
	struct message message;
	const char *found;
	bool is_near;

	if (entry->is_dropped)
		return false;
	entry_parse(entry, &message);
	message_read_text(&message, &text);
	found = str_find(text_squeeze(text.ptr, text.len), words);
	is_near = found != NULL && found - text.ptr <= HIDDEN_BEHIND;
	buf_free(&text);
	return is_near;
}

/* Adds the start of the user's words in the entry, as one line, unless they are seen there: a long
 * text of a client before them hides them. */
static void
add_start(struct gather_source *g, enum facts_section section, uint32_t index)
{
	struct buf text = BUF_INIT, words = BUF_INIT, start = BUF_INIT;

	buf_add_str(&words,
	    start_of(pasted_skip(wrapper_inside(change_base_text(g->session, index, &text)))));
	words.len = text_squeeze(words.ptr, words.len).len;
	if (!says(&g->session->entry[index], buf_str(&words))) {
		line_start_add(buf_str(&words), START_SHOWN, &start);
		things_add(&g->gather->list[section], buf_str(&start));
	}
	buf_free(&text);
	buf_free(&words);
	buf_free(&start);
}

/* Whether the entry is of a request, and not only a command to the client. */
static bool
asks(const struct gather_source *g, uint32_t index)
{
	struct buf text = BUF_INIT;
	bool does = framing_is_user(&g->session->entry[index]) &&
	    wrapper_asks(change_base_text(g->session, index, &text));

	buf_free(&text);
	return does;
}

/* A command is the goal if the user asks for nothing else. */
void
gather_goal(struct gather_source *g, struct json_value from)
{
	const struct framing *framing = g->framing;
	uint32_t goal;

	(void)from;
	if (framing->first == NONE)
		return;
	for (goal = framing->first; goal < framing->last && !asks(g, goal); goal++)
		;
	if (!asks(g, goal))
		for (goal = framing->first; !framing_is_user(&g->session->entry[goal]); goal++)
			;
	add_start(g, FACTS_GOAL, goal);
}

void
gather_latest(struct gather_source *g, struct json_value from)
{
	const struct session *t = g->session;
	uint32_t newest = g->newest_user, last = g->framing->last;

	(void)from;
	while (newest != NONE && newest > last &&
	    (!framing_is_user(&t->entry[newest]) ||
		text_call_part_of(&g->facts->calls, newest) == TEXT_CALL_RESULT))
		newest--;
	if (newest != NONE && newest > last)
		add_start(g, FACTS_LATEST, newest);
}

void
gather_summary(struct gather_source *g, struct json_value from)
{
	struct buf text = BUF_INIT;

	if (from.type == JSON_STRING)
		things_add(&g->gather->list[FACTS_SUMMARY], json_text(from, &text));
	buf_free(&text);
}

/* Whether a newer list of to-dos is in the remaining messages. */
static bool
keeps_todos(const struct session *t, uint32_t from)
{
	for (uint32_t i = t->call_count; i-- > from;)
		if (!t->entry[t->group[t->call[i].group].entry].is_dropped &&
		    state_sets_todos(t, i, NULL))
			return true;
	return false;
}

void
gather_todos(struct gather_source *g, struct json_value from)
{
	const struct things *open = &g->facts->list[FACTS_TODOS];

	(void)from;
	if (keeps_todos(g->session, g->facts->todos_from))
		return;
	for (uint32_t i = 0; i < open->used; i++)
		things_add(&g->gather->list[FACTS_TODOS], open->item[i]);
}

/* Whether the newest dropped message and the oldest message after it are of one turn. */
static bool
splits_turn(const struct session *t)
{
	uint32_t behind = NONE;

	for (uint32_t i = t->count; i-- > 0;) {
		if (!entry_is_in_thread(&t->entry[i]))
			continue;
		if (t->entry[i].is_dropped)
			return behind != NONE && t->entry[i].turn > 0 &&
			    t->entry[i].turn == t->entry[behind].turn;
		behind = i;
	}
	return false;
}

void
gather_open(struct gather_source *g, enum gather_view view)
{
	*g->gather = (struct gather){.view = view,
	    .files_room = g->gather->files_room,
	    .is_open = true,
	    .splits_turn = view != GATHER_NAMES && splits_turn(g->session)};
}

void
gather_tell(struct gather *gather, struct str text)
{
	things_add(&gather->list[FACTS_SUMMARY], text);
	gather->is_told = text.len > 0;
}

/* Takes the last line off the text. */
static struct str
take_line(struct str *text)
{
	struct str line = str_behind_last(*text, '\n');

	text->len -= line.len + (line.len < text->len);
	return line;
}

static void
add_told_symbols(struct gather *gather, struct str lines)
{
	struct buf line = BUF_INIT;

	while (lines.len > 0) {
		buf_reset(&line);
		buf_add_str(&line, STR("  "));
		buf_add_str(&line, take_line(&lines));
		add_symbol(gather, buf_str(&line));
	}
	gather->told_symbols = gather->symbols;
	buf_free(&line);
}

void
gather_symbols(struct gather_source *g, struct json_value from)
{
	const struct session *t = g->session;
	struct buf text = BUF_INIT;
	struct str left = STR("");

	add_told_symbols(g->gather, g->told);
	for (uint32_t i = t->count; i-- > 0 && g->room > 0;) {
		if (!t->entry[i].is_dropped)
			continue;
		buf_reset(&text);
		symbol_write(t, i, &text);
		add_symbol(g->gather, buf_str(&text));
		g->room -= text.len < g->room ? text.len : g->room;
	}
	if (g->artifact != NONE)
		left = change_base_text(t, g->artifact, &text);
	for (uint64_t count = json_count(from); count > 0 && left.len > 0; count--)
		add_symbol(g->gather, take_line(&left));
	buf_free(&text);
}

void
gather_close(struct gather *gather)
{
	for (unsigned i = 0; i < FACTS_SECTIONS; i++)
		things_free(&gather->list[i]);
	free(gather->symbol);
	free(gather->rule);
	outline_free(&gather->outline);
	arena_free(&gather->arena);
}
