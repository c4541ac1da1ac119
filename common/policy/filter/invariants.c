#include "policy/filter/invariants.h"

#include "policy/compact/transform.h"

#define ROW(name, place, phrase) {place, phrase},
static const struct {
	const char *place, *phrase;
} rows[INVARIANTS] = {INVARIANT_TABLE(ROW)};

void
invariants_note(
    struct invariants *broken, enum invariant invariant, uint64_t line, const char *reason)
{
	broken->sum++;
	if (broken->count[invariant]++ > 0)
		return;
	broken->line[invariant] = line;
	broken->reason[invariant] = reason;
}

void
invariants_note_entry(struct invariants *broken, enum invariant invariant,
    const struct session *session, uint32_t entry, const char *reason)
{
	uint64_t line = 0;

	for (uint32_t i = 0; entry != NONE && i <= entry && broken->count[invariant] == 0; i++)
		line += !session->entry[i].is_continued;
	invariants_note(broken, invariant, line, reason);
}

bool
invariants_keep(struct invariants *broken, const struct compaction *c, uint32_t entry,
    bool is_dropped, bool is_filter)
{
	enum keep keep = (enum keep)c->keep[entry];
	bool is_kept = is_dropped ? keep >= KEEP_SIBLING :
	    is_filter             ? keep >= KEEP_RECENT :
				    keep >= KEEP_WINDOW && !compaction_is_cuttable(c, entry);

	if (is_kept)
		invariants_note_entry(broken, is_dropped ? INVARIANT_DROPPED : INVARIANT_CHANGED,
		    c->session, entry, keep_name(keep));
	return !is_kept;
}

void
invariants_say(const struct invariants *broken, struct str what, struct fault *fault)
{
	struct buf text = BUF_INIT;

	for (int i = 0; i < INVARIANTS; i++) {
		if (broken->count[i] == 0)
			continue;
		buf_add_str(&text, text.len > 0 ? STR("; ") : STR(""));
		if (rows[i].place != NULL)
			buf_add_fmt(&text, "%s %ju ", rows[i].place, (uintmax_t)broken->line[i]);
		buf_add_str(&text, str_from(rows[i].phrase));
		if (broken->reason[i] != NULL)
			buf_add_fmt(&text, ", %s", broken->reason[i]);
		if (broken->count[i] > 1)
			buf_add_fmt(&text, " (and %ju more)", (uintmax_t)(broken->count[i] - 1));
	}
	if (text.len > 0)
		fault_set(fault, STATUS_INVARIANT, "nothing was written: %.*s%.*s", STR_ARG(what),
		    STR_ARG(buf_str(&text)));
	buf_free(&text);
}

static void
check_kept(const struct compaction *c, struct invariants *broken)
{
	for (uint32_t i = 0; i < c->session->count; i++) {
		const struct entry *entry = &c->session->entry[i];

		if (i != c->artifact && (entry->is_dropped || entry->is_changed))
			invariants_keep(broken, c, i, entry->is_dropped, false);
	}
}

/* Whether the message has as many calls as before, and answers a call if it did before. */
static bool
keeps_pair(const struct session *t, const struct entry *entry, const struct verdict *verdict)
{
	uint32_t calls = entry->has_calls ? t->group[entry->group].calls : 0;

	return verdict->calls == calls && (verdict->answers == NONE) == (entry->call == NONE);
}

/* Walks over the messages that are left, as a reader of the output will. */
static void
check_pairs(const struct compaction *c, struct invariants *broken)
{
	const struct session *t = c->session;
	struct walk walk;
	struct verdict verdict;
	struct message message;

	walk_init(&walk);
	walk.steering = t->walk.steering;
	walk_set_agent(&walk, buf_str(&t->walk.agent));
	for (uint32_t i = 0; i < t->count; i++) {
		if (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].is_dropped)
			continue;
		entry_parse(&t->entry[i], &message);
		if (message.kind == RECORD_MESSAGE)
			walk_add(&walk, &message, &verdict);
		if (message.kind != RECORD_MESSAGE ||
		    (message.role != t->entry[i].role && i != c->artifact) ||
		    !keeps_pair(t, &t->entry[i], &verdict))
			invariants_note_entry(broken, INVARIANT_IDENTITY, t, i, NULL);
	}
	walk_free(&walk);
}

/* The first message is still of the stream's own agent. */
static void
check_agent(const struct session *t, struct invariants *broken)
{
	uint32_t end = t->added_count > 0 ? change_added(t, 0)->entry : t->count, i = 0;

	while (i < end && (t->entry[i].kind != RECORD_MESSAGE || t->entry[i].is_dropped))
		i++;
	if (i < end && t->entry[i].outside)
		invariants_note_entry(broken, INVARIANT_AGENT, t, i, NULL);
}

/* Whether the books agree with the session: no doomed entry is left, and nothing grew. */
static bool
keeps_books(struct compaction *c)
{
	const struct session *t = c->session;
	uint64_t used = 0, before = 0, after = 0;

	for (uint32_t i = 0; i < t->count; i++)
		if (!t->entry[i].is_dropped)
			used += t->entry[i].tokens;
	for (uint32_t i = 0; i < t->change_count; i++) {
		const struct change *change = &t->change[i];

		before += change->kind == CHANGE_ADD ? 0 : change->len;
		after += change->new_len;
		used += change->kind == CHANGE_ADD ? change->after : 0;
	}
	return used == compaction_used(c) && after <= before && c->doomed == 0;
}

void
invariants_check(struct compaction *c)
{
	struct invariants broken = {.sum = 0};

	check_kept(c, &broken);
	check_pairs(c, &broken);
	check_agent(c->session, &broken);
	if (!keeps_books(c))
		invariants_note(&broken, INVARIANT_BOOKS, 0, NULL);
	invariants_say(&broken, STR(""), c->options->fault);
}

const struct transform normalize_transform = {.name = STR_INIT("normalize")};
