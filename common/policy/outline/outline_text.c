#include "policy/outline/outline_text.h"

#include "base/mem.h"
#include "policy/outline/outline_fold.h"
#include "policy/outline/outline_told.h"

enum {
	VALUE_MOST = 255,
	WORDS_LEAVE = 4, /* the user's words leave one part in so many to the other lines */
	REST_PART = 16,  /* calls without room are folded into this part of the room */
};

/* Sorts the lines by their value; of one value the newest comes first. */
static void
sort(struct outline *outline)
{
	uint32_t start[VALUE_MOST + 2] = {0};

	outline->order = mem_alloc((size_t)outline->count + 1, sizeof *outline->order);
	for (uint32_t i = 0; i < outline->count; i++)
		start[VALUE_MOST - outline->line[i].value + 1]++;
	for (unsigned v = 1; v <= VALUE_MOST; v++)
		start[v] += start[v - 1];
	for (uint32_t i = outline->count; i-- > 0;)
		outline->order[start[VALUE_MOST - outline->line[i].value]++] = i;
}

/* Counts the calls that were made again and have no line. */
static void
count_again(struct outline *outline)
{
	for (uint32_t i = 0; i < outline->count; i++)
		outline->line[i].again = outline->line[i].made;
	for (uint32_t i = 0; i < outline->count; i++) {
		const struct outline_line *line = &outline->line[i];
		struct outline_again *first = &outline->line[line->first].again;

		if (line->kind != OUTLINE_CALL || line->first == i)
			continue;
		first->ended = line->is_chosen ? first->outcome : line->made.ended;
		if (!line->is_chosen && !line->is_told)
			first->more += 1 + line->made.more;
	}
}

/* Whether the line is in a run that became one line, or would divide it. */
static bool
is_in_run(const struct outline *outline, const struct outline_line *line)
{
	const struct outline_line *head = &outline->line[line->head];

	return line->is_folded || head->is_folded || (head->folded.len > 0 && line != head);
}

/* Chooses lines until the room is taken, and words of the user until words is taken. Reduces *room,
 * and returns the bytes of the heads without room. A repeated call gets no line unless it has a
 * detail. */
static size_t
choose(struct outline *outline, size_t *room, size_t words)
{
	enum { LEAST = 16 };
	size_t left = 0;

	for (uint32_t i = 0; i < outline->count; i++) {
		struct outline_line *line = &outline->line[outline->order[i]], *head;
		bool is_word = line->kind == OUTLINE_USER || line->kind == OUTLINE_MORE;
		size_t cost;

		/* Most lines are details for which there is no room left. */
		if (outline->is_cut && line->head != outline->order[i] &&
		    (line->left.len >= *room || *room <= LEAST))
			continue;
		head = &outline->line[line->head];
		if (line->is_chosen || line->left.len == 0 || line->value == OUTLINE_AGAIN ||
		    is_in_run(outline, line))
			continue;
		cost = outline_cost(outline, line) +
		    (line == head || head->is_chosen ? 0 : outline_cost(outline, head));
		if (cost > *room || *room <= LEAST || (is_word && cost > words)) {
			left += line != head ? 0 : cost;
			outline->is_cut = true;
			continue;
		}
		head->is_chosen = line->is_chosen = true;
		*room -= cost;
		words -= is_word ? cost : 0;
	}
	return left;
}

/* Chooses lines anew; the user's words first get only a part of the room. */
static size_t
choose_anew(struct outline *outline, size_t *room)
{
	outline->is_cut = false;
	for (uint32_t i = 0; i < outline->count; i++)
		outline->line[i].is_chosen = false;
	count_again(outline);
	choose(outline, room, *room - *room / WORDS_LEAVE);
	outline->is_cut = false;
	return choose(outline, room, SIZE_MAX);
}

/* Chooses lines anew, and folds the calls without room into a part of the room. */
static void
choose_with_rest(struct outline *outline, size_t room)
{
	size_t rest = room, part = room / REST_PART, told;

	if (choose_anew(outline, &rest) == 0)
		return;
	rest = room - part;
	choose_anew(outline, &rest);
	count_again(outline);
	told = outline_fold_rest(outline, part);
	rest = told > 0 ? rest + part - told : room;
	if (told > 0)
		choose(outline, &rest, SIZE_MAX);
	else
		choose_anew(outline, &rest);
}

/* If there is no room for all heads, as many runs of them are folded first as necessary. */
static void
choose_all(struct outline *outline, size_t room)
{
	size_t rest = room, left;

	outline_fold(outline, 0);
	left = choose_anew(outline, &rest);
	if (left > rest) {
		outline_fold(outline, left - rest);
		choose_with_rest(outline, room);
	}
	count_again(outline);
	for (uint32_t i = 0; i < outline->count; i++)
		outline->line[i].is_partial = outline->line[i].was_partial;
	for (uint32_t i = 0; i < outline->count; i++)
		if (outline->line[i].kind == OUTLINE_MORE && !outline->line[i].is_chosen &&
		    outline->line[i].left.len > 0)
			outline->line[outline->line[i].head].is_partial = true;
}

/* Writes the line as a head, or as a detail of one. */
static void
write_line(const struct outline *outline, const struct outline_line *line,
    const struct outline_line *head, struct buf *text)
{
	struct str key = outline_shown_key(outline, head);

	buf_add_char(text, '\n');
	buf_add_str(text, key);
	if (key.len > 0)
		buf_add_char(text, ' ');
	buf_add_str(text, outline_mark[head->kind]);
	buf_add_str(text, line->folded.len > 0 ? line->folded : line->left);
	if (line->folded.len == 0)
		outline_again_write(&line->again, text);
	if (line->is_partial)
		buf_add_str(text, STR(OUTLINE_CUT));
}

/* Whether the line is one of the text; a headless one is not. */
static bool
is_shown(const struct outline_line *line)
{
	return line->is_chosen && !line->is_folded && line->left.len > 0;
}

uint32_t
outline_text_write(struct outline *outline, const struct map *rules, size_t room, struct buf *text)
{
	uint32_t lines = 0;
	bool is_headless = false; /* the words of the head are elsewhere: its first detail is it */

	if (outline->order == NULL) {
		sort(outline);
		outline_shorten_keys(outline);
	}
	outline_told_take(outline, rules);
	choose_all(outline, room);
	for (uint32_t i = 0; i < outline->count; i++) {
		const struct outline_line *line = &outline->line[i];

		if (!line->is_chosen || line->is_folded)
			continue;
		if (is_shown(line)) {
			write_line(outline, line,
			    is_headless && line->kind == OUTLINE_MORE ? &outline->line[line->head] :
									line,
			    text);
			lines++;
		}
		is_headless = line->left.len == 0;
	}
	return lines;
}

static void
put_behind(struct json_writer *w, uint64_t place, uint64_t lines)
{
	if (place == 0)
		return;
	json_open(w, '[');
	json_put_integer(w, (int64_t)place);
	json_put_integer(w, (int64_t)lines);
	json_close(w);
}

void
outline_text_write_behind(const struct outline *outline, struct json_writer *w)
{
	uint64_t place = 0, lines = 0;

	for (uint32_t i = 0; i < outline->count; i++) {
		const struct outline_line *line = &outline->line[i];

		if (!is_shown(line))
			continue;
		if (line->behind != place) {
			if (place == 0)
				json_member_open(w, STR("behind"), '[');
			put_behind(w, place, lines);
			place = line->behind;
			lines = 0;
		}
		lines++;
	}
	put_behind(w, place, lines);
	if (place > 0)
		json_close(w);
}
