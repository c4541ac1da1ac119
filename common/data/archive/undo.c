#include "data/archive/undo.h"

#include <stdlib.h>

#include "base/list.h"
#include "data/archive/undo_pass.h"
#include "json/string.h"

/* The lines of the restored stream, while they are made from the lines of the present stream. */
struct lines {
	uint32_t *line;
	uint32_t count, cap;
};

/* A pass that is undone, and where its edits are read. */
struct pass {
	struct undo_pass read;
	struct json_walk walk;  /* over edits */
	struct json_value edit; /* the next one, or absent */
	uint64_t at;            /* of that edit */
	uint32_t wrote;         /* budget records that the pass wrote and that were taken out */
	bool puts_budgets;      /* those that were there before come back */
};

static uint32_t
add(struct undo *undo, struct undo_line line)
{
	LIST_ROOM(undo->all, undo->all_count, undo->all_cap);
	undo->all[undo->all_count] = line;
	return undo->all_count++;
}

static void
push(struct lines *lines, uint32_t line)
{
	LIST_ADD(lines->line, lines->count, lines->cap, line);
}

void
undo_open(struct undo *undo, const struct session *t, struct candidates *passes)
{
	struct lines lines = {.line = NULL};

	*undo = (struct undo){.passes = passes, .session = t};
	for (uint32_t i = 0; i < t->count; i++)
		if (!t->entry[i].is_continued)
			push(&lines,
			    add(undo,
				(struct undo_line){.key = archive_line_key(t, i),
				    .entry = i,
				    .item = NONE,
				    .under = NONE,
				    .end = archive_line_end(t, i),
				    .has_bom = t->entry[i].before > 0,
				    .is_budget = t->entry[i].kind == RECORD_BUDGET}));
	undo->line = lines.line;
	undo->count = lines.count;
}

void
undo_close(struct undo *undo)
{
	free(undo->all);
	free(undo->line);
	arena_free(&undo->arena);
}

static void
next_edit(struct pass *pass)
{
	int64_t at;

	pass->edit = json_absent;
	if (json_walk_next(&pass->walk)) {
		pass->edit = pass->walk.value;
		at = json_integer(json_find(pass->edit, STR("at")), -1);
		pass->at = at < 0 ? UINT64_MAX : (uint64_t)at;
	}
}

static bool
is_edit(const struct pass *pass, uint64_t line)
{
	return pass->edit.type != JSON_ABSENT && pass->at == line;
}

static void
open_edits(struct pass *pass, struct json_value edits)
{
	pass->edit = json_absent;
	if (edits.type != JSON_ARRAY)
		return;
	pass->walk = json_walk_of(edits);
	next_edit(pass);
}

static struct undo_line
find_record(const struct undo *undo, const struct archive_key *key)
{
	uint32_t item = archive_index_find(undo->passes->index, key);

	if (item != NONE && undo->passes->index->item[item].kind != ARCHIVE_RECORD)
		item = NONE;
	return (struct undo_line){
	    .key = *key, .entry = NONE, .item = item, .under = NONE, .end = STR("\n")};
}

/* Restores a removed record, if the edit names one. */
static void
put_gone(struct undo *undo, struct json_value edit, bool is_budget, struct lines *lines)
{
	struct json_value end = json_find(edit, STR("end"));
	struct archive_key key;
	struct undo_line line;
	struct buf text = BUF_INIT;

	if (!undo_pass_read_key(json_find(edit, STR("gone")), &key))
		return;
	line = find_record(undo, &key);
	line.is_budget = is_budget;
	line.has_bom = json_find(edit, STR("bom")).type == JSON_TRUE;
	if (end.type == JSON_STRING)
		line.end = arena_copy(&undo->arena, json_text(end, &text));
	push(lines, add(undo, line));
	buf_free(&text);
}

static bool
is_key_of(const struct undo *undo, uint32_t position, struct json_value value)
{
	struct archive_key key;

	return position < undo->count && undo_get(undo, position)->is_budget &&
	    undo_pass_read_key(value, &key) && archive_key_eq(&key, &undo_get(undo, position)->key);
}

/* Whether the line is the budget record that the pass wrote as that number. */
static bool
is_wrote(const struct undo *undo, const struct undo_pass *pass, uint32_t number, uint32_t position)
{
	return position < undo->count && undo_get(undo, position)->is_budget &&
	    number < pass->wrote_count &&
	    archive_key_eq(&pass->wrote[number], &undo_get(undo, position)->key);
}

/* Whether a budget record that the pass wrote is among its lines, which end at the position end, or
 * among the budget records directly after them. */
static bool
has_wrote(const struct undo *undo, const struct undo_pass *pass, uint32_t end)
{
	uint32_t i = 0;

	while (i < undo->count && (i < end || undo_get(undo, i)->is_budget))
		if (is_wrote(undo, pass, 0, i++))
			return true;
	return false;
}

static void
skip_wrote(const struct undo *undo, struct pass *pass, uint32_t *i)
{
	for (; is_wrote(undo, &pass->read, pass->wrote, *i); ++*i)
		pass->wrote++;
}

/* Takes the budget records at *i, except those that the pass wrote. */
static void
push_budgets(struct undo *undo, struct pass *pass, uint32_t *i, uint32_t end, struct lines *lines)
{
	skip_wrote(undo, pass, i);
	while (*i < end && undo_get(undo, *i)->is_budget) {
		push(lines, undo->line[(*i)++]);
		skip_wrote(undo, pass, i);
	}
}

/* The lines before the line of the output with that number: removed ones, and the budget records at
 * *i, which may have been changed since. */
static void
undo_between(
    struct undo *undo, struct pass *pass, uint64_t number, uint32_t *i, struct lines *lines)
{
	for (; is_edit(pass, number); next_edit(pass)) {
		struct json_value edit = pass->edit;
		bool is_budget = json_find(edit, STR("budget")).type == JSON_TRUE;

		skip_wrote(undo, pass, i);
		if (is_key_of(undo, *i, json_find(edit, STR("kept"))))
			push(lines, undo->line[(*i)++]);
		else if (json_find(edit, STR("gone")).type == JSON_STRING) {
			if (!is_budget || pass->puts_budgets)
				put_gone(undo, edit, is_budget, lines);
		} else if (json_find(edit, STR("was")).type != JSON_ABSENT ||
		    json_find(edit, STR("new")).type != JSON_ABSENT)
			break;
	}
	skip_wrote(undo, pass, i);
}

/* What a line of the output was, if it was there at all. */
static void
undo_line(struct undo *undo, struct pass *pass, uint32_t old, uint64_t number, struct lines *lines)
{
	struct archive_key key;
	struct undo_line line;

	if (!is_edit(pass, number)) {
		push(lines, old);
		return;
	}
	if (undo_pass_read_key(json_find(pass->edit, STR("was")), &key)) {
		line = find_record(undo, &key);
		line.under = old;
		line.end = undo->all[old].end;
		line.has_bom = undo->all[old].has_bom;
		push(lines, add(undo, line));
	}
	next_edit(pass);
}

/* The lines that the pass read. Returns the position after those that it wrote. */
static uint32_t
undo_edits(struct undo *undo, struct pass *pass, uint32_t end, struct lines *lines)
{
	uint64_t number = 0;
	uint32_t i = 0;

	open_edits(pass, pass->read.edits);
	for (;; number++) {
		if (pass->read.is_old)
			push_budgets(undo, pass, &i, end, lines);
		undo_between(undo, pass, number, &i, lines);
		push_budgets(undo, pass, &i, end, lines);
		if (i >= end)
			return i;
		undo_line(undo, pass, undo->line[i++], number, lines);
	}
}

/* Puts the budget records back among the lines of the input, as earlier versions say them. */
static void
undo_budget(struct undo *undo, struct pass *pass, struct lines *lines)
{
	struct lines all = {.line = NULL};
	uint64_t number = 0;

	open_edits(pass, pass->read.had);
	for (uint32_t i = 0; i < lines->count; i++) {
		if (!undo->all[lines->line[i]].is_budget) {
			for (; is_edit(pass, number); next_edit(pass))
				put_gone(undo, pass->edit, true, &all);
			number++;
		}
		push(&all, lines->line[i]);
	}
	for (; is_edit(pass, number); next_edit(pass))
		put_gone(undo, pass->edit, true, &all);
	free(lines->line);
	*lines = all;
}

/* Removes the LF that the pass put after the last line, which may end in a CR. */
static void
undo_end(struct undo *undo, struct lines *lines)
{
	struct undo_line line;

	if (lines->count == 0)
		return;
	line = undo->all[lines->line[lines->count - 1]];
	if (line.end.len > 0 && line.end.ptr[line.end.len - 1] == '\n')
		line.end.len--;
	lines->line[lines->count - 1] = add(undo, line);
}

/* Undoes the pass, whose output ends at the position end. Returns the end of its input. */
static uint32_t
undo_pass(struct undo *undo, struct pass *pass, uint32_t end)
{
	struct lines lines = {.line = NULL};
	uint32_t rest, restored;

	pass->puts_budgets = pass->read.wrote_count == 0 || has_wrote(undo, &pass->read, end);
	rest = undo_edits(undo, pass, end, &lines);
	if (pass->puts_budgets)
		undo_budget(undo, pass, &lines);
	if (pass->read.is_open)
		undo_end(undo, &lines);
	restored = lines.count;
	for (; rest < undo->count; rest++)
		push(&lines, undo->line[rest]);
	free(undo->line);
	undo->line = lines.line;
	undo->count = lines.count;
	return restored;
}

uint32_t
undo_item(struct undo *undo, uint32_t item, uint32_t end)
{
	struct pass pass = {.at = 0};

	candidates_end(undo->passes, &undo->passes->index->item[item].key);
	if (undo_pass_open(&pass.read, undo->passes->index, item)) {
		/* The pass is done, and so are the passes of sessions that are done with it. */
		struct archive_key key;
		uint64_t sessions = 0;

		if (pass.read.is_whole) {
			for (struct json_walk walk = json_walk_of(pass.read.sessions);
			     undo_pass_next_session(&walk, &key);) {
				candidates_end(undo->passes, &key);
				sessions++;
			}
		}
		undo->undone += sessions > 0 ? sessions : 1;
		end = undo_pass(undo, &pass, end);
	}
	undo_pass_close(&pass.read);
	return end;
}
