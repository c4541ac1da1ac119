/*
 * --search: the lines of an archive's messages that match a pattern.
 */
#include "look_up.h"

#include "base/expression/expression.h"
#include "base/hash/map.h"

struct entry_search {
	struct look_up *recall;
	struct map *lines; /* the hit that has a line */
	uint32_t item;
	struct str whose;
	bool has_heading;
	const char *printed; /* the end of the last line that is in the answer */
	uint64_t after;      /* context lines still to be printed after a hit */
};

void
search_parse(struct look_up *recall)
{
	const char *search = recall->options->search;
	struct buf phrase = BUF_INIT;

	if (!expression_init(&recall->pattern, search, &phrase))
		options_fail("bad value of --search '%s': %.*s", search, STR_ARG(buf_str(&phrase)));
}

static uint64_t
context_of(const struct look_up *recall)
{
	uint64_t context = recall->options->context;

	return context != LOOK_UP_NO_CONTEXT ? context : 0;
}

static void
add_context(struct entry_search *search, uint64_t number, struct str line)
{
	enum { SHOWN = 200 };

	look_up_add_line(search->recall, number, '-', line, str_of(line.ptr, 0), SHOWN);
	search->printed = line.ptr + line.len + 1;
}

/* Appends the lines before the line of that number that are not in the answer yet. */
static void
add_before(struct entry_search *search, uint64_t number, struct str line)
{
	const char *start = line.ptr;
	struct str before;
	uint64_t count = 0;

	for (; count < context_of(search->recall) && start > search->printed; count++) {
		size_t len = (size_t)(start - 1 - search->printed);

		start = str_behind_last(str_of(search->printed, len), '\n').ptr;
	}
	before = str_of(start, (size_t)(line.ptr - start));
	for (; count > 0; count--)
		add_context(search, number - count, str_take_line(&before));
}

static void
add_match(struct entry_search *search, uint64_t number, struct str line, struct str match)
{
	enum { SHOWN = 200 };
	struct look_up *recall = search->recall;
	size_t start = recall->answer.len, end;
	const char *printed = search->printed;

	if (!search->has_heading)
		look_up_add_heading(recall, search->item, search->whose);
	add_before(search, number, line);
	look_up_add_line(recall, number, ':', line, match, SHOWN);
	end = recall->answer.len - 1;
	search->has_heading = look_up_add_hit(recall, search->item, start, end);
	search->printed = search->has_heading ? line.ptr + line.len + 1 : printed;
	search->after = search->has_heading ? context_of(recall) : 0;
}

/* Whether the line is in the answer, from another entry; counts this one. */
static bool
is_known(struct entry_search *search, struct hash key)
{
	uint64_t number = map_get(search->lines, key);
	struct look_up_hit *hit;

	if (number == MAP_NONE || search->recall->hit[number].item == search->item)
		return false;
	hit = &search->recall->hit[number];
	hit->keys += hit->last_item != search->item;
	hit->last_item = search->item;
	return true;
}

/* Appends the lines of the text that match. */
static void
search_text(struct entry_search *search, struct str text)
{
	struct look_up *recall = search->recall;
	const char *match, *end;

	search->printed = text.ptr;
	for (uint64_t number = 1; text.len > 0; number++) {
		struct str line = str_take_line(&text);

		if (expression_find(&recall->pattern, line, 0, &match, &end) &&
		    !is_known(search, hash_label(line))) {
			if (look_up_is_full(recall)) {
				recall->has_more = true;
				continue;
			}
			add_match(search, number, line, str_of(match, (size_t)(end - match)));
			map_set(search->lines, hash_label(line), recall->hit_count - 1);
		} else if (search->after > 0) {
			search->after--;
			add_context(search, number, line);
			recall->hit[recall->hit_count - 1].end = recall->answer.len;
		}
	}
}

void
search_run(struct look_up *recall)
{
	struct buf text = BUF_INIT, whose = BUF_INIT;
	struct map lines = MAP_INIT;

	/* The newest first; when the answer is full, the others are counted. */
	for (uint32_t i = recall->index.count; i-- > 0;) {
		struct entry_search search = {.recall = recall, .lines = &lines, .item = i};

		if (!look_up_text(recall, i, &text, &whose))
			continue;
		search.whose = buf_str(&whose);
		search_text(&search, buf_str(&text));
	}
	look_up_finish(recall);
	expression_free(&recall->pattern);
	map_free(&lines);
	buf_free(&text);
	buf_free(&whose);
}
