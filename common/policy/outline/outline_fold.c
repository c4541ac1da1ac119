#include "policy/outline/outline_fold.h"

#include <stdlib.h>

#include "base/list.h"
#include "policy/digest/outline_run.h"

enum { LEAST = 3, MOST = 8, NAMED_OF_REST = 3 };

/* Adds the call of the line to the run; of a line that is folded, the calls of all its lines. */
static bool
add_said(struct outline *outline, struct outline_run *run, uint32_t i)
{
	uint32_t last = outline->line[i].folded.len > 0 ? outline->line[i].last : i;
	bool is_added = true;

	for (uint32_t k = i; k <= last && is_added; k++) {
		const struct outline_line *line = &outline->line[k];

		if (k == i || (line->kind == OUTLINE_CALL && line->value != OUTLINE_AGAIN))
			is_added = outline_run_add(outline, run, k);
	}
	return is_added;
}

/* Adds the line to the run; returns whether it fits: a narrow run has only files of one tool. */
static bool
add(struct outline *outline, struct outline_run *run, uint32_t i, bool is_narrow)
{
	struct outline_line *line = &outline->line[i];
	struct outline_run before = *run;
	unsigned kinds = 0;
	bool is_added = line->kind == OUTLINE_CALL && add_said(outline, run, i);

	for (unsigned id = 0; id < OUTLINE_RUN_OPS; id++)
		kinds += run->files[id].paths > 0;
	if (!is_added || (is_narrow && (kinds > 1 || run->calls + run->looked > 0))) {
		*run = before;
		return false;
	}
	run->first = run->heads++ == 0 ? i : run->first;
	run->last = i;
	run->bytes += outline_cost(outline, line);
	line->run = run->first;
	return true;
}

/* Makes the run one line, if that saves room, and returns the bytes of the line, or 0. With
 * is_tried, only returns the bytes. */
static size_t
fold(struct outline *outline, const struct outline_run *run, uint32_t named, bool is_tried)
{
	struct outline_line *line = &outline->line[run->first], whole = *line;
	struct buf text = BUF_INIT;
	size_t cost = 0;

	if (run->heads < LEAST || run->count < LEAST)
		return 0;
	outline_run_write(run, named, &text);
	whole.folded = buf_str(&text);
	whole.last = run->last;
	cost = outline_cost(outline, &whole);
	if (cost >= run->bytes) {
		cost = 0;
	} else if (!is_tried) {
		line->folded = arena_copy(&outline->arena, whole.folded);
		line->last = run->last;
		for (uint32_t i = run->first + 1; i <= run->last; i++)
			outline->line[i].is_folded |=
			    named == OUTLINE_RUN_NAMED || outline->line[i].run == run->first;
	}
	buf_free(&text);
	return cost;
}

/* Whether the line does not divide a run: a detail that had no room, or a detail from a file whose
 * value is lower than that of the heads for which folding makes room. */
static bool
is_passed_over(const struct outline *outline, uint32_t i)
{
	const struct outline_line *line = &outline->line[i];

	return line->value == OUTLINE_AGAIN ||
	    (line->head != i &&
		(!line->is_chosen ||
		    (line->kind == OUTLINE_FOUND && line->value < OUTLINE_LOOKED)));
}

/* Folds the run, and begins another one; returns the bytes that are saved. */
static size_t
end(struct outline *outline, struct outline_run *run)
{
	size_t cost = fold(outline, run, OUTLINE_RUN_NAMED, false),
	       saved = cost > 0 ? run->bytes - cost : 0;

	*run = (struct outline_run){.heads = 0};
	return saved;
}

void
outline_fold(struct outline *outline, size_t wanted)
{
	struct outline_run run = {.heads = 0};
	size_t saved = 0;

	for (uint32_t i = 0; i < outline->count; i++) {
		outline->line[i].folded = STR("");
		outline->line[i].is_folded = false;
	}
	for (uint32_t i = 0; i < outline->count && saved < wanted; i++) {
		bool is_added;

		if (is_passed_over(outline, i))
			continue;
		is_added = add(outline, &run, i, true);
		if (!is_added) {
			saved += end(outline, &run);
			add(outline, &run, i, true);
		} else if (run.heads == MOST) {
			saved += end(outline, &run);
		}
	}
	if (saved < wanted)
		end(outline, &run);
}

/* Whether the call has no line of its own, and is counted in no other. */
static bool
is_left(const struct outline *outline, uint32_t i)
{
	const struct outline_line *line = &outline->line[i];

	return line->kind == OUTLINE_CALL && !line->is_chosen && !line->is_folded &&
	    line->first == i;
}

/* The calls without a line, and the lines of the user, which may divide them. */
struct rest {
	uint32_t *line;
	uint32_t count, cap;
};

/* Folds the calls without a line, at most most of them in one line; with a small most, words of the
 * user divide the lines. Returns the bytes that the lines take. Calls that only looked are left
 * out, since the files can be read again. */
static size_t
fold_rest(struct outline *outline, const struct rest *rest, uint32_t most, bool is_tried)
{
	struct outline_run run = {.heads = 0};
	uint32_t named = most <= 8 * MOST ? NAMED_OF_REST : 1;
	size_t taken = 0;

	/* Runs that did not become a line are dissolved; a chosen line stays. */
	for (uint32_t k = 0; k < rest->count; k++)
		outline->line[rest->line[k]].run = UINT32_MAX;
	for (uint32_t k = 0; k <= rest->count; k++) {
		uint32_t i = k < rest->count ? rest->line[k] : outline->count;
		bool is_user = i < outline->count && outline->line[i].kind == OUTLINE_USER;
		bool is_end = i == outline->count || (is_user && most <= 2 * MOST);
		size_t cost;

		if (is_end || run.heads == most) {
			bool did = run.calls + run.files[OUTLINE_RUN_EDITED].count +
				run.files[OUTLINE_RUN_WRITTEN].count >
			    0;

			cost = did ? fold(outline, &run, named, is_tried) : 0;
			if (cost > 0 && !is_tried)
				outline->line[run.first].is_chosen = true;
			taken += cost;
			run = (struct outline_run){.heads = 0};
		}
		if (i < outline->count && !is_user)
			add(outline, &run, i, false);
	}
	return taken;
}

size_t
outline_fold_rest(struct outline *outline, size_t room)
{
	struct rest rest = {.line = NULL};
	size_t taken = 0;
	bool fits = false;

	for (uint32_t i = 0; i < outline->count; i++) {
		outline->line[i].run = UINT32_MAX;
		if (is_left(outline, i) || outline->line[i].kind == OUTLINE_USER)
			LIST_ADD(rest.line, rest.count, rest.cap, i);
	}
	for (uint32_t most = MOST; most / 2 < outline->count && !fits; most += most / 2) {
		fits = fold_rest(outline, &rest, most, true) <= room;
		if (fits)
			taken = fold_rest(outline, &rest, most, false);
	}
	free(rest.line);
	return taken;
}
