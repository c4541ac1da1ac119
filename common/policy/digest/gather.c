#include "policy/digest/gather.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/utf8.h"
#include "data/texts.h"
#include "json/text.h"
#include "policy/checks.h"
#include "policy/digest/constraints.h"
#include "policy/digest/names.h"
#include "policy/digest/symbol.h"

enum {
	DECISIONS = 3,
	CHECKS = 5,
	FILES_SHARE = 8,   /* of the room, that each list of files takes about */
	START_SHOWN = 200, /* bytes of a text of which the start is shown */
	USER_WHOLE = 1200, /* bytes of a user's message that is shown whole */
	USER_HEAD = 700,
	USER_TAIL = 300,
	DECISION_HEAD = 300,
	DECISION_TAIL = 80,
	CHECK_SHOWN = 120,
	TEXT_LEAST = 40,        /* a shorter text of the assistant decides nothing */
	NAMES_LOOKED = 1 << 20, /* bytes of the newest records that are searched for names */
	NAMES_OF_MESSAGE = 512, /* the last ones of a message */
	USED = 256              /* names that are still used */
};

struct gatherer {
	struct gather *gather;
	const struct session *session;
	struct map seen; /* names of kept messages, and names that are gathered */
	size_t room;     /* bytes that are left for names */
	/* The names of the message under way: a ring. */
	struct str ring[NAMES_OF_MESSAGE];
	uint32_t ring_count;
};

static void
add_item(struct gather *gather, struct gather_list *list, struct str text)
{
	LIST_ROOM(list->item, list->count, list->cap);
	list->item[list->count++] = arena_copy(&gather->arena, text);
}

/* Adds a text; one of more than whole bytes as its head and its tail. */
static void
add_ends(struct gather *gather, struct gather_list *list, struct str text, size_t whole,
    size_t head, size_t tail)
{
	struct buf ends = BUF_INIT;
	size_t end;

	if (text.len > whole) {
		end = utf8_ceil(text, text.len - tail);
		buf_add(&ends, text.ptr, utf8_floor(text, head));
		buf_add_str(&ends, STR(" […] "));
		buf_add(&ends, text.ptr + end, text.len - end);
		text = buf_str(&ends);
	}
	add_item(gather, list, text);
	buf_free(&ends);
}

static bool
is_in_thread(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside;
}

/* Appends the text of the content, without blanks at its ends. */
static struct str
read_text(const struct session *t, uint32_t index, struct buf *buf)
{
	struct entry entry = change_base(t, index);
	struct message message;

	buf_reset(buf);
	entry_parse(&entry, &message);
	message_read_text(&message, buf);
	return str_trim(buf_str(buf));
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

static void
gather_users(struct gatherer *g, size_t room)
{
	const struct session *t = g->session;
	struct buf text = BUF_INIT;
	size_t taken = 0;

	for (uint32_t i = t->count; i-- > 0 && taken <= room;) {
		struct str said;

		if (!t->entry[i].is_dropped || !framing_is_user(&t->entry[i]))
			continue;
		said = read_text(t, i, &text);
		if (said.len == 0)
			continue;
		add_ends(g->gather, &g->gather->users, said, USER_WHOLE, USER_HEAD, USER_TAIL);
		taken += said.len;
	}
	buf_free(&text);
}

static bool
is_answer(const struct entry *entry)
{
	return is_in_thread(entry) && entry->role == ROLE_ASSISTANT && !entry->is_artifact;
}

/* Two passes: final responses first, then texts beside calls. */
static void
gather_decisions(struct gatherer *g)
{
	const struct session *t = g->session;
	struct gather_list *list = &g->gather->decisions;
	struct buf text = BUF_INIT;

	for (int calls = 0; calls <= 1; calls++)
		for (uint32_t i = t->count; i-- > 0 && list->count < DECISIONS;) {
			struct str said;

			if (!t->entry[i].is_dropped || !is_answer(&t->entry[i]) ||
			    t->entry[i].has_calls != calls)
				continue;
			said = read_text(t, i, &text);
			if (said.len >= TEXT_LEAST)
				add_ends(g->gather, list, said, DECISION_HEAD + DECISION_TAIL,
				    DECISION_HEAD, DECISION_TAIL);
		}
	buf_free(&text);
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
		    !checks_is(command) || map_set(&seen, names_hash(command), 1) != MAP_NONE)
			continue;
		buf_reset(&line);
		buf_add_str(&line, command);
		buf_add_str(&line, t->entry[call->result].is_error ? STR(": failed") : STR(": ok"));
		add_item(g->gather, list, buf_str(&line));
	}
	map_free(&seen);
	buf_free(&line);
}

static bool
see_kept(void *context, struct str name)
{
	struct gatherer *g = context;

	map_set(&g->seen, names_hash(name), 1);
	return true;
}

static bool
see_message(void *context, struct str name)
{
	struct gatherer *g = context;

	g->ring[g->ring_count++ % NAMES_OF_MESSAGE] = name;
	return true;
}

static void
add_name(struct gatherer *g, struct str name, uint32_t call)
{
	struct gather *gather = g->gather;

	if (map_set(&g->seen, names_hash(name), 1) != MAP_NONE)
		return;
	LIST_ROOM(gather->name, gather->name_count, gather->name_cap);
	gather->name[gather->name_count++] =
	    (struct gather_name){arena_copy(&gather->arena, name), call};
	g->room -= name.len + 2 < g->room ? name.len + 2 : g->room;
}

static void
names_of_entry(struct gatherer *g, uint32_t index)
{
	const struct session *t = g->session;
	struct entry entry = change_base(t, index);
	uint32_t first, call = entry.call;
	struct message message;

	if (entry.has_calls)
		call = t->group[entry.group].first_call;
	entry_parse(&entry, &message);
	g->ring_count = 0;
	names_of_message(&message, see_message, g);
	first = g->ring_count > NAMES_OF_MESSAGE ? g->ring_count - NAMES_OF_MESSAGE : 0;
	for (uint32_t i = g->ring_count; i-- > first && g->room > 0;)
		add_name(g, g->ring[i % NAMES_OF_MESSAGE], call);
}

/* The newest files that the facts tell of are no names. */
static void
see_files(struct gatherer *g, const struct things *files)
{
	size_t room = g->room / FILES_SHARE;

	for (uint32_t i = files->used; i-- > 0 && files->item[i].len < room;) {
		see_kept(g, files->item[i]);
		room -= files->item[i].len;
	}
}

/* Whether names of the entry may be gone. */
static bool
loses_names(const struct entry *entry)
{
	return is_in_thread(entry) && !entry->is_summary &&
	    (entry->is_dropped || entry->is_changed);
}

/* The names of results, or of all other messages, the newest first. */
static void
names_of_role(struct gatherer *g, bool results)
{
	const struct session *t = g->session;
	size_t bytes = 0;

	for (uint32_t i = t->count; i-- > 0 && g->room > 0 && bytes < NAMES_LOOKED;) {
		const struct entry *entry = &t->entry[i];

		if (!loses_names(entry) || (entry->role == ROLE_TOOL) != results)
			continue;
		names_of_entry(g, i);
		bytes += entry->len;
	}
}

static void
see_kept_names(struct gatherer *g)
{
	const struct session *t = g->session;
	struct message message;

	for (uint32_t i = 0; i < t->count; i++)
		if (is_in_thread(&t->entry[i]) && !t->entry[i].is_dropped) {
			entry_parse(&t->entry[i], &message);
			names_of_message(&message, see_kept, g);
		}
}

static void
gather_names(struct gatherer *g, const struct facts *facts)
{
	see_files(g, &facts->list[FACTS_MODIFIED]);
	see_files(g, &facts->list[FACTS_READ]);
	see_kept_names(g);
	names_of_role(g, false);
	names_of_role(g, true);
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

static void
add_earlier_names(struct gatherer *g, struct json_value array)
{
	struct buf text = BUF_INIT;
	struct json_walk walk;

	json_walk_open(&walk, array);
	while (array.type == JSON_ARRAY && g->room > 0 && json_walk_next(&walk))
		if (walk.value.type == JSON_STRING)
			add_name(g, json_text(walk.value, &text), NONE);
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
			constraints_override(left, &read, &t->entry[i], read_text(t, i, &text));
	free(read);
	buf_free(&text);
}

/* The last sentence of the newest answer that is gone, if it tells of a next step. */
static struct str
find_next(struct str said)
{
	static const char *const words[] = {
	    "next", "Next", "Now ", "now ", "Let me", "I'll", "I will"};
	size_t start = said.len > 0 ? said.len - 1 : 0;

	while (start > 0 && said.ptr[start - 1] != '\n' &&
	    !(said.ptr[start] == ' ' && memchr(".!?", said.ptr[start - 1], 3) != NULL))
		start--;
	said = str_trim(str_of(said.ptr + start, said.len - start));
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (str_find(said, str_from(words[i])) != NULL)
			return start_of(said, START_SHOWN);
	return STR("");
}

static void
gather_starts(struct gatherer *g, const struct framing *framing, uint32_t newest)
{
	struct gather *gather = g->gather;
	const struct session *t = g->session;
	struct buf text = BUF_INIT;

	if (framing->first != NONE)
		gather->goal = arena_copy(
		    &gather->arena, start_of(read_text(t, framing->first, &text), START_SHOWN));
	if (newest != NONE && newest != framing->first)
		gather->latest =
		    arena_copy(&gather->arena, start_of(read_text(t, newest, &text), START_SHOWN));
	for (uint32_t i = t->count; i-- > 0;)
		if (t->entry[i].is_dropped && is_answer(&t->entry[i])) {
			gather->next =
			    arena_copy(&gather->arena, find_next(read_text(t, i, &text)));
			break;
		}
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
    const struct framing *framing, uint32_t newest_user, struct json_value artifact, size_t room)
{
	struct gatherer g = {.gather = gather, .session = t, .room = room};
	struct buf text = BUF_INIT;

	*gather = (struct gather){.splits_turn = splits_turn(t)};
	if (room == 0)
		return;
	gather_starts(&g, framing, newest_user);
	gather_users(&g, room);
	add_earlier(gather, &gather->users, json_find(artifact, STR("user")));
	gather_decisions(&g);
	add_earlier(gather, &gather->decisions, json_find(artifact, STR("decisions")));
	gather_checks(&g);
	add_earlier(gather, &gather->checks, json_find(artifact, STR("checks")));
	if (json_find(artifact, STR("text")).type == JSON_STRING)
		add_item(
		    gather, &gather->earlier, json_text(json_find(artifact, STR("text")), &text));
	gather_constraints(&g, facts);
	gather_names(&g, facts);
	add_earlier_names(&g, json_find(artifact, STR("names")));
	map_free(&g.seen);
	buf_free(&text);
}

/* Takes the names that were seen out of those that are shown. */
static void
leave_out_seen(struct gatherer *g)
{
	struct gather *gather = g->gather;
	uint32_t count = 0;

	for (uint32_t i = 0; i < gather->name_count; i++)
		if (map_get(&g->seen, names_hash(gather->name[i].name)) == MAP_NONE)
			gather->name[count++] = gather->name[i];
	gather->name_count = count;
}

/* A name of a dropped message: used when it is among those of kept messages, which are taken out
 * one by one as they are found. */
static bool
see_used(void *context, struct str name)
{
	struct gatherer *g = context;
	struct hash hash = names_hash(name);

	if (map_get(&g->seen, hash) != MAP_NONE) {
		map_remove(&g->seen, hash);
		add_item(g->gather, &g->gather->used, name);
	}
	return g->gather->used.count < USED;
}

static bool
forget(void *context, struct str name)
{
	struct gatherer *g = context;

	map_remove(&g->seen, names_hash(name));
	return true;
}

/* The names of kept messages that the text does not say, the newest dropped message first. */
static void
gather_used(struct gatherer *g)
{
	const struct session *t = g->session;
	struct message message;
	size_t bytes = 0;

	see_kept_names(g);
	names_of_text(g->gather->told, forget, g);
	for (uint32_t i = t->count; i-- > 0 && bytes < NAMES_LOOKED;) {
		struct entry entry = change_original(t, i);

		if (!loses_names(&entry) || !entry.is_dropped || g->gather->used.count >= USED)
			continue;
		entry_parse(&entry, &message);
		names_of_message(&message, see_used, g);
		bytes += entry.len;
	}
}

void
gather_tell(struct gather *gather, const struct session *t, struct str text)
{
	struct gatherer g = {.gather = gather, .session = t};

	gather->told = arena_copy(&gather->arena, text);
	names_of_text(gather->told, see_kept, &g);
	leave_out_seen(&g);
	map_free(&g.seen);
	g.seen = (struct map)MAP_INIT;
	gather_used(&g);
	map_free(&g.seen);
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
	struct str left = read_text(t, artifact, &text);

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
	free(gather->users.item);
	free(gather->decisions.item);
	free(gather->checks.item);
	free(gather->symbols.item);
	free(gather->earlier.item);
	free(gather->used.item);
	free(gather->name);
	things_free(&gather->constraints);
	arena_free(&gather->arena);
}
