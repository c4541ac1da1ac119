#include "data/session/session_builder.h"

#include "base/list.h"
#include "data/message/texts.h"
#include "data/message/tool_output.h"
#include "data/session/call_digest.h"
#include "data/session/session_calls.h"
#include "data/session/session_judgement.h"
#include "data/tool/simple_command.h"
#include "json/string.h"

static struct entry *
new_entry(struct session *t, const struct line *line, const struct message *message)
{
	struct entry *entry;

	LIST_ROOM(t->entry, t->count, t->cap);
	entry = &t->entry[t->count++];
	*entry = (struct entry){
	    .raw = line->raw.ptr,
	    .place = line->place,
	    .len = (uint32_t)line->raw.len,
	    .before = (uint8_t)(line->text.ptr - line->raw.ptr),
	    .after = (uint8_t)(line->raw.ptr + line->raw.len - (line->text.ptr + line->text.len)),
	    .kind = (uint8_t)message->kind,
	    .is_continued = line->continued,
	    .execution = NONE,
	    .turn = NONE,
	    .group = NONE,
	    .call = NONE,
	    .lost = NONE,
	    .change = NONE,
	    .outside = true,
	};
	return entry;
}

static void
settle(struct session *t, uint32_t *candidate, enum fate fate)
{
	struct entry *entry;

	if (fate == FATE_OPEN)
		return;
	if (fate == FATE_FINAL && *candidate != NONE) { /* not forgotten */
		entry = &t->entry[*candidate];
		entry->is_final = true;
		t->execution[entry->execution].final = *candidate;
	}
	*candidate = NONE;
}

static void
settle_both(struct session *t, enum fate answer, enum fate error)
{
	settle(t, &t->answer, answer);
	settle(t, &t->error, error);
}

static void
begin_execution(struct session *t, uint32_t entry)
{
	struct str id = walk_execution_id(&t->walk);
	bool is_named = t->current == CURRENT_ID && str_eq(id, t->current_id);

	if (t->execution_count > 0) { /* that one ends */
		struct execution *last = &t->execution[t->execution_count - 1];

		last->is_over = true;
		last->is_current &= t->current == CURRENT_ID;
		session_judge(t, entry);
	}
	LIST_ADD(t->execution, t->execution_count, t->execution_cap,
	    (struct execution){.id = arena_copy(&t->arena, id),
		.first = entry,
		.final = NONE,
		.is_current =
		    is_named || t->current == CURRENT_AUTO || t->current == CURRENT_LAST});
}

static void
set_execution(struct session *t, struct entry *entry, const struct verdict *verdict)
{
	uint32_t index = (uint32_t)(entry - t->entry);

	entry->execution = verdict->execution;
	entry->nested = verdict->nested;
	entry->turn = verdict->turn;
	entry->is_request = verdict->is_request;
	entry->is_named = verdict->nested != 0 && t->current == CURRENT_ID &&
	    str_eq(walk_nested_id(&t->walk, verdict->nested), t->current_id);
	if (verdict->execution == NONE)
		return;
	if (verdict->execution_began)
		begin_execution(t, index);
	t->execution[entry->execution].last = index;
}

static struct str
keep_text(struct session *t, struct json_value string)
{
	if (string.type != JSON_STRING)
		return STR("");
	if (!string.escaped)
		return json_inner(string);
	return arena_copy(&t->arena, json_text(string, &t->scratch));
}

static void
add_group(struct session *t, const struct verdict *verdict, uint32_t entry)
{
	LIST_ADD(t->group, t->group_count, t->group_cap,
	    (struct group){.entry = entry,
		.last = entry,
		.first_call = verdict->first_call,
		.calls = verdict->calls});
	for (uint32_t i = 0; i < verdict->calls; i++)
		LIST_ADD(t->call, t->call_count, t->call_cap,
		    (struct call){.id = keep_text(t, t->walk.call[i].id),
			.name = keep_text(t, t->walk.call[i].name),
			.arguments = t->walk.call[i].arguments,
			.group = verdict->group,
			.result = NONE,
			.failure = NONE,
			.resolver = NONE,
			.again = NONE});
}

static void
set_pair(struct session *t, struct entry *entry, const struct verdict *verdict)
{
	uint32_t index = (uint32_t)(entry - t->entry);
	struct group *group;

	entry->group = verdict->group;
	if (verdict->has_calls)
		add_group(t, verdict, index);
	if (verdict->group == NONE)
		return;
	group = &t->group[verdict->group];
	group->is_pinned |= entry->is_pinned;
	group->is_critical |= entry->is_critical;
	if (verdict->answers == NONE)
		return;
	entry->call = verdict->answers;
	t->call[verdict->answers].result = index;
	group->answered++;
	group->last = index;
}

static void
set_attributes(struct entry *entry, const struct message *message, const struct verdict *verdict)
{
	entry->role = (uint8_t)message->role;
	entry->origin = (uint8_t)verdict->origin;
	entry->outside = verdict->outside;
	entry->is_trace = verdict->is_trace;
	entry->has_calls = verdict->has_calls;
	entry->is_error = message_is(message, METADATA_IS_ERROR) || verdict->origin == ORIGIN_ERROR;
	entry->is_pinned = message_is(message, METADATA_PINNED);
	entry->is_critical = message_is(message, METADATA_CRITICAL);
	entry->is_compacted = message_is(message, METADATA_COMPACTED);
	entry->is_summary = json_is(message->meta[METADATA_KIND], STR("summary"));
	entry->is_artifact = message_is_artifact(message);
	entry->has_metadata = message->metadata.type != JSON_ABSENT ||
	    message->meta[METADATA_TIMESTAMP].type != JSON_ABSENT;
	entry->is_text = message->content.type != JSON_ARRAY;
	entry->says_resolves = message->meta[METADATA_RESOLVES].type != JSON_ABSENT;
	entry->says_forgets = message->meta[METADATA_FORGETS].type != JSON_ABSENT;
	entry->says_resolved = message->meta[METADATA_RESOLVED].type != JSON_ABSENT;
	entry->says_id = message->meta[METADATA_ID].type == JSON_STRING;
	entry->says_section = message->meta[METADATA_SECTION].type == JSON_STRING;
	entry->says_keys = call_digest_noted(message, 0).len > 0;
}

/* Notes where the value is in the text that the message was read from, if it is there. */
static void
know(struct entry_span *span, struct json_value value, struct str text)
{
	if (value.type < JSON_STRING || value.ptr < text.ptr || value.ptr >= text.ptr + text.len)
		return;
	*span = (struct entry_span){(uint32_t)(value.ptr - text.ptr), value.len};
}

static void
set_known(struct entry *entry, const struct message *message, struct str text)
{
	const struct json_value *meta = message->meta;

	entry->known_in = entry->raw;
	know(&entry->known[0], message->content, text);
	know(&entry->known[1], message->tool_calls, text);
	know(&entry->known[2], message->metadata, text);
	entry->is_escaped = message->content.type == JSON_STRING && message->content.escaped;
	entry->has_texts_in_metadata = meta[METADATA_TOOL_CALLS].type != JSON_ABSENT ||
	    meta[METADATA_TOOL_RESULT].type != JSON_ABSENT;
}

/* Whether status 1 of the command means that nothing was found. */
static bool
is_search(const struct simple_command *c)
{
	static const struct str names[] = {STR_INIT("grep"), STR_INIT("egrep"), STR_INIT("fgrep"),
	    STR_INIT("zgrep"), STR_INIT("rg"), STR_INIT("ag"), STR_INIT("ack"), STR_INIT("pgrep"),
	    STR_INIT("diff"), STR_INIT("cmp"), STR_INIT("test"), STR_INIT("["), STR_INIT("[["),
	    STR_INIT("which")};
	static const struct str verbs[] = {STR_INIT("grep"), STR_INIT("diff"),
	    STR_INIT("check-ignore"), STR_INIT("config"), STR_INIT("merge-base"),
	    STR_INIT("show-ref")};

	if (c->words < 2)
		return false;
	if (str_eq(c->word[0], STR("git")))
		return STR_IS_ONE_OF(c->word[1], verbs);
	if (str_eq(c->word[0], STR("command")))
		return str_eq(c->word[1], STR("-v"));
	return STR_IS_ONE_OF(c->word[0], names);
}

/* Whether the status of the line is the status of a search: of its last command, if only searches,
 * cd and commands piped into these come before, and no output is hidden. */
static bool
ends_with_search(struct str line)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(line);
	struct simple_command command;
	bool is = false, hides = false, is_piped = false;

	while (simple_command_next(&commands, &command)) {
		is = is_search(&command);
		if (str_eq(command.operator, STR("&")))
			return false;
		is_piped = str_eq(command.operator, STR("|"));
		hides |= !is &&
		    (command.outputs > 0 ||
			!(is_piped || (command.words > 0 && str_eq(command.word[0], STR("cd")))));
	}
	return is && !hides;
}

/*
 * Whether the message, a failed result of the call, only says that nothing was found: grep, rg,
 * diff, cmp, test, git diff --quiet and similar commands end with status 1 and print nothing. With
 * any output, or another status, the command failed.
 *
 *     rg -n gauge_hight src      Exit code: 1
 */
static bool
found_nothing(const struct call *call, const struct message *message)
{
	struct buf text = BUF_INIT;
	int status;

	if (call->use.op != TOOL_SHELL || !ends_with_search(call->use.target))
		return false;
	message_read_text(message, &text);
	status = tool_output_silent_status(buf_str(&text));
	buf_free(&text);
	return status == 1 || status == TOOL_OUTPUT_UNKNOWN;
}

/* A search that found nothing is no error, even if the client marked it as one. */
static void
take_match(struct session *t, struct entry *entry, const struct message *message)
{
	if (entry->call == NONE || !entry->is_error || entry->says_resolved ||
	    !found_nothing(session_use(t, entry->call), message))
		return;
	entry->is_error = false;
	t->call[entry->call].has_no_match = true;
}

/* Turns the numbers in the verdict into indexes of the session: both differ by the number of
 * entries that a window forgot. */
static void
set_indexes(struct session *t, struct entry *entry, struct verdict *verdict)
{
	if (verdict->answers != NONE &&
	    (verdict->answers < t->gone.calls ||
		t->group[t->call[verdict->answers - t->gone.calls].group].is_given_up)) {
		entry->lost = session_find_lost(t, verdict->answers);
		verdict->answers = verdict->group = NONE;
	}
	if (verdict->execution != NONE)
		verdict->execution -= t->gone.executions;
	if (verdict->answers != NONE)
		verdict->answers -= t->gone.calls;
	if (verdict->group != NONE)
		verdict->group -= t->gone.groups;
	verdict->first_call -= verdict->has_calls ? t->gone.calls : 0;
}

/* text is what message was read from. */
static void
add(struct session *t, const struct line *line, const struct message *message, struct str text)
{
	struct entry *entry = new_entry(t, line, message);
	struct verdict verdict;

	/* It may hold the missing result of a group since the last user message. */
	if (message->kind == RECORD_BAD) {
		for (uint32_t i = t->freeze_from; i < t->group_count; i++)
			t->group[i].is_frozen |= t->group[i].answered < t->group[i].calls;
		t->freeze_from = t->group_count;
	}
	if (message->kind != RECORD_MESSAGE)
		return;
	t->message_count++;
	walk_add(&t->walk, message, &verdict);
	set_attributes(entry, message, &verdict);
	set_known(entry, message, text);
	t->notes_digests |= entry->says_keys;
	set_indexes(t, entry, &verdict);
	set_execution(t, entry, &verdict);
	set_pair(t, entry, &verdict);
	take_match(t, entry, message);
	settle_both(t, verdict.answer, verdict.error);
	if (verdict.is_answer)
		t->answer = t->count - 1;
	if (verdict.is_error_message)
		t->error = t->count - 1;
	if (!verdict.is_request)
		return;
	t->turn_count = verdict.turn;
	t->freeze_from = t->group_count;
}

void
session_add(struct session *t, const struct line *line, const struct message *message)
{
	add(t, line, message, line->text);
}

/* What ptr is in the copy of text that is at to; ptr itself when it is not in the text. */
static const char *
move(const char *ptr, struct str text, const char *to)
{
	bool is_within = ptr >= text.ptr && ptr < text.ptr + text.len;

	return is_within ? to + (ptr - text.ptr) : ptr;
}

void
session_add_copy(
    struct session *t, const struct line *line, const struct message *message, struct str text)
{
	uint32_t i = t->call_count;

	add(t, line, message, text);
	for (; i < t->call_count; i++) {
		struct call *call = &t->call[i];

		call->id.ptr = move(call->id.ptr, text, line->text.ptr);
		call->name.ptr = move(call->name.ptr, text, line->text.ptr);
		call->arguments.ptr = move(call->arguments.ptr, text, line->text.ptr);
	}
}

void
session_end(struct session *t)
{
	enum fate answer, error;
	bool is_over = walk_end(&t->walk, &answer, &error) || t->ends_execution;

	settle_both(t, answer, error);
	if (t->execution_count > 0) {
		struct execution *last = &t->execution[t->execution_count - 1];

		last->is_over = is_over;
		last->is_current &= t->current != CURRENT_AUTO || !is_over;
	}
	session_judge(t, t->count);
	t->has_ended = true;
}
