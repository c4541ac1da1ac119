/*
 * --file: the newest state of a file that the archive and a log have, and its edits.
 *
 *     [src/gauge.c as of pass 2, edits since: 1]
 *     [0d9668678dce tool read src/gauge.c, turn 1]
 *     ...
 *     [93a77d0e1c0e assistant edit src/gauge.c, turn 1]
 *     ...
 *
 * The state is the newest result of a call that reads the whole file, or the newest call that
 * writes it; without one, the newest result that has a part of it. After the edits since then
 * follow the edits before that part, with other parts between them:
 *
 *     [src/gauge.c as of pass 2, lines 40-95 alone, edits since: 1, before: 1]
 *
 * Calls that failed do not count. Results are found by the ids of their calls, so the messages are
 * read twice. Memory holds the log, and only the numbers of the messages of the file.
 */
#include "look_up.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/text/file_path.h"
#include "data/archive/archive_text.h"
#include "data/tool/shell_read.h"
#include "face/input/source.h"
#include "json/string.h"

/* Lines of the file, from 1. */
struct shown {
	int64_t first;
	int64_t last; /* TOOL_LAST_LINE: to the end, or the lines are not known */
	bool is_part;
	bool by_shell; /* a command shows it, which may say why it cannot */
};

/* A message of the file. */
struct event {
	uint32_t item; /* of the archive, or NONE */
	size_t record; /* of the log */
	bool is_state;
	bool is_edit;
	bool is_said;       /* of a part: a later one says the same */
	struct shown shown; /* of a state */
};

struct log_record {
	struct buf text;
	size_t line;
};

struct file_state {
	struct look_up *recall;
	struct str path;
	struct map reads; /* the lines that each call that reads the file shows, by its id */
	struct shown *shown;
	size_t shown_count, shown_cap;
	struct map failed; /* the ids of calls that failed */
	struct event *event;
	size_t count, cap;
	struct log_record *record;
	size_t record_count, record_cap;
};

/* What a call does to the file. */
struct touch {
	struct str path;
	struct str directory; /* of a shell: the directory of its relative paths, or "" */
	struct arena *arena;
	bool reads;
	bool writes;
	bool is_all; /* it says all that the file holds then */
	struct shown shown;
};

/* Whether one of the paths is the other one below a directory. */
static bool
is_same_file(struct str a, struct str b)
{
	struct str end = a.len < b.len ? a : b, whole = a.len < b.len ? b : a;

	return end.len > 0 && str_has_suffix(whole, end) &&
	    (end.len == whole.len || whole.ptr[whole.len - end.len - 1] == '/');
}

static void
add_touch(void *context, enum tool_op kind, struct str path)
{
	struct touch *touch = context;

	path = file_path_below(touch->directory, path, touch->arena);
	if (!is_same_file(path, touch->path))
		return;
	touch->reads |= kind == TOOL_READ;
	touch->writes |= kind != TOOL_READ;
}

static struct touch
touch_of(const struct file_state *f, const struct tool_call *call)
{
	struct arena arena = ARENA_INIT;
	struct touch touch = {.path = f->path, .arena = &arena};
	struct buf name = BUF_INIT;
	struct tool_arguments arguments;
	struct tool_use use, read;
	bool by_shell;

	tool_arguments(call->arguments, &arena, &arguments);
	tool_classify(json_text(call->name, &name), &arguments, &arena, &use);
	touch.directory = use.directory;
	by_shell = use.op == TOOL_SHELL && shell_read_find(use.target, &arena, &read);
	if (by_shell)
		use = read;
	tool_files(use.op, use.target, &arena, add_touch, &touch);
	touch.reads &= use.op == TOOL_READ; /* a shell may print more */
	touch.shown = (struct shown){use.first_line, use.last_line,
	    use.is_part || use.first_line > 1 || use.last_line != TOOL_LAST_LINE, by_shell};
	touch.is_all = use.op == TOOL_WRITE && touch.writes;
	arena_free(&arena);
	buf_free(&name);
	return touch;
}

/* Notes the calls of the message that read the file, and that its call failed. */
static void
note_calls(struct file_state *f, const struct message *message)
{
	struct tool_call call;

	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);) {
		struct touch touch = touch_of(f, &call);

		if (!touch.reads)
			continue;
		map_set(&f->reads, call_id_hash(call.id), f->shown_count);
		LIST_ADD(f->shown, f->shown_count, f->shown_cap, touch.shown);
	}
	if (message->role == ROLE_TOOL && message_is(message, METADATA_IS_ERROR))
		map_set(&f->failed, call_id_hash(message->tool_call_id), 1);
}

/* Adds the message, if it is about the file. */
static void
add_event(struct file_state *f, const struct message *message, uint32_t item, size_t record)
{
	struct event event = {.item = item, .record = record, .shown = {1, TOOL_LAST_LINE, false}};
	struct tool_call call;

	for (struct call_walk walk = call_walk_of(message); call_walk_next(&walk, &call);) {
		struct touch touch = touch_of(f, &call);

		if (map_get(&f->failed, call_id_hash(call.id)) != MAP_NONE)
			continue;
		event.is_edit |= touch.writes;
		event.is_state |= touch.is_all;
	}
	if (message->role == ROLE_TOOL && !message_is(message, METADATA_IS_ERROR)) {
		uint64_t at = map_get(&f->reads, call_id_hash(message->tool_call_id));

		event.is_state =
		    at != MAP_NONE && !(f->shown[at].by_shell && shell_read_failed(message));
		if (event.is_state)
			event.shown = f->shown[at];
	}
	if (!event.is_edit && !event.is_state)
		return;
	LIST_ADD(f->event, f->count, f->cap, event);
}

/* Goes through the messages of the archive and the log, except messages that a placeholder
 * replaces. */
static void
each_message(struct file_state *f, bool adds)
{
	struct buf json = BUF_INIT;
	struct archive_key older;
	struct message message;

	for (uint32_t i = 0; i < f->recall->index.count; i++) {
		if (!look_up_message(f->recall, i, &json, &message))
			continue;
		if (adds)
			add_event(f, &message, i, 0);
		else
			note_calls(f, &message);
	}
	for (size_t i = 0; i < f->record_count; i++) {
		message_parse(&message, buf_str(&f->record[i].text));
		if (!adds)
			note_calls(f, &message);
		else if (!archive_key_of_message(&message, &older))
			add_event(f, &message, NONE, i);
	}
	buf_free(&json);
}

static void
read_log(struct file_state *f, const char *path)
{
	char *operand[] = {(char *)path};
	struct source source;
	struct record record;

	source_init(&source, operand, 1, &f->recall->fault);
	while (source_fill(&source))
		while (source_next(&source, &record)) {
			if (record.kind != RECORD_MESSAGE)
				continue;
			LIST_ROOM(f->record, f->record_count, f->record_cap);
			f->record[f->record_count] =
			    (struct log_record){.text = BUF_INIT, .line = record.line.number};
			buf_add_str(&f->record[f->record_count].text, record.line.text);
			buf_pad(&f->record[f->record_count++].text);
		}
	source_free(&source);
}

/* Appends the message under its heading, as many hits as it has lines; the label is above it. */
static void
write_event(struct file_state *f, const struct event *event, struct str label)
{
	struct look_up *recall = f->recall;
	struct buf text = BUF_INIT, whose = BUF_INIT;
	struct str rest, line;
	struct message message;
	bool has_heading = false;

	if (event->item == NONE) {
		message_parse(&message, buf_str(&f->record[event->record].text));
		archive_text_write(&message, &text);
		buf_add_fmt(&whose, "[%s:%zu ", recall->log, f->record[event->record].line);
		buf_add_str(&whose, role_name(message.role));
		buf_add_str(&whose, STR("]\n"));
	} else {
		look_up_text(recall, event->item, &text, &whose);
	}
	for (rest = buf_str(&text); rest.len > 0;) {
		size_t start = recall->answer.len;

		if (!has_heading)
			buf_add_str(&recall->answer, label);
		if (!has_heading && event->item == NONE)
			buf_add_str(&recall->answer, buf_str(&whose));
		else if (!has_heading)
			look_up_add_heading(recall, event->item, buf_str(&whose));
		line = str_take_line(&rest);
		buf_add_str(&recall->answer, line);
		buf_add_char(&recall->answer, '\n');
		has_heading |= look_up_add_hit(recall, event->item, start, start);
	}
	buf_free(&text);
	buf_free(&whose);
}

static uint32_t
count_edits(const struct file_state *f, size_t from, size_t to)
{
	uint32_t edits = 0;

	for (; from < to; from++)
		edits += f->event[from].is_edit;
	return edits;
}

/* Appends which lines of the file the state has. state is the number of events up to it, or 0 if
 * there is none. */
static void
write_extent(const struct file_state *f, size_t state, struct buf *out)
{
	const struct shown *shown = &f->event[state > 0 ? state - 1 : 0].shown;

	if (state == 0)
		buf_add_str(out, STR(", never whole"));
	else if (shown->last != TOOL_LAST_LINE)
		buf_add_fmt(
		    out, ", lines %jd-%jd alone", (intmax_t)shown->first, (intmax_t)shown->last);
	else if (shown->first > 1)
		buf_add_fmt(out, ", from line %jd alone", (intmax_t)shown->first);
	else if (shown->is_part)
		buf_add_str(out, STR(", in part"));
}

/* Appends the age of the state, and, of a part, the edits before it. */
static void
write_age(const struct file_state *f, size_t state)
{
	struct look_up *recall = f->recall;
	uint32_t passes = 0, before = count_edits(f, 0, state);

	if (recall->options->skip > 0)
		return;
	for (uint32_t i = 0; i < recall->index.count; i++)
		passes += recall->index.item[i].kind == ARCHIVE_PASS;
	buf_add_fmt(&recall->answer, "[%s as of ", recall->options->file);
	if (recall->log != NULL)
		buf_add_str(&recall->answer, str_from(recall->log));
	else
		buf_add_fmt(&recall->answer, "pass %ju", (uintmax_t)passes);
	write_extent(f, state, &recall->answer);
	buf_add_fmt(
	    &recall->answer, ", edits since: %ju", (uintmax_t)count_edits(f, state, f->count));
	if (state > 0 && f->event[state - 1].shown.is_part && before > 0)
		buf_add_fmt(&recall->answer, ", before: %ju", (uintmax_t)before);
	buf_add_str(&recall->answer, STR("]\n"));
}

/* The number of events up to the newest state, whole or not; 0 when there is none. */
static size_t
newest_state(const struct file_state *f, bool in_part)
{
	size_t state = f->count;

	while (state > 0 &&
	    !(f->event[state - 1].is_state && (in_part || !f->event[state - 1].shown.is_part)))
		state--;
	return state;
}

/* Marks the parts up to the state whose lines are all in a later one, with no edit in between. */
static void
mark_said(struct file_state *f, size_t state)
{
	enum { COMPARED = 16 };
	const struct shown *later[COMPARED];
	size_t count = 0;

	for (size_t i = state; i-- > 0;) {
		struct event *event = &f->event[i];

		if (event->is_edit)
			count = 0;
		if (!event->is_state)
			continue;
		for (size_t k = 0; k < count && k < COMPARED; k++)
			event->is_said |= event->shown.first >= later[k]->first &&
			    event->shown.last <= later[k]->last;
		if (event->shown.first > 1 || event->shown.last != TOOL_LAST_LINE)
			later[count++ % COMPARED] = &event->shown;
	}
}

/* Appends the edits and other parts before a state that is a part. */
static void
write_before(struct file_state *f, size_t state)
{
	struct str label = STR("[before that part was read:]\n");

	mark_said(f, state);
	for (size_t i = 0; i + 1 < state; i++) {
		if (f->event[i].is_said)
			continue;
		write_event(f, &f->event[i], label);
		label = STR("");
	}
}

static void
write_events(struct file_state *f)
{
	size_t state = newest_state(f, false);

	if (f->count == 0)
		return;
	state = state > 0 ? state : newest_state(f, true);
	write_age(f, state);
	if (state > 0)
		write_event(f, &f->event[state - 1], STR(""));
	for (size_t i = state; i < f->count; i++)
		if (f->event[i].is_edit)
			write_event(f, &f->event[i], STR(""));
	if (state > 0 && f->event[state - 1].shown.is_part)
		write_before(f, state);
}

void
file_state_run(struct look_up *recall)
{
	struct file_state f = {.recall = recall};
	struct arena arena = ARENA_INIT;

	f.path = file_path_normalize(str_from(recall->options->file), &arena);
	if (recall->log != NULL)
		read_log(&f, recall->log);
	each_message(&f, false);
	each_message(&f, true);
	write_events(&f);
	look_up_finish(recall);
	for (size_t i = 0; i < f.record_count; i++)
		buf_free(&f.record[i].text);
	free(f.record);
	free(f.event);
	free(f.shown);
	map_free(&f.reads);
	map_free(&f.failed);
	arena_free(&arena);
}
