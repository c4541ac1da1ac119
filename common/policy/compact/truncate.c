#include "policy/compact/truncate.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "json/scan.h"
#include "policy/compact/facts.h"
#include "policy/compact/shorten.h"
#include "policy/rewrite.h"

struct truncate {
	struct compaction *compaction;
	struct facts facts;
	struct buf text;        /* the artifact under way */
	uint32_t summary;       /* the newest one of somebody else, or NONE */
	uint32_t first;         /* the message that says whose thread it is, if that needs it */
	uint32_t *dropped;      /* entries, in the order of their drop */
	uint32_t dropped_count;
};

static uint32_t
find_summary(const struct compaction *c)
{
	for (uint32_t i = c->session->count; i-- > 0;)
		if (facts_is_summary(&c->session->entry[i]) && i != c->artifact &&
		    c->keep[i] != KEEP_FOREIGN)
			return i;
	return NONE;
}

/* Whether it is the first message or of its group. */
static bool
is_first(const struct truncate *truncate, uint32_t index)
{
	const struct entry *entry = truncate->compaction->session->entry;

	if (truncate->first == NONE)
		return false;
	return index == truncate->first ||
	    (entry[index].group != NONE && entry[index].group == entry[truncate->first].group);
}

static bool
may_drop(const struct truncate *truncate, uint32_t index)
{
	const struct compaction *c = truncate->compaction;

	return c->keep[index] == KEEP_NOT && !c->session->entry[index].is_dropped &&
	    index != c->artifact && index != truncate->summary && !is_first(truncate, index);
}

/* The first message, when all may go between it and another agent's: a stream that began with that
 * one would be that agent's. An artifact in between would say whose it is. */
static uint32_t
find_first(const struct truncate *truncate)
{
	const struct compaction *c = truncate->compaction;
	const struct session *t = c->session;
	uint32_t end = c->artifact != NONE ? c->artifact : facts_place(t), first = NONE;

	for (uint32_t i = 0; i < t->count && i < end; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE)
			continue;
		if (first == NONE)
			first = i;
		if (!may_drop(truncate, i))
			return t->entry[i].outside ? first : NONE;
	}
	return NONE;
}

static void
drop(struct truncate *truncate, uint32_t index)
{
	compaction_drop(truncate->compaction, index);
	facts_add(&truncate->facts, truncate->compaction->session, index);
	truncate->dropped[truncate->dropped_count++] = index;
}

/* Drops the message and, where it is a call, its results; a result goes with its call. */
static void
drop_unit(struct truncate *truncate, uint32_t index)
{
	const struct session *t = truncate->compaction->session;
	const struct entry *entry = &t->entry[index];
	const struct group *group;

	drop(truncate, index);
	if (entry->group == NONE)
		return;
	group = &t->group[entry->group];
	for (uint32_t i = 0; i < group->calls; i++)
		if (t->call[group->first_call + i].result != NONE)
			drop(truncate, t->call[group->first_call + i].result);
}

static uint64_t
weigh(struct truncate *truncate)
{
	struct message message;

	buf_pad(&truncate->text);
	message_parse(&message, buf_str(&truncate->text));
	return estimate_message(truncate->compaction->estimator, &message);
}

/* Writes the artifact for what is dropped by now; returns its tokens. */
static uint64_t
write_artifact(struct truncate *truncate)
{
	struct compaction *c = truncate->compaction;

	buf_reset(&truncate->text);
	facts_write(&truncate->facts, c->session, c->artifact, &truncate->text);
	return weigh(truncate);
}

/* What the artifact that is replaced weighs. */
static uint64_t
replaced_tokens(const struct compaction *c)
{
	return c->artifact == NONE ? 0 : c->session->entry[c->artifact].tokens;
}

static bool
would_fit(const struct truncate *truncate, uint64_t tokens)
{
	const struct compaction *c = truncate->compaction;

	return c->used - replaced_tokens(c) + tokens <= c->options->target;
}

/* Whether the artifact has fewer bytes and no more tokens than all that it stands for. */
static bool
pays(const struct truncate *truncate, uint64_t tokens, uint64_t used_before)
{
	const struct compaction *c = truncate->compaction;
	uint64_t bytes = c->bytes_dropped;

	if (c->artifact != NONE)
		bytes += c->session->entry[c->artifact].len;
	return truncate->text.len + 1 < bytes &&
	    c->used - replaced_tokens(c) + tokens <= used_before;
}

/* Whether enough was dropped; the artifact is written by then. */
static bool
is_enough(struct truncate *truncate, uint64_t used_before)
{
	struct compaction *c = truncate->compaction;
	uint64_t tokens;

	if (c->used - replaced_tokens(c) > c->options->target)
		return false;
	buf_reset(&truncate->text);
	facts_write_brief(&truncate->facts, &truncate->text);
	tokens = weigh(truncate);
	return would_fit(truncate, tokens) && pays(truncate, tokens, used_before) &&
	    pays(truncate, write_artifact(truncate), used_before);
}

static bool
drop_oldest(struct truncate *truncate, bool current, uint64_t used_before)
{
	struct compaction *c = truncate->compaction;

	for (uint32_t i = 0; i < c->session->count; i++) {
		if (!may_drop(truncate, i) || !compaction_is_in(c, i, current))
			continue;
		drop_unit(truncate, i);
		if (is_enough(truncate, used_before))
			return true;
	}
	return false;
}

static void
put_artifact(struct truncate *truncate, uint64_t tokens)
{
	struct compaction *c = truncate->compaction;
	struct entry *entry;

	if (c->artifact == NONE) {
		buf_add_str(&c->added, buf_str(&truncate->text));
		c->added_before = facts_place(c->session);
		c->added_tokens = tokens;
		c->used += tokens;
		return;
	}
	entry = &c->session->entry[c->artifact];
	c->used -= entry->tokens;
	session_replace(c->session, c->artifact, buf_str(&truncate->text));
	estimate_entry(c->estimator, entry);
	c->used += entry->tokens;
	c->action[c->artifact] = ACTION_UPDATE;
}

/* Drops whole groups and messages; none, if their artifact would weigh more than they do. */
static void
drop_units(struct truncate *truncate)
{
	struct compaction *c = truncate->compaction;
	uint64_t used_before = c->used, tokens;

	if (c->artifact != NONE)
		facts_add_artifact(&truncate->facts, c->session, c->artifact);
	if (!drop_oldest(truncate, false, used_before))
		drop_oldest(truncate, true, used_before);
	if (truncate->dropped_count == 0)
		return;
	tokens = write_artifact(truncate);
	if (pays(truncate, tokens, used_before))
		put_artifact(truncate, tokens);
	else
		while (truncate->dropped_count > 0)
			compaction_undrop(c, truncate->dropped[--truncate->dropped_count]);
}

struct longest {
	uint32_t entry;
	uint32_t tokens;
};

static int
compare_longest(const void *left, const void *right)
{
	const struct longest *a = left, *b = right;

	if (a->tokens != b->tokens)
		return a->tokens > b->tokens ? -1 : 1;
	return a->entry < b->entry ? -1 : a->entry > b->entry;
}

static void
cut_entry(struct compaction *c, uint32_t index)
{
	struct shorten how = {.over = c->options->prune_over, .texts = true};
	uint32_t tokens = c->session->entry[index].tokens;
	struct buf content = BUF_INIT;
	struct message message;

	entry_parse(&c->session->entry[index], &message);
	if (message.content.type != JSON_ABSENT && shorten_content(message.content, &how, &content))
		compaction_note(c, index, tokens, rewrite_content_json(c->session, index,
		    buf_str(&content), c->estimator), ACTION_MIDDLE);
	buf_free(&content);
}

static void
cut_longest(struct compaction *c)
{
	struct longest *list = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t i = 0; i < c->session->count; i++) {
		if (!compaction_may_change(c, i) ||
		    c->session->entry[i].len <= c->options->prune_over)
			continue;
		LIST_ROOM(list, count, cap);
		list[count++] = (struct longest){i, c->session->entry[i].tokens};
	}
	if (count > 0)
		qsort(list, count, sizeof *list, compare_longest);
	for (size_t i = 0; i < count && !compaction_fits(c); i++)
		cut_entry(c, list[i].entry);
	free(list);
}

void
truncate_run(struct compaction *c)
{
	struct truncate truncate = {.compaction = c, .first = NONE};

	if (compaction_fits(c))
		return;
	truncate.summary = find_summary(c);
	truncate.first = find_first(&truncate);
	truncate.dropped = mem_alloc((size_t)c->session->count + 1, sizeof *truncate.dropped);
	facts_init(&truncate.facts, c->session);
	drop_units(&truncate);
	if (!compaction_fits(c))
		cut_longest(c);
	facts_free(&truncate.facts);
	buf_free(&truncate.text);
	free(truncate.dropped);
}
