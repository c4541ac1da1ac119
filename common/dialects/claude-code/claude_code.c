/*
 * Session files of Claude Code. A line is an envelope around one content block. Lines with the same
 * message.id make one message, even if results or lines of another agent are between them. Lines
 * that are known to be no conversation (titles, progress, snapshots, hooks) make no record.
 * Canonical records and lines that are not understood pass in their places.
 *
 * The model sees a compacted session only from its last compaction on, and only the branch on which
 * the user continued. So, unless all is set, the reader drops other branches, and the records
 * before that compaction that it does not keep. A later line may be a compaction, so without all
 * the reader holds every record from the first line of a session on. It does not hold the records
 * of a single file without compactions (claude_ahead.h). In a pipe, it emits the records, and takes
 * them back if needed (claude_growth.h).
 */

#include <stdlib.h>

#include "base/mem.h"
#include "dialects/claude-code/claude_ahead.h"
#include "dialects/claude-code/claude_compaction.h"
#include "dialects/claude-code/claude_growth.h"
#include "dialects/claude-code/claude_messages.h"
#include "dialects/dialect.h"
#include "dialects/load/load_forms.h"
#include "dialects/session_file/session_forms.h"
#include "dialects/unread.h"
#include "json/json_hold.h"
#include "json/string.h"

enum { UUID_SHOWN = 36 };

struct reader {
	struct dialect_stage base;
	struct dialect_reading *reading;
	struct claude_messages messages;
	struct claude_sessions sessions;
	struct claude_growth growth;
	struct line newest; /* file, number and place of the last record; no file: none came */
	bool is_own;        /* that file has records of Claude Code */
};

/* Takes the earlier messages of the thread out of the context, as a compaction did. With the main
 * agent's messages, the messages of the agents that it called are dropped, too. */
static void
forget(struct reader *reader, const struct claude_line *line)
{
	struct claude_session *session = line->session;
	struct joiner *joiner = &reader->messages.joiner;

	if (reader->reading->all)
		return;
	if (!joiner->hold) {
		dialect_note_late(reader->reading, line->from);
		return;
	}
	session->has_turned = true;
	while (line->agent == CLAUDE_MAIN && session->called_count > 0) {
		struct claude_agent *called =
		    &session->agents.list[session->called[--session->called_count]];

		called->is_listed = false;
		reader->reading->compacted +=
		    claude_sessions_drop_thread(joiner, session, called->thread);
	}
	if (claude_compaction_begin(
		joiner, &session->of, &session->tree, line->thread, line->uuid, line->compaction))
		claude_messages_close(&reader->messages, line);
	else
		reader->reading->compacted +=
		    claude_sessions_drop_thread(joiner, session, line->thread);
}

static void
read_user(struct reader *reader, struct claude_line *line)
{
	bool is_summary = line->is_summary.type == JSON_TRUE;
	bool is_awaited = is_summary && line->thread->awaits_summary;
	struct claude_tree *tree = &line->session->tree;
	struct json_value parent = line->follows;
	struct hash parent_key = line->follows_key;

	if (is_summary && !is_awaited)
		forget(reader, line);
	if (!claude_messages_user(&reader->messages, line))
		return;
	if (is_awaited)
		claude_compaction_summarize(
		    &reader->messages.joiner, &line->session->tree, line->thread, line->uuid);
	else if (!is_summary && line->piece == 1 && line->agent == CLAUDE_MAIN)
		claude_branches_add(&line->session->branches, tree, line->name, parent, parent_key);
	if (!is_awaited)
		return;
	line->thread->awaits_summary = false;
	line->session->has_turned = true;
}

/* Whether the line has a message that the user queued while the agent worked, which is only in an
 * attachment. If so, the line gets its content. */
static bool
find_queued(struct claude_line *line)
{
	struct json_value attachment = line->attachment;

	if (!json_is(line->type, STR("attachment")) ||
	    (json_find(attachment, STR("type")).type == JSON_STRING &&
		!json_has_type(attachment, STR("queued_command"))))
		return false;
	line->content = json_find(attachment, STR("prompt"));
	if (line->content.type < JSON_STRING)
		return false;
	line->pieces = 1;
	return true;
}

/* Passes a record that is no message, and notes the node of its session after which it came.
 * session and thread may be NULL. */
static void
pass(struct reader *reader, const struct claude_session *session, struct claude_thread *thread,
    struct record *record)
{
	struct joined *joined =
	    joiner_pass(&reader->messages.joiner, session != NULL ? &session->of : NULL,
		thread != NULL ? &thread->records : NULL, record);

	if (joined != NULL && session != NULL)
		joined->node = session->tree.count - 1;
}

/* Reads a line that is no known message. Returns whether the line is known to be no conversation. A
 * line that may be part of one (unread_speaks) is not understood, so no compaction drops it. */
static bool
read_other(struct reader *reader, struct claude_line *line, struct record *record)
{
	bool speaks = !line->is_request && unread_speaks(record->message->value);

	if (!speaks && claude_line_is_silent(line)) {
		tally_add_record(reader->reading->skipped, record->message->value);
		return true;
	}
	pass(reader, line->session, speaks ? NULL : line->thread, record);
	return false;
}

/* Notes that the record is of the dialect. This must be before a message of it is emitted, since
 * later stages may ask for the dialect. */
static void
note_own(struct reader *reader, const struct record *record)
{
	reader->is_own = true;
	dialect_note_other(reader->reading, &claude_code_dialect, &record->line);
}

static void
read_envelope(struct reader *reader, struct claude_line *line, struct record *record)
{
	bool has_content = line->content.type == JSON_STRING || line->content.type == JSON_ARRAY;
	bool is_answer = has_content && json_is(line->role, STR("assistant"));
	bool is_user = has_content && json_is(line->role, STR("user"));
	bool is_message = is_answer || is_user || find_queued(line);

	if (is_message)
		note_own(reader, record);
	if (line->session->has_gone && line->agent == CLAUDE_MAIN &&
	    (is_message || json_is(line->type, STR("system")))) {
		line->session->has_gone = false;
		line->session->has_turned = true;
	}
	if (is_answer) {
		claude_messages_answer(&reader->messages, line);
	} else if (is_user) {
		read_user(reader, line);
	} else if (is_message) {
		claude_messages_text(&reader->messages, line);
	} else {
		claude_tree_skip(&line->session->tree, line->key, line->follows, line->follows_key);
		if (json_is(line->type, STR("last-prompt")))
			claude_sessions_stand(line->session, record->message->value);
		if (read_other(reader, line, record))
			note_own(reader, record);
	}
	if (json_is(line->subtype, STR("compact_boundary"))) {
		forget(reader, line);
		line->thread->awaits_summary = true;
		if (line->agent == CLAUDE_MAIN)
			line->session->stood = (struct hash){0, 0};
	}
}

/* Gives a new uuid to a line that has the uuid of a different, earlier line. Lines that name the
 * old uuid as their parent follow the later line. */
static void
name_anew(struct reader *reader, struct claude_line *line)
{
	struct json_value uuid = line->uuid;
	struct str text = json_text(uuid, &reader->messages.scratch);

	dialect_note_flaw(reader->reading, line->from,
	    "uuid '%.*s' is that of an earlier line which says something else",
	    (int)(text.len < UUID_SHOWN ? text.len : UUID_SHOWN), text.ptr);
	line->uuid = claude_agents_name(&line->session->agents, uuid, line->agent);
	line->key = claude_uuids_key(line->uuid);
}

static void
read_line(struct reader *reader, struct record *record)
{
	struct claude_line line;
	struct claude_agents *agents;
	struct hash key;
	enum claude_agents_repetition repetition;

	claude_line_open(&line, &record->line, record->message, &reader->sessions.uuids,
	    &reader->messages.scratch);
	if (reader->reading->census != NULL)
		claude_line_count(&line, record->message->value, reader->reading->census);
	line.session = claude_sessions_find(&reader->sessions, &line);
	agents = &line.session->agents;
	line.agent = claude_agents_find(agents, &line);
	claude_sessions_find_thread(&line);
	if (reader->messages.joiner.grows)
		claude_growth_begin(&reader->growth, line.session, &record->line);
	key = line.key;
	repetition = claude_agents_note(agents, &line);
	if (repetition == CLAUDE_OTHER)
		name_anew(reader, &line);
	if (repetition == CLAUDE_REPEATED) {
		tally_add(reader->reading->skipped, STR("repeated line"));
		note_own(reader, record);
	} else {
		read_envelope(reader, &line, record);
	}
	if (repetition == CLAUDE_OTHER)
		claude_tree_join(
		    &line.session->tree, key, claude_tree_find(&line.session->tree, line.key));
	if (reader->messages.joiner.grows)
		claude_growth_look(&reader->growth, &line);
}

/* Passes a canonical record, which belongs to the current session. */
static void
pass_canonical(struct reader *reader, struct record *record)
{
	struct claude_session *session = claude_sessions_at(&reader->sessions, record->line.file);

	if (record->kind == RECORD_MESSAGE)
		for (uint32_t i = 0; i < reader->sessions.count; i++)
			if (session == NULL || session == reader->sessions.list[i])
				claude_tree_pass(&reader->sessions.list[i]->tree);
	pass(reader, session, NULL, record);
}

static void
take_record(struct reader *reader, struct record *record)
{
	struct claude_session *session;
	bool is_held;

	switch (record->kind) {
	case RECORD_FOREIGN:
		if (record->message->value.type == JSON_OBJECT) {
			is_held = json_hold_spans(
			    json_span(record->message->value), record->message->spans);
			read_line(reader, record);
			if (is_held)
				json_release();
			return;
		}
		/* fall through */
	case RECORD_BAD:
		session = claude_sessions_at(&reader->sessions, record->line.file);
		pass(reader, session, session != NULL ? &session->thread : NULL, record);
		return;
	default:
		pass_canonical(reader, record);
	}
}

/* Whether records are held until all were read. */
static bool
holds(const struct dialect_reading *reading, const char *file, struct fault *fault)
{
	return reading->apart ||
	    (!reading->all &&
		(!reading->looks_ahead || !reading->is_one_file || reading->grows ||
		    claude_ahead_may_take_back(file, fault)));
}

static void
end_file(struct reader *reader)
{
	if (reader->is_own)
		joiner_end_file(&reader->messages.joiner, reader->reading, claude_code_dialect.name,
		    &reader->newest);
	reader->is_own = false;
}

static void
take(struct stage *stage, struct record *record)
{
	struct reader *reader = (struct reader *)stage;

	if (record->kind == RECORD_BLANK)
		return;
	if (reader->newest.file != record->line.file)
		end_file(reader);
	if (reader->newest.file == NULL)
		reader->messages.joiner.hold =
		    holds(reader->reading, record->line.file, stage->fault);
	take_record(reader, record);
	reader->newest = (struct line){
	    .file = record->line.file, .number = record->line.number, .place = record->line.place};
	if (reader->messages.joiner.grows)
		claude_growth_send(&reader->growth, &record->line);
}

/* Drops the messages that the newest compactions took out of the session, and marks the branches
 * that were left. */
static void
finish_session(struct reader *reader, struct claude_session *session)
{
	uint64_t *compacted = &reader->reading->compacted;

	*compacted +=
	    claude_compaction_finish(&reader->messages.joiner, &session->tree, &session->thread);
	for (uint32_t i = CLAUDE_MAIN + 1; i < session->agents.count; i++)
		*compacted += claude_compaction_finish(
		    &reader->messages.joiner, &session->tree, session->agents.list[i].thread);
	claude_sessions_leave(session);
}

/* Drops the messages that no session sends to its model. */
static void
drop_rest(struct reader *reader)
{
	struct joiner *joiner = &reader->messages.joiner;
	struct joined *next;

	for (uint32_t i = 0; i < reader->sessions.count; i++)
		if (joiner->hold)
			finish_session(reader, reader->sessions.list[i]);
		else if (reader->sessions.list[i]->branches.has_fork)
			dialect_note_late(reader->reading, &reader->newest);
	for (struct joined *joined = joiner->records.first; joined != NULL; joined = next) {
		next = joined->next;
		if (claude_sessions_left(&reader->sessions, joined))
			reader->reading->left += joiner_drop(joiner, joined);
	}
}

static void
end(struct stage *stage)
{
	struct reader *reader = (struct reader *)stage;

	if (reader->messages.joiner.grows)
		claude_growth_finish(&reader->growth, &reader->newest);
	if (!reader->reading->all)
		drop_rest(reader);
	joiner_finish(&reader->messages.joiner);
	end_file(reader);
}

static void
free_reader(struct dialect_stage *base)
{
	struct reader *reader = (struct reader *)base;

	claude_messages_free(&reader->messages);
	claude_sessions_free(&reader->sessions);
	free(reader);
}

static struct dialect_stage *
reader(struct dialect_reading *reading)
{
	struct reader *reader = mem_alloc(1, sizeof *reader);

	*reader =
	    (struct reader){.base = {.stage = {.take = take, .end = end}, .free = free_reader},
		.reading = reading,
		.messages.joiner = {.stage = &reader->base.stage,
		    .provenance = reading->provenance,
		    .names_lines = true,
		    .grows = reading->grows && !reading->all && !reading->apart,
		    .apart = reading->apart}};
	reader->growth = (struct claude_growth){
	    .joiner = &reader->messages.joiner, .sessions = &reader->sessions};
	return &reader->base;
}

const struct dialect claude_code_dialect = {.name = "claude-code",
    .version = "version",
    .reader = reader,
    .writer = session_forms_claude_code,
    .is_session = true,
    .load = &load_forms_claude_code};
