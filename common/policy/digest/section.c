#include "policy/digest/section.h"

#include <stdlib.h>

#include "data/change.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/facts/open_failures.h"
#include "policy/facts/state.h"
#include "policy/outline/outline_text.h"

enum {
	ALL = GATHER_NAMES | GATHER_DIGEST | GATHER_SYMBOLS,
};

const struct section section_table[FACTS_SECTIONS] = {
    [FACTS_CONSTRAINTS] = {STR_INIT("constraints"), "Standing constraints", SECTION_OF_RULES, ALL,
	.gather = gather_constraints},
    [FACTS_INSTRUCTIONS] = {STR_INIT("instructions"), "Rules of the project's files",
	SECTION_OF_FIRST, ALL, .calls = SECTION_DONE, .add = facts_add_instructions},
    [FACTS_SUMMARY] = {STR_INIT("text"), "Earlier summary", SECTION_OF_TEXT, GATHER_DIGEST,
	.part = 5, .gather = gather_summary},
    [FACTS_GOAL] = {STR_INIT(""), "Goal", SECTION_OF_START, GATHER_DIGEST, .gather = gather_goal},
    [FACTS_LATEST] = {STR_INIT(""), "Latest request", SECTION_OF_START, GATHER_DIGEST,
	.gather = gather_latest},
    [FACTS_READ] = {STR_INIT("files_read"), "Files read", SECTION_OF_NAMES, ALL, .turn = 4,
	.is_always = true, .is_path = true, .calls = SECTION_DONE, .add = facts_add_files},
    [FACTS_MODIFIED] = {STR_INIT("files_modified"), "Files modified", SECTION_OF_NAMES, ALL,
	.turn = 1, .is_always = true, .is_path = true},
    [FACTS_DELETED] = {STR_INIT("files_deleted"), "Files deleted or moved", SECTION_OF_NAMES, ALL,
	.turn = 2, .is_path = true},
    [FACTS_UNRESOLVED] = {STR_INIT("unresolved"), "Unresolved", SECTION_OF_NAMES, ALL, .turn = 0,
	.is_json = true, .is_always = true, .calls = SECTION_ALL, .add = open_failures_add},
    [FACTS_GIT] = {STR_INIT("git"), "Git", SECTION_OF_NAMES, ALL, .turn = 3, .calls = SECTION_ENDED,
	.add = state_add_git},
    [FACTS_ATTEMPTS] = {STR_INIT("attempts"), "Attempts", SECTION_OF_NAMES, ALL, .turn = 5,
	.is_json = true, .calls = SECTION_ALL, .add = facts_add_attempt,
	.read = facts_read_attempts, .show = retries_show},
    [FACTS_TODOS] = {STR_INIT("todos"), "Open to-dos", SECTION_OF_FIRST, GATHER_DIGEST, .part = 10,
	.calls = SECTION_ENDED, .add = state_add_todos, .gather = gather_todos},
    [FACTS_CHECKS] = {STR_INIT("checks"), "Last checks, newest first", SECTION_OF_NEWEST,
	GATHER_DIGEST, .part = 10, .most = 5, .calls = SECTION_ENDED, .add = state_add_check},
    [FACTS_TEXT_CALLS] = {STR_INIT("text_calls"), NULL, SECTION_OF_PLACES, 0, .is_json = true},
    [FACTS_OUTLINE] = {STR_INIT("outline"), "What happened", SECTION_OF_OUTLINE, GATHER_DIGEST,
	.gather = gather_outline},
    [FACTS_SYMBOLS] = {STR_INIT("symbols"), NULL, SECTION_OF_SYMBOLS, GATHER_SYMBOLS,
	.gather = gather_symbols},
};

/* Whether the section keeps things as facts. */
static bool
is_list(const struct section *section)
{
	return section->member.len > 0 && section->form != SECTION_OF_TEXT &&
	    section->form < SECTION_OF_OUTLINE;
}

void
section_open(struct facts *facts, struct phrases *rules, const struct attempts *attempts)
{
	*facts = (struct facts){.constraints.own = rules, .attempts = attempts};
	for (unsigned i = 0; i < FACTS_SECTIONS; i++)
		facts->list[i].is_json = section_table[i].is_json;
}

void
section_close(struct facts *facts)
{
	for (unsigned i = 0; i < FACTS_SECTIONS; i++)
		things_free(&facts->list[i]);
	free(facts->constraints.read);
	retries_free(&facts->retries);
	places_free(&facts->places);
	text_call_free(&facts->calls);
}

static void
bound(struct facts *facts, enum facts_section id)
{
	if (section_table[id].most > 0)
		things_bound(&facts->list[id], section_table[id].most);
}

/* Merges the facts that any summary has. */
static void
read_lists(struct facts *facts, struct json_value from)
{
	facts->dropped += json_count(json_find(from, STR("dropped")));
	for (unsigned i = 0; i < FACTS_SECTIONS; i++) {
		struct json_value value = json_find(from, section_table[i].member);

		if (section_table[i].read != NULL)
			section_table[i].read(facts, value);
		else if (is_list(&section_table[i]) && section_table[i].form != SECTION_OF_PLACES)
			things_read(&facts->list[i], value);
		bound(facts, (enum facts_section)i);
	}
}

void
section_read(struct facts *facts, struct json_value from)
{
	read_lists(facts, from);
	things_read(&facts->list[FACTS_TEXT_CALLS],
	    json_find(from, section_table[FACTS_TEXT_CALLS].member));
	places_read(&facts->places, json_find(from, STR("covers")));
}

void
section_begin(struct facts *facts, const struct session *t, uint32_t artifact)
{
	places_begin(&facts->places, t, artifact);
	text_call_learn(&facts->calls, t, &facts->places, &facts->list[FACTS_TEXT_CALLS]);
}

static void
add_call(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	enum section_calls calls = SECTION_DONE;

	if (call->result == NONE || facts_add_refusal(facts, t, index))
		calls = SECTION_ALL;
	else if (t->entry[call->result].is_error)
		calls = SECTION_ENDED;
	for (unsigned i = 0; i < FACTS_SECTIONS; i++) {
		if (section_table[i].add == NULL || section_table[i].calls > calls)
			continue;
		section_table[i].add(facts, t, index);
		bound(facts, (enum facts_section)i);
	}
}

static void
add_constraints(struct facts *facts, const struct entry *entry)
{
	struct buf text = BUF_INIT;
	struct message message;

	entry_parse(entry, &message);
	message_read_text(&message, &text);
	constraints_add(
	    &facts->list[FACTS_CONSTRAINTS], &facts->constraints, entry, buf_str(&text));
	buf_free(&text);
}

void
section_add(struct facts *facts, const struct session *t, uint32_t index)
{
	const struct entry *entry = &t->entry[index];

	facts->dropped++;
	places_drop(&facts->places, index);
	text_call_drop(&facts->calls, t, &facts->places, &facts->list[FACTS_TEXT_CALLS], index);
	if (entry->is_summary && entry->role != ROLE_TOOL && !entry->has_calls)
		read_lists(facts, facts_of(entry));
	else if (entry->is_artifact)
		facts_add_trace(facts, facts_of(entry));
	if (constraints_may_stand_in(entry) &&
	    text_call_part_of(&facts->calls, index) != TEXT_CALL_RESULT)
		add_constraints(facts, entry);
	if (!entry->has_calls)
		return;
	for (uint32_t i = 0; i < t->group[entry->group].calls; i++)
		add_call(facts, t, t->group[entry->group].first_call + i);
}

void
section_gather(struct gather_source *g, enum gather_view view)
{
	struct json_value from = {NULL, 0, JSON_ABSENT, 0};
	unsigned end = view == GATHER_DIGEST && g->room == 0 ? FACTS_SUMMARY : FACTS_SECTIONS;
	struct entry earlier;

	gather_open(g, view);
	if (g->artifact != NONE) {
		earlier = change_base(g->session, g->artifact);
		from = facts_of(&earlier);
	}
	for (unsigned i = 0; i < end; i++)
		if (section_table[i].gather != NULL && (section_table[i].views & view) != 0)
			section_table[i].gather(g, json_find(from, section_table[i].member));
}

void
section_write(
    const struct facts *facts, const struct gather *gather, bool measured, struct json_writer *w)
{
	static const struct things none = {.count = 0};

	for (unsigned i = 0; i < FACTS_SECTIONS; i++) {
		const struct section *section = &section_table[i];
		const struct things *list = &facts->list[i];

		if (is_list(section) && (section->is_always || list->count > 0)) {
			json_name(w, section->member);
			things_write(measured ? &none : list, w);
		} else if (section->form == SECTION_OF_TEXT && gather->list[i].count > 0) {
			json_member_string(
			    w, section->member, gather->list[i].item[gather->list[i].used - 1]);
		} else if (section->form >= SECTION_OF_OUTLINE && gather->lines > 0 &&
		    (section->views & gather->view) != 0) {
			json_member_integer(w, section->member, gather->lines);
			if (section->form == SECTION_OF_OUTLINE)
				outline_text_write_behind(&gather->outline, w);
		}
	}
}

size_t
section_len(const struct facts *facts)
{
	size_t len = facts->places.len;

	for (unsigned i = 0; i < FACTS_SECTIONS; i++)
		len += facts->list[i].json_len;
	return len;
}
