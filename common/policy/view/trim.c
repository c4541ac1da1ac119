#include "policy/view/trim.h"

#include <stdlib.h>

#include "base/mem.h"
#include "policy/framing.h"
#include "policy/selection.h"

/* One run over a session. */
struct trimming {
	const struct trim *trim;
	struct session *session;
	bool *kept;  /* of each entry: it is never dropped */
	bool *taken; /* of each group: it has been counted, and fits */
};

static const struct {
	struct str word;
	enum trim_word bit;
} words[] = {
    {STR_INIT("system"), TRIM_SYSTEM},
    {STR_INIT("developer"), TRIM_DEVELOPER},
    {STR_INIT("first"), TRIM_FIRST},
    {STR_INIT("pinned"), TRIM_PINNED},
    {STR_INIT("critical"), TRIM_CRITICAL},
    {STR_INIT("summary"), TRIM_SUMMARY},
};

static unsigned
find_word(struct str name)
{
	for (size_t i = 0; i < ARRAY_COUNT(words); i++)
		if (str_eq(name, words[i].word))
			return words[i].bit;
	return 0;
}

static unsigned
find_role(struct str name)
{
	if (str_eq(name, STR("human")))
		return 1U << ROLE_USER;
	if (str_eq(name, STR("ai")))
		return 1U << ROLE_ASSISTANT;
	for (enum role role = ROLE_SYSTEM; role <= ROLE_TOOL; role++)
		if (str_eq(name, role_name(role)))
			return 1U << role;
	return 0;
}

/* The bits of all names of a list. Returns 0 when one of them has none. */
static unsigned
read_list(const char *list, unsigned (*find)(struct str name))
{
	unsigned bits = 0;
	struct str name;

	while (str_take_word(&list, ',', &name)) {
		unsigned bit = find(name);

		if (bit == 0)
			return 0;
		bits |= bit;
	}
	return bits;
}

bool
trim_keep(struct trim *trim, const char *text, struct selector_error *error)
{
	unsigned bits = read_list(text, find_word);

	trim->words |= bits;
	return bits != 0 || selectors_add(&trim->keep, text, error);
}

bool
trim_parse_roles(const char *list, unsigned *roles)
{
	unsigned bits = read_list(list, find_role);

	*roles |= bits;
	return bits != 0;
}

bool
trim_is_set(const struct trim *trim)
{
	return trim->size.unit != SIZE_UNSET || trim->start_on != 0 || trim->end_on != 0;
}

static bool
is_in_view(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->is_dropped;
}

static bool
is_kept_by_word(const struct trimming *trimming, const struct framing *framing, uint32_t index)
{
	struct session *t = trimming->session;
	const struct entry *entry = &t->entry[index];
	const struct group *group = entry->group != NONE ? &t->group[entry->group] : NULL;
	unsigned wanted = trimming->trim->words, is = 0;

	is |= entry->role == ROLE_SYSTEM ? TRIM_SYSTEM : 0;
	is |= entry->role == ROLE_DEVELOPER ? TRIM_DEVELOPER : 0;
	is |= entry->is_summary ? TRIM_SUMMARY : 0;
	is |= entry->is_pinned || (group != NULL && group->is_pinned) ? TRIM_PINNED : 0;
	is |= entry->is_critical || (group != NULL && group->is_critical) ? TRIM_CRITICAL : 0;
	is |= (wanted & TRIM_FIRST) != 0 && framing_has(t, framing, index) ? TRIM_FIRST : 0;
	return (is & wanted) != 0;
}

/* Sets kept. A result is kept with its call. */
static void
mark_kept(struct trimming *trimming)
{
	const struct trim *trim = trimming->trim;
	struct session *t = trimming->session;
	struct framing framing = {.first = NONE};

	if ((trim->words & TRIM_FIRST) != 0)
		framing = framing_find(t, FRAMING_ANY);
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t head = session_head_index(t, i);

		if (!is_in_view(&t->entry[i]))
			continue;
		if (head != i)
			trimming->kept[i] = trimming->kept[head];
		else
			trimming->kept[i] = is_kept_by_word(trimming, &framing, i) ||
			    (trim->keep.count > 0 &&
				selection_ask_group(&trim->keep, t, i, trim->estimator) ==
				    TERM_YES);
	}
}

/* Whether the entry may go. */
static bool
is_loose(const struct trimming *trimming, uint32_t index)
{
	return is_in_view(&trimming->session->entry[index]) && !trimming->kept[index];
}

static void
drop_unit(struct session *t, uint32_t index)
{
	uint32_t at = 0, member;

	while ((member = session_unit_member(t, index, &at)) != NONE)
		t->entry[member].is_dropped = true;
}

/* The entry that is number i in the order in which units are looked at. */
static uint32_t
entry_at(const struct session *t, uint32_t i, bool from_start)
{
	return from_start ? i : t->count - 1 - i;
}

/* Drops units from one end, up to a message of one of the roles. From the start, the place of a
 * group is the place of its call; from the end, the place of its last result. */
static void
drop_up_to(struct trimming *trimming, unsigned roles, bool from_start)
{
	struct session *t = trimming->session;

	for (uint32_t i = 0; roles != 0 && i < t->count; i++) {
		uint32_t index = entry_at(t, i, from_start);

		if (!is_loose(trimming, index))
			continue;
		if ((roles >> t->entry[index].role & 1) != 0)
			return;
		drop_unit(t, index);
	}
}

/* How much of the size a message takes. */
static uint64_t
weight(const struct trimming *trimming, uint32_t index)
{
	struct entry *entry = &trimming->session->entry[index];

	if (trimming->trim->size.unit != SIZE_PLAIN)
		return trimming->trim->size.unit == SIZE_TURNS ? 0 : 1;
	estimate_entry(trimming->trim->estimator, entry);
	return entry->tokens;
}

static uint64_t
unit_weight(const struct trimming *trimming, uint32_t index)
{
	struct session *t = trimming->session;
	uint64_t sum = 0;

	for (uint32_t at = 0, i; (i = session_unit_member(t, index, &at)) != NONE;)
		if (!t->entry[i].is_dropped)
			sum += weight(trimming, i);
	return sum;
}

/* Whether the turn of the unit is among the turns: among the newest with its call, among the oldest
 * with its last result. */
static bool
is_in_turns(const struct trimming *trimming, uint32_t index)
{
	const struct session *t = trimming->session;
	const struct entry *entry = &t->entry[index];
	uint64_t turns = trimming->trim->size.value;

	if (!trimming->trim->from_start)
		return session_head(t, entry)->turn + turns > t->turn_count;
	if (entry->group != NONE)
		entry = &t->entry[t->group[entry->group].last];
	return entry->turn <= turns && turns > 0;
}

/* The room that the size leaves beside all kept entries. */
static uint64_t
find_room(const struct trimming *trimming)
{
	const struct session *t = trimming->session;
	struct size size = trimming->trim->size;
	uint64_t room = size.value, messages = 0;

	for (uint32_t i = 0; i < t->count; i++)
		messages += is_in_view(&t->entry[i]);
	if (size.unit == SIZE_MESSAGES_SHARE)
		room = messages * size.value / SIZE_WHOLE;
	else if (size.unit == SIZE_PLAIN)
		room = estimate_count(trimming->trim->estimator, room);
	for (uint32_t i = 0; i < t->count && room > 0; i++)
		if (is_in_view(&t->entry[i]) && trimming->kept[i])
			room -= number_least(room, weight(trimming, i));
	return room;
}

/* Whether a part of a unit that does not fit stays. */
static bool
leaves_part(const struct trimming *trimming, uint32_t index, uint64_t room)
{
	const struct trim *trim = trimming->trim;

	return trim->partial != PARTIAL_NONE &&
	    partial_cut(trimming->session, index, trim->partial, room, trim->estimator);
}

/* Drops all from the first unit on that does not fit. */
static void
fit(struct trimming *trimming, uint64_t room)
{
	struct session *t = trimming->session;
	bool is_turns = trimming->trim->size.unit == SIZE_TURNS, is_full = false;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t index = entry_at(t, i, trimming->trim->from_start);
		struct entry *entry = &t->entry[index];
		uint64_t need;

		if (!is_loose(trimming, index) ||
		    (entry->group != NONE && trimming->taken[entry->group]))
			continue;
		need = is_full ? 0 : unit_weight(trimming, index);
		if (!is_full && need > room && leaves_part(trimming, index, room)) {
			is_full = true;
			continue;
		}
		is_full = is_full || need > room || (is_turns && !is_in_turns(trimming, index));
		if (is_full) {
			drop_unit(t, index);
			continue;
		}
		room -= need;
		if (entry->group != NONE)
			trimming->taken[entry->group] = true;
	}
}

void
trim_apply(const struct trim *trim, struct session *t)
{
	struct trimming trimming = {.trim = trim, .session = t};
	uint64_t room;

	if (!trim_is_set(trim))
		return;
	trimming.kept = mem_alloc(t->count, sizeof *trimming.kept);
	trimming.taken = mem_alloc(t->group_count, sizeof *trimming.taken);
	memset(trimming.kept, 0, t->count * sizeof *trimming.kept);
	memset(trimming.taken, 0, t->group_count * sizeof *trimming.taken);
	mark_kept(&trimming);
	room = find_room(&trimming);
	drop_up_to(&trimming, trim->from_start ? trim->start_on : trim->end_on, trim->from_start);
	if (trim->size.unit != SIZE_UNSET)
		fit(&trimming, room);
	drop_up_to(&trimming, trim->from_start ? trim->end_on : trim->start_on, !trim->from_start);
	free(trimming.kept);
	free(trimming.taken);
}

void
trim_free(struct trim *trim)
{
	selectors_free(&trim->keep);
}
