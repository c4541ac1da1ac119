#include "data/archive/candidates.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/archive/undo_pass.h"

struct listing {
	struct candidate *item;
	uint32_t count, cap;
};

/* The passes of a stream, while they are read. */
struct reading {
	struct listing lines, budgets;
	struct map by_id;
};

void
candidates_open(struct candidates *passes, const struct archive_index *index)
{
	*passes = (struct candidates){.index = index};
	passes->mark = mem_alloc((size_t)index->count + 1, sizeof *passes->mark);
	for (uint32_t i = 0; i < index->count; i++)
		passes->mark[i] = (struct candidate_mark){.instead = NONE};
}

void
candidates_close(struct candidates *passes)
{
	for (uint32_t i = 0; i < passes->stream_count; i++) {
		free(passes->stream[i].candidate);
		free(passes->stream[i].group);
	}
	free(passes->stream);
	free(passes->mark);
	free(passes->noted);
	map_free(&passes->by_newest);
}

static void
note(struct candidates *passes, uint32_t item)
{
	if (passes->mark[item].is_noted)
		return;
	passes->mark[item].is_noted = true;
	LIST_ADD(passes->noted, passes->noted_count, passes->noted_cap, item);
}

/* All entries of a key are done at once. */
void
candidates_end(struct candidates *passes, const struct archive_key *key)
{
	uint32_t item = archive_index_find(passes->index, key);

	if (item != NONE && passes->mark[item].is_done)
		return;
	for (; item != NONE; item = passes->index->item[item].older)
		passes->mark[item].is_done = true;
}

/* Notes the passes of the sessions of which the pass consists. */
static void
note_parts(struct candidates *passes, const struct undo_pass *pass)
{
	struct archive_key key;

	if (!pass->is_whole)
		return;
	for (struct json_walk walk = json_walk_of(pass->sessions);
	     undo_pass_next_session(&walk, &key);) {
		uint32_t item = archive_index_find(passes->index, &key);

		if (item != NONE && passes->mark[item].is_part)
			continue;
		for (; item != NONE; item = passes->index->item[item].older)
			passes->mark[item].is_part = true;
	}
}

/* Whether a newer pass is equivalent: the same entry, an entry of another version, or the pass of a
 * stream that has only this session. */
static bool
is_twin(struct reading *reading, const struct undo_pass *pass)
{
	struct hash id = hash_bytes(json_span(pass->id), hash_seed(HASH_ARCHIVE));

	return !pass->is_old && map_set(&reading->by_id, id, 1) != MAP_NONE;
}

static void
add(struct listing *listing, const struct candidate *candidate)
{
	LIST_ADD(listing->item, listing->count, listing->cap, *candidate);
}

/* Reads the pass, which is not done, and lists it where it may be the best one. */
static void
add_pass(struct candidates *passes, uint32_t item, struct reading *reading)
{
	struct candidate candidate = {.item = item};
	struct undo_pass pass;

	if (!undo_pass_open(&pass, passes->index, item)) {
		passes->mark[item].is_damaged = true;
		note(passes, item);
	} else if (!undo_pass_is_empty(&pass) && !is_twin(reading, &pass)) {
		candidate.is_whole = pass.is_whole;
		note_parts(passes, &pass);
		if (pass.wrote_count == 0 || pass.has_lines)
			add(&reading->lines, &candidate);
		if (pass.wrote_count > 0) {
			candidate.wrote = pass.wrote[0];
			add(&reading->budgets, &candidate);
		}
	}
	undo_pass_close(&pass);
}

static int
compare_keys(const struct archive_key *a, const struct archive_key *b)
{
	return memcmp(a->byte, b->byte, ARCHIVE_KEY_BYTES);
}

/* By budget record, and then the best one last. */
static int
compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int by_key = compare_keys(&x->wrote, &y->wrote);

	if (by_key != 0)
		return by_key;
	if (x->is_part != y->is_part)
		return x->is_part ? -1 : 1;
	return x->item < y->item ? -1 : x->item > y->item;
}

static void
sort(const struct candidates *passes, struct listing *listing)
{
	for (uint32_t i = 0; i < listing->count; i++)
		listing->item[i].is_part = passes->mark[listing->item[i].item].is_part;
	if (listing->count > 0)
		qsort(listing->item, listing->count, sizeof *listing->item, compare_candidates);
}

/* Divides the candidates after the lines into groups. */
static void
make_groups(struct candidate_stream *stream, uint32_t count)
{
	const struct candidate *all = stream->candidate;
	uint32_t cap = 0;

	for (uint32_t i = stream->lines.count; i < count; i++) {
		if (i == stream->lines.count || compare_keys(&all[i - 1].wrote, &all[i].wrote)) {
			LIST_ROOM(stream->group, stream->group_count, cap);
			stream->group[stream->group_count++] =
			    (struct candidate_group){.first = &all[i]};
		}
		stream->group[stream->group_count - 1].count++;
	}
}

static struct candidate_stream
read_stream(struct candidates *passes, uint32_t newest)
{
	struct reading reading = {.by_id = MAP_INIT};
	struct listing *lines = &reading.lines, *budgets = &reading.budgets;
	struct candidate_stream stream = {.candidate = NULL};

	for (uint32_t i = newest; i != NONE; i = passes->index->item[i].older_of)
		if (!passes->mark[i].is_done)
			add_pass(passes, i, &reading);
	sort(passes, lines);
	sort(passes, budgets);
	stream.lines.count = lines->count;
	for (uint32_t i = 0; i < budgets->count; i++)
		add(lines, &budgets->item[i]);
	stream.candidate = lines->item;
	stream.lines.first = lines->item;
	make_groups(&stream, lines->count);
	free(budgets->item);
	map_free(&reading.by_id);
	return stream;
}

struct candidate_stream *
candidates_read(struct candidates *passes, uint32_t newest)
{
	struct hash hash = hash_number(newest, hash_seed(HASH_ARCHIVE));
	uint64_t number = map_get(&passes->by_newest, hash);

	if (number != MAP_NONE)
		return &passes->stream[number];
	LIST_ROOM(passes->stream, passes->stream_count, passes->stream_cap);
	map_set(&passes->by_newest, hash, passes->stream_count);
	passes->stream[passes->stream_count] = read_stream(passes, newest);
	return &passes->stream[passes->stream_count++];
}

static int
compare_group(const void *key, const void *group)
{
	return compare_keys(key, &((const struct candidate_group *)group)->first->wrote);
}

struct candidate_group *
candidates_group(const struct candidate_stream *stream, const struct archive_key *wrote)
{
	return stream->group_count == 0 ? NULL :
					  bsearch(wrote, stream->group, stream->group_count,
					      sizeof *stream->group, compare_group);
}

const struct candidate *
candidates_best(const struct candidates *passes, struct candidate_group *group)
{
	while (group->count > 0 && passes->mark[group->first[group->count - 1].item].is_done)
		group->count--;
	return group->count > 0 ? &group->first[group->count - 1] : NULL;
}

void
candidates_mark(struct candidates *passes, struct candidate_group *group, uint32_t instead)
{
	for (uint32_t i = 0; i < group->count && !group->is_marked; i++) {
		struct candidate_mark *mark = &passes->mark[group->first[i].item];

		if (mark->is_done || mark->instead != NONE)
			continue;
		mark->instead = instead;
		note(passes, group->first[i].item);
	}
	group->is_marked = true;
}
