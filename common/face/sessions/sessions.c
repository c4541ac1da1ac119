#include "face/sessions/sessions.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/list.h"
#include "data/stream_session.h"
#include "face/input/beside.h"
#include "face/transcript.h"

/* Whether there may be many sessions. */
static bool
is_keyed(const struct sessions *s)
{
	return s->lanes.outlet != NULL;
}

static struct lane *
open_lane(struct sessions *s, struct json_value key, uint64_t begin)
{
	struct lane *lane = lane_open(&s->lanes, key, begin);

	s->begun++;
	s->lanes.has_names = is_keyed(s) && (!s->is_named || s->begun > 1);
	LIST_ADD(s->lane, s->count, s->cap, lane);
	return lane;
}

/* Ends the session of the last record, since another one begins. */
static void
end_last(struct sessions *s)
{
	struct lane *lane = s->lanes.last;

	if (lane == NULL)
		return;
	lane_end(&s->lanes, lane);
	if (!fault_is_set(&s->lanes.run->fault))
		lane_finish(&s->lanes, lane);
	lane_free(&s->lanes, lane);
	s->count = 0;
	s->lanes.last = s->keyless = NULL;
	lanes_unname(&s->lanes);
}

/* Ends the input before the line, since its session has ended. */
static void
stop(struct sessions *s, struct json_value key, const struct line *line)
{
	struct buf label = BUF_INIT;

	lane_label(&label, key, &s->lanes.scratch);
	diag_warn_at(line->file, line->number, "session %s comes again, and --sorted has ended it",
	    label.ptr);
	buf_free(&label);
	run_fail(s->lanes.run, STATUS_DATA);
	s->lanes.run->source.has_stopped = s->has_stopped = true;
}

/* The lane of the records without a key. */
static struct lane *
find_keyless(struct sessions *s, const struct record *record)
{
	bool is_sorted = s->lanes.run->options->sorted;
	bool is_bare = record->kind == RECORD_BAD || record->kind == RECORD_BLANK;

	if (s->lanes.last != NULL && ((is_sorted && is_bare) || record->kind == RECORD_SOURCE))
		return s->lanes.last;
	if (s->keyless != NULL)
		return s->keyless;
	if (is_sorted)
		end_last(s);
	s->keyless = open_lane(s, json_absent, record->line.place);
	return s->keyless;
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
	lane = lane_ahead_find(&s->ahead, &s->lanes, key);
	if (lane != NULL)
		return lane;
	if (s->lanes.last != NULL && str_eq(json_span(s->lanes.last->key), json_span(key)))
		return s->lanes.last;
	hash = session_key_hash(key, &s->lanes.scratch);
	found = map_get(&s->by_key, hash);
	if (!s->lanes.run->options->sorted && found != MAP_NONE) {
		lane = (struct lane *)(uintptr_t)found;
		lane_fetch(&s->lanes, lane);
		return lane;
	}
	if (found != MAP_NONE && found == s->begun && s->lanes.last != NULL)
		return s->lanes.last; /* the same key, in another spelling */
	if (found != MAP_NONE) {
		stop(s, key, &record->line);
		return NULL;
	}
	if (s->lanes.run->options->sorted)
		end_last(s);
	lane = open_lane(s, key, record->line.place);
	map_set(&s->by_key, hash, s->lanes.run->options->sorted ? s->begun : (uintptr_t)lane);
	return lane;
}

/* The lane of the session of that name, which may be NULL. The first lane is that of the records
 * without a name, too. */
static struct lane *
find_named(struct sessions *s, const struct json_value *name, uint64_t place)
{
	struct lane *lane;
	struct hash hash;
	uint64_t found;

	if (s->keyless == NULL)
		s->keyless = open_lane(s, name != NULL ? *name : json_absent, place);
	if (name == NULL)
		return s->keyless;
	hash = session_key_hash(*name, &s->lanes.scratch);
	found = map_get(&s->by_key, hash);
	if (found != MAP_NONE)
		return (struct lane *)(uintptr_t)found;
	lane = s->by_key.count == 0 ? s->keyless : open_lane(s, *name, place);
	map_set(&s->by_key, hash, (uintptr_t)lane);
	return lane;
}

/* Whether the records of several sessions may be interleaved. */
static bool
is_mixed(const struct sessions *s)
{
	return !s->lanes.run->options->sorted && !(s->is_named && s->begun == 1);
}

/* Takes the record to the lane of the key, or of the name that its reader gave. */
static void
take_of(struct sessions *s, struct json_value key, struct record *record)
{
	struct lane *lane;

	if (s->has_stopped)
		return;
	lane = s->is_named ? find_named(s, record->session, record->line.place) :
			     find_lane(s, key, record);
	if (lane == NULL || fault_is_set(&s->lanes.run->fault))
		return;
	s->lanes.last = lane;
	s->lanes.run->session = json_span(lane->key);
	record->session = NULL;
	record->begins &= s->is_named; /* one key is one session */
	record->is_scattered = is_mixed(s);
	if (!s->is_named && record->is_scattered)
		lane_ahead_guess(&s->ahead, &s->lanes, &s->by_key, record->line.raw, key);
	lane->first->take(lane->first, record);
	lane_ahead_fetch(&s->ahead, &s->lanes, &s->by_key);
}

/* Takes the context record that waits, if one does, to the lane of the key. */
static void
take_opening(struct sessions *s, struct json_value key)
{
	struct record held = s->opening, opening = held;
	struct message read;

	if (held.block == NULL)
		return;
	s->opening.block = NULL;
	record_message(&opening, &read);
	take_of(s, key, &opening);
	record_release(&held);
}

static void
take(struct stage *stage, struct record *record)
{
	struct sessions *s = (struct sessions *)stage;
	struct json_value key = json_absent;
	struct message read;

	if (!s->is_named) {
		key = session_key_find(&s->key, record_message(record, &read));
		take_opening(s, key);
	}
	if (!s->is_named && key.type == JSON_ABSENT && record->kind == RECORD_CONTEXT &&
	    stream_session_is_store(record->message->value))
		record_hold(&s->opening, record);
	else
		take_of(s, key, record);
}

/* Ends all sessions, and emits the records that they held in the order of the input. */
static void
end(struct stage *stage)
{
	struct sessions *s = (struct sessions *)stage;

	if (s->is_named)
		find_named(s, NULL, 0);
	take_opening(s, json_absent);
	s->gathers = is_mixed(s);
	for (size_t i = 0; i < s->count; i++)
		lane_end(&s->lanes, s->lane[i]);
	lanes_unname(&s->lanes);
	if (s->lanes.command->run.ended != NULL)
		s->lanes.command->run.ended(s->lanes.self);
	s->gathers = false;
	gathered_emit(&s->gathered, stage);
}

/* Whether the record that a session emits may be one that gets the key. */
static bool
may_lack_key(const struct sessions *s, const struct record *record)
{
	bool is_added = record->state == RECORD_ADDED;

	if (record->kind == RECORD_SOURCE)
		return false;
	if (s->keys == SESSIONS_KEYS_ADDED)
		return is_added && record->line.place == 0;
	return s->keys == SESSIONS_KEYS_ALL && (record->state == RECORD_CHANGED || is_added);
}

/* Gives the record the key of the session, if it has none. */
static void
add_key(struct sessions *s, struct record *record, struct json_edit *edit)
{
	struct json_value key = s->lanes.last->key;
	const struct message *message;

	record_settle(record, &s->lanes.scratch);
	message = record_message(record, &s->message);
	json_edit_init(edit, record->line.text);
	if (session_key_add(&s->key, message, json_span(key), edit))
		record->edit = edit;
}

/* Passes the records that the last session emits. */
static void
pass(struct sessions *s, struct record *record)
{
	struct lane *lane = s->lanes.last;

	if (record->line.place > lane->anchor && record->state != RECORD_ASIDE)
		lane->anchor = record->line.place;
	/* When the input has ended, a reader before nested sessions emits the records that it
	 * held. */
	if (!s->gathers &&
	    (s == s->lanes.run->sessions || !s->lanes.run->has_ended || !is_mixed(s)))
		stage_emit(&s->stage, record);
	else
		gathered_add(&s->gathered, record, lane);
}

static void
let_out(struct stage *stage, struct record *record)
{
	struct sessions *s = (struct sessions *)((char *)stage - offsetof(struct sessions, outlet));
	struct json_edit edit = JSON_EDIT_INIT;

	record->is_scattered = false;
	if (s->lanes.last->key.type != JSON_ABSENT && may_lack_key(s, record))
		add_key(s, record, &edit);
	pass(s, record);
	json_edit_free(&edit);
}

const char *
sessions_label(const struct sessions *s)
{
	if (!is_keyed(s))
		return NULL;
	return s->lanes.last->key.type == JSON_ABSENT ? "-" : s->lanes.name.ptr + s->lanes.label;
}

void
sessions_add(struct sessions *s, struct str text)
{
	struct record record = {
	    .line = {.raw = text, .text = text}, .kind = RECORD_FOREIGN, .state = RECORD_ADDED};

	if (!is_keyed(s))
		run_add(s->lanes.run, text);
	else if (!fault_is_set(&s->lanes.run->fault))
		let_out(&s->outlet, &record);
}

static void
init(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	*s = (struct sessions){.stage = {.take = take, .end = end},
	    .outlet = {.take = let_out, .end = stage_pass_end, .fault = &run->fault},
	    .lanes = {.run = run,
		.command = command,
		.self = self,
		.forgotten = command->session.forgets},
	    .gathered = GATHERED_INIT,
	    .keys =
		command->session.keys != NULL ? command->session.keys(self) : SESSIONS_KEYS_ADDED};
	if (run->options->forgotten == FORGOTTEN_SHOW)
		s->lanes.forgotten = COMMAND_FORGOTTEN_STAY;
	else if (command->session.forgotten != NULL)
		s->lanes.forgotten = command->session.forgotten(self);
}

void
sessions_open(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	const char *path = run->options->session_key;

	init(s, run, command, self);
	run->sessions = s;
	run->is_keyed = path != NULL;
	if (path == NULL) {
		open_lane(s, json_absent, 0);
	} else {
		if (!session_key_parse(&s->key, path))
			options_fail("bad value '%s' of --session-key, expected a path of members "
				     "such as metadata.session_id",
			    path);
		run->key = &s->key;
		s->lanes.outlet = &s->outlet;
		s->lanes.has_names = true;
		run_link(run, (struct stage *[]){&s->stage, NULL});
	}
	if (run->transcript != NULL)
		run_link(run, (struct stage *[]){&run->transcript->stage, NULL});
	if (run->beside != NULL)
		run_link(run, (struct stage *[]){&run->beside->stage, NULL});
}

struct stage *
sessions_nest(struct sessions *s, struct run *run, const struct command *command, void *self)
{
	init(s, run, command, self);
	s->lanes.outlet = &s->outlet;
	s->is_named = run->key == NULL;
	s->lanes.has_names = !s->is_named;
	if (s->is_named)
		s->keys = SESSIONS_KEYS_NONE;
	else
		s->key = *run->key;
	return &s->stage;
}

void
sessions_part(struct sessions *s)
{
	if (s->lanes.last != NULL)
		tombstone_settle(&s->lanes.last->tombstone);
}

void
sessions_finish(struct sessions *s)
{
	for (size_t i = 0; i < s->count && !fault_is_set(&s->lanes.run->fault); i++)
		lane_finish(&s->lanes, s->lane[i]);
	if (s != s->lanes.run->sessions && s->begun > 0)
		s->lanes.run->sessions->nested += s->begun - 1;
}

void
sessions_end(struct sessions *s)
{
	int fd;

	if (!is_keyed(s)) {
		lane_end(&s->lanes, s->lanes.last);
		lane_finish(&s->lanes, s->lanes.last);
		return;
	}
	run_end(s->lanes.run);
	/* Without a session, an existing list of changes was not emptied yet. */
	fd = s->begun == 0 ? run_create_changes(s->lanes.run) : -1;
	if (fd >= 0)
		close(fd);
	sessions_finish(s);
	json_member_integer(
	    &s->lanes.run->members, STR("sessions"), (int64_t)(s->begun + s->nested));
}

void
sessions_free(struct sessions *s)
{
	for (size_t i = 0; i < s->count; i++)
		lane_free(&s->lanes, s->lane[i]);
	free(s->lane);
	map_free(&s->by_key);
	queue_free(&s->gathered);
	record_release(&s->opening);
	buf_free(&s->lanes.scratch);
	buf_free(&s->lanes.name);
}
