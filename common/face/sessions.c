#include "face/sessions.h"

#include <stdalign.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"
#include "base/text/text.h"
#include "json/string.h"

/* One session: its stages, and where it stands. The key stands behind the command's struct. */
struct lane {
	struct stage *first;
	uint64_t begin;  /* the place of its first record */
	uint64_t anchor; /* the latest place of a record that it has emitted; 0: none */
	struct json_value key;
	alignas(max_align_t) char session[];
};

/* A record that a lane emitted at the end, and where it stands in the order of all. */
struct gathered {
	struct record record;
	uint64_t anchor;
	size_t number; /* in the order of emitting */
};

static bool
is_keyed(const struct sessions *s)
{
	return s->key.depth > 0;
}

/* Without the key. */
static size_t
lane_size(const struct sessions *s)
{
	return sizeof(struct lane) + s->command->session.size(s->self);
}

static struct lane *
open_lane(struct sessions *s, struct json_value key, uint64_t begin)
{
	struct stage *stages[SESSIONS_STAGES] = {NULL};
	size_t size = lane_size(s);
	struct lane *lane = mem_alloc(1, size + key.len + JSON_PADDING);

	memset(lane, 0, size);
	lane->begin = begin;
	lane->key = key;
	lane->key.ptr = (char *)lane + size;
	if (key.len > 0)
		memcpy((char *)lane + size, key.ptr, key.len);
	memset((char *)lane + size + key.len, 0, JSON_PADDING);
	s->begun++;
	s->last = lane;
	LIST_ROOM(s->lane, s->count, s->cap);
	s->lane[s->count++] = lane;
	s->run->session = json_span(lane->key);
	s->command->session.stages(s->self, lane->session, stages);
	lane->first = stages[0] != NULL ? stages[0] : &s->outlet;
	if (is_keyed(s))
		stage_link(stages, &s->outlet, &s->run->fault);
	else
		run_link(s->run, stages);
	return lane;
}

/* Appends the key as people see it, ended by a NUL. */
static void
add_label(struct buf *label, struct json_value key, struct buf *scratch)
{
	if (key.type == JSON_STRING)
		text_add_visible(label, json_text(key, scratch));
	else
		buf_add_str(label, json_span(key));
	buf_add_char(label, '\0');
}

/* Lets diagnostics that name no file name the session. */
static void
name_session(struct sessions *s, const struct lane *lane)
{
	const char *file = s->run->file != NULL ? s->run->file->path : NULL;

	if (!is_keyed(s))
		return;
	s->run->session = lane != NULL ? json_span(lane->key) : STR("");
	buf_reset(&s->name);
	if (file != NULL)
		buf_add_fmt(&s->name, "%s: ", file);
	if (lane == NULL) {
		diag_set_file(file);
		return;
	}
	buf_add_str(&s->name, STR("session "));
	s->label = s->name.len;
	if (lane->key.type != JSON_ABSENT)
		add_label(&s->name, lane->key, &s->scratch);
	else
		buf_add(&s->name, "without a key", sizeof "without a key");
	diag_set_file(s->name.ptr);
}

static void
finish_lane(struct sessions *s, struct lane *lane)
{
	s->last = lane;
	name_session(s, lane);
	if (s->command->session.finish != NULL)
		s->command->session.finish(s->self, lane->session);
	name_session(s, NULL);
}

static void
close_lane(struct sessions *s, struct lane *lane)
{
	if (s->command->session.free != NULL)
		s->command->session.free(s->self, lane->session);
	free(lane);
}

/* Ends the stages of a session. */
static void
end_lane(struct sessions *s, struct lane *lane)
{
	s->last = lane;
	name_session(s, lane);
	if (is_keyed(s))
		stage_end(lane->first);
	else
		run_end(s->run);
	if (s->command->session.ended != NULL)
		s->command->session.ended(s->self, lane->session);
}

/* Ends the session of the last record, since another one begins. */
static void
end_last(struct sessions *s)
{
	struct lane *lane = s->last;

	if (lane == NULL)
		return;
	end_lane(s, lane);
	if (!fault_is_set(&s->run->fault))
		finish_lane(s, lane);
	close_lane(s, lane);
	s->count = 0;
	s->last = s->keyless = NULL;
	name_session(s, NULL);
}

/* Ends the input in front of the line, since its session has ended. */
static void
stop(struct sessions *s, struct json_value key, const struct line *line)
{
	struct buf label = BUF_INIT;

	add_label(&label, key, &s->scratch);
	diag_warn_at(line->file, line->number, "session %s comes again, and --sorted has ended it",
	    label.ptr);
	buf_free(&label);
	run_fail(s->run, STATUS_DATA);
	s->run->source.has_stopped = s->has_stopped = true;
}

/* The lane of the records without a key. */
static struct lane *
find_keyless(struct sessions *s, const struct record *record)
{
	static const struct json_value none = {.type = JSON_ABSENT};
	bool is_sorted = s->run->options->sorted;

	if (is_sorted && s->last != NULL &&
	    (record->kind == RECORD_BAD || record->kind == RECORD_BLANK))
		return s->last;
	if (s->keyless != NULL)
		return s->keyless;
	if (is_sorted)
		end_last(s);
	s->keyless = open_lane(s, none, record->line.place);
	return s->keyless;
}

/* Brings a lane into the cache at once. Of very many sessions the next one is seldom there, and its
 * stages would wait for each line of it by itself. */
static void
fetch(const struct sessions *s, const struct lane *lane)
{
	enum { LINE = 64, MOST = 32 * LINE };
	size_t size = lane_size(s);

	for (size_t at = 0; at < size && at < MOST; at += LINE)
		__builtin_prefetch((const char *)lane + at, 1);
}

/* The lane of the record, which may begin with it; NULL when there is none. */
static struct lane *
find_lane(struct sessions *s, struct json_value key, const struct record *record)
{
	uint64_t found;
	struct hash hash;
	struct lane *lane;

	if (key.type == JSON_ABSENT)
		return find_keyless(s, record);
	if (s->last != NULL && str_eq(json_span(s->last->key), json_span(key)))
		return s->last;
	hash = session_key_hash(key, &s->scratch);
	found = map_get(&s->by_key, hash);
	if (!s->run->options->sorted && found != MAP_NONE) {
		lane = (struct lane *)(uintptr_t)found;
		fetch(s, lane);
		return lane;
	}
	if (found != MAP_NONE && found == s->begun && s->last != NULL)
		return s->last; /* the same key, in another spelling */
	if (found != MAP_NONE) {
		stop(s, key, &record->line);
		return NULL;
	}
	if (s->run->options->sorted)
		end_last(s);
	lane = open_lane(s, key, record->line.place);
	map_set(&s->by_key, hash, s->run->options->sorted ? s->begun : (uintptr_t)lane);
	return lane;
}

static void
take(struct stage *stage, struct record *record)
{
	struct sessions *s = (struct sessions *)stage;
	struct json_value key;
	struct lane *lane;
	struct message read;

	if (s->has_stopped)
		return;
	key = session_key_find(&s->key, record_message(record, &read));
	lane = find_lane(s, key, record);
	if (lane == NULL || fault_is_set(&s->run->fault))
		return;
	s->last = lane;
	s->run->session = json_span(lane->key);
	record->is_scattered = !s->run->options->sorted;
	lane->first->take(lane->first, record);
}

static int
compare_gathered(const void *a, const void *b)
{
	const struct gathered *x = a, *y = b;

	if (x->anchor != y->anchor)
		return x->anchor < y->anchor ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

/* Ends all sessions, and emits what they held in the order of the input. */
static void
end(struct stage *stage)
{
	struct sessions *s = (struct sessions *)stage;

	s->gathers = !s->run->options->sorted;
	for (size_t i = 0; i < s->count; i++)
		end_lane(s, s->lane[i]);
	name_session(s, NULL);
	s->gathers = false;
	if (s->gathered_count > 0)
		qsort(s->gathered, s->gathered_count, sizeof *s->gathered, compare_gathered);
	for (size_t i = 0; i < s->gathered_count; i++) {
		if (!fault_is_set(stage->fault))
			stage_emit_held(stage, &s->gathered[i].record);
		record_release(&s->gathered[i].record);
	}
	s->gathered_count = 0;
}

/* Whether the record that a session emits may be one that gets the key. */
static bool
may_lack_key(const struct sessions *s, const struct record *record)
{
	switch (s->keys) {
	case SESSIONS_KEYS_ADDED:
		return record->state == RECORD_ADDED && record->line.place == 0;
	case SESSIONS_KEYS_ALL:
		return record->state == RECORD_CHANGED || record->state == RECORD_ADDED;
	case SESSIONS_KEYS_NONE:
		break;
	}
	return false;
}

/* Gives the record the key of the session, if it has none. */
static void
add_key(struct sessions *s, struct record *record, struct json_edit *edit)
{
	struct json_value key = s->last->key;
	const struct message *message;

	record_settle(record, &s->scratch);
	message = record_message(record, &s->message);
	json_edit_init(edit, record->line.text);
	if (session_key_add(&s->key, message, json_span(key), edit))
		record->edit = edit;
}

/* Passes what the last session emits. */
static void
pass(struct sessions *s, struct record *record)
{
	struct lane *lane = s->last;
	bool is_aside = record->state == RECORD_ASIDE;
	struct gathered *gathered;

	if (record->line.place > lane->anchor && !is_aside)
		lane->anchor = record->line.place;
	if (!s->gathers) {
		stage_emit(&s->stage, record);
		return;
	}
	LIST_ROOM(s->gathered, s->gathered_count, s->gathered_cap);
	gathered = &s->gathered[s->gathered_count];
	record_hold(&gathered->record, record);
	gathered->anchor = is_aside ? record->line.place :
	    lane->anchor > 0        ? lane->anchor :
				      lane->begin;
	gathered->number = s->gathered_count++;
}

static void
let_out(struct stage *stage, struct record *record)
{
	struct sessions *s = (struct sessions *)((char *)stage - offsetof(struct sessions, outlet));
	struct json_edit edit = JSON_EDIT_INIT;

	record->is_scattered = false;
	if (s->last->key.type != JSON_ABSENT && may_lack_key(s, record))
		add_key(s, record, &edit);
	pass(s, record);
	json_edit_free(&edit);
}

const char *
sessions_label(const struct sessions *s)
{
	if (!is_keyed(s))
		return NULL;
	return s->last->key.type == JSON_ABSENT ? "-" : s->name.ptr + s->label;
}

void
sessions_add(struct sessions *s, struct str text)
{
	struct record record = {
	    .line = {.raw = text, .text = text}, .kind = RECORD_FOREIGN, .state = RECORD_ADDED};

	if (!is_keyed(s))
		run_add(s->run, text);
	else if (!fault_is_set(&s->run->fault))
		let_out(&s->outlet, &record);
}

static void
init(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	*s = (struct sessions){.stage = {.take = take, .end = end},
	    .outlet = {.take = let_out, .end = stage_pass_end, .fault = &run->fault},
	    .run = run,
	    .command = command,
	    .self = self,
	    .keys =
		command->session.keys != NULL ? command->session.keys(self) : SESSIONS_KEYS_ADDED};
}

void
sessions_open(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	static const struct json_value none = {.type = JSON_ABSENT};
	const char *path = run->options->session_key;

	init(s, run, command, self);
	run->sessions = s;
	run->is_keyed = path != NULL;
	if (path == NULL) {
		open_lane(s, none, 0);
		return;
	}
	if (!session_key_parse(&s->key, path))
		options_fail("bad value '%s' of --session-key, expected a path of members such as "
			     "metadata.session_id",
		    path);
	run->key = &s->key;
	run_link(run, (struct stage *[]){&s->stage, NULL});
}

struct stage *
sessions_nest(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	init(s, run, command, self);
	s->key = *run->key;
	return &s->stage;
}

/* Without a session, nobody has emptied the list of changes that was there. */
static void
empty_changes(struct run *run)
{
	bool *is_begun = run->file != NULL ? &run->file->has_changes : &run->has_changes;
	int fd = -1;

	if (run->options->changes != NULL && !fault_is_set(&run->fault))
		fd = run_create(run, run->options->changes, is_begun);
	if (fd >= 0)
		close(fd);
}

void
sessions_finish(struct sessions *s)
{
	for (size_t i = 0; i < s->count && !fault_is_set(&s->run->fault); i++)
		finish_lane(s, s->lane[i]);
	if (s != s->run->sessions && s->begun > 0)
		s->run->sessions->nested += s->begun - 1;
}

void
sessions_end(struct sessions *s)
{
	if (!is_keyed(s)) {
		end_lane(s, s->last);
		finish_lane(s, s->last);
		return;
	}
	run_end(s->run);
	if (s->begun == 0)
		empty_changes(s->run);
	sessions_finish(s);
	json_member_integer(&s->run->members, STR("sessions"), (int64_t)(s->begun + s->nested));
}

void
sessions_free(struct sessions *s)
{
	for (size_t i = 0; i < s->count; i++)
		close_lane(s, s->lane[i]);
	free(s->lane);
	map_free(&s->by_key);
	free(s->gathered);
	buf_free(&s->scratch);
	buf_free(&s->name);
}
