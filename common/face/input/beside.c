#include "face/input/beside.h"

#include "face/input/storage.h"
#include "json/canon.h"
#include "json/members.h"
#include "json/string.h"

enum { RESULT_MAX = 1 << 28 }; /* bytes of a result that lies beside a session */

/* Emits the record with the text that was made of it, unless something of it could not be read. */
static void
emit(struct beside *beside, const struct record *of)
{
	struct record record = *of;

	if (fault_is_set(&beside->run->fault))
		return;
	buf_pad(&beside->text);
	record_respell(&record, &of->line, buf_str(&beside->text), &beside->message);
	stage_emit(&beside->stage, &record);
}

/* The file that the record is of; NULL without --agents. */
static const struct agent_file *
file_of(const struct beside *beside)
{
	return beside->files != NULL ? &beside->files->file[beside->operand] : NULL;
}

/* Adds the member caller to the object that is begun, if the file is a sub-agent's. */
static void
add_caller(struct beside *beside)
{
	const struct agent_file *file = file_of(beside);

	if (file == NULL || file->caller == NULL)
		return;
	buf_add_str(&beside->text, STR(",\"caller\":"));
	json_write_string(&beside->text, str_from(file->caller));
}

/* Emits the session that the record is of with the messages of its storage. Returns false when
 * there are none. */
static bool
add_storage(struct beside *beside, const struct record *record)
{
	struct json_value info = record->message->value;
	struct storage storage;
	bool is_open = storage_open(&storage, record->line.file, info, &beside->run->fault);

	if (is_open) {
		buf_reset(&beside->text);
		buf_add_str(&beside->text, STR("{\"info\":"));
		buf_add_str(&beside->text, json_span(info));
		add_caller(beside);
		buf_add_str(&beside->text, STR(",\"messages\":"));
		storage_write(&storage, json_find(info, STR("id")), &beside->text);
		buf_add_char(&beside->text, '}');
		if (storage.is_broken)
			run_fail(beside->run, STATUS_DATA);
		buf_pad(&beside->text);
		if (beside->files != NULL)
			agent_calls_note(
			    &beside->calls, &record->line, json_value_at(beside->text.ptr));
		emit(beside, record);
	}
	storage_free(&storage);
	return is_open;
}

/* The name of the file to which, by the text, a result was saved; empty when there is none. Its
 * directory is not trusted. */
static struct str
find_saved(struct str text)
{
	const struct str mark = STR("saved to: ");
	const char *at =
	    str_has_prefix(text, STR("<persisted-output>")) ? str_find(text, mark) : NULL;
	struct str path;

	if (at == NULL)
		return STR("");
	at += mark.len;
	path = str_trim(str_first_line(str_of(at, (size_t)(text.ptr + text.len - at))));
	for (size_t i = path.len; i > 0; i--)
		if (path.ptr[i - 1] == '/' || path.ptr[i - 1] == '\\')
			return str_of(path.ptr + i, path.len - i);
	return path;
}

/* If the string is the text of a result that is in a file beside the session, adds the line from
 * *at up to the string, and the result in its place. */
static void
add_saved(struct beside *beside, const struct line *line, struct json_value string, const char **at)
{
	const struct agent_file *file = file_of(beside);
	struct buf name = BUF_INIT;
	const char *path[] = {file->name, "tool-results", NULL, NULL};
	struct str saved;

	if (string.type != JSON_STRING)
		return;
	saved = find_saved(json_text(string, &beside->scratch));
	buf_add_str(&name, saved);
	buf_add_char(&name, '\0');
	path[2] = name.ptr;
	buf_reset(&beside->scratch);
	if (saved.len > 0 &&
	    (strlen(name.ptr) + 1 != name.len ||
		folder_read(
		    file->folder, path, RESULT_MAX, &beside->scratch, &beside->run->fault) != 0)) {
		diag_warn_at(line->file, line->number, "the result '%s' is not beside the session",
		    name.ptr);
	} else if (saved.len > 0) {
		buf_add(&beside->text, *at, (size_t)(string.ptr - *at));
		json_write_string(&beside->text, buf_str(&beside->scratch));
		*at = string.ptr + string.len;
	}
	buf_free(&name);
}

/* Emits the line of Claude Code with its results that lie beside the session. Returns false when it
 * has none. */
static bool
add_results(struct beside *beside, const struct record *record)
{
	const struct str line = record->line.text;
	struct json_value message = json_find(record->message->value, STR("message"));
	struct json_walk blocks = json_walk_of(json_find(message, STR("content")));
	const char *at = line.ptr;

	buf_reset(&beside->text);
	while (json_walk_next(&blocks)) {
		struct json_value content = json_find(blocks.value, STR("content"));

		if (!json_is(json_find(blocks.value, STR("type")), STR("tool_result")))
			continue;
		add_saved(beside, &record->line, content, &at);
		for (struct json_walk parts = json_walk_list(content); json_walk_next(&parts);)
			add_saved(beside, &record->line, json_find(parts.value, STR("text")), &at);
	}
	if (at == line.ptr)
		return false;
	buf_add(&beside->text, at, (size_t)(line.ptr + line.len - at));
	emit(beside, record);
	return true;
}

/* Whether the line of Codex CLI only repeats one of the session that called: a forked file begins
 * with all of them, after a second header. */
static bool
repeats(struct beside *beside, struct json_value value)
{
	struct json_value type = json_find(value, STR("type"));
	struct json_value payload = json_find(value, STR("payload"));
	struct hash key;
	bool is_known;

	if (json_is(type, STR("session_meta"))) {
		beside->is_repetition = file_of(beside)->caller != NULL &&
		    json_is(json_find(payload, STR("id")), str_from(file_of(beside)->caller));
		return false;
	}
	if (json_is(type, STR("event_msg")))
		return beside->is_repetition &&
		    json_is(json_find(payload, STR("type")), STR("token_count"));
	if (!json_is(type, STR("response_item")) && !json_is(type, STR("compacted")))
		return false;
	buf_reset(&beside->scratch);
	json_squeeze(payload, &beside->scratch);
	key = hash_bytes(buf_str(&beside->scratch), hash_seed(HASH_RECORD));
	is_known = map_set(&beside->items, key, 1) != MAP_NONE;
	beside->is_repetition &= is_known;
	return beside->is_repetition;
}

/* Begins with the file of the record, which is its first one. */
static void
begin_file(struct beside *beside, const char *name)
{
	const struct agent_files *files = beside->files;
	unsigned session = files != NULL ? files->file[beside->operand].session : 0;

	while (files != NULL && files->operand[beside->operand] != name)
		beside->operand++;
	/* An operand that another one called may repeat that one. */
	if (files != NULL && session != files->file[beside->operand].session &&
	    files->file[beside->operand].caller == NULL) {
		map_free(&beside->items);
		beside->items = (struct map)MAP_INIT;
	}
	beside->file = name;
	beside->is_repetition = false;
}

/* Emits the first record of a file of Codex CLI with its caller. */
static void
mark_called(struct beside *beside, const struct record *record)
{
	struct json_value value = record->message->value;

	buf_reset(&beside->text);
	buf_add_str(&beside->text, str_of(value.ptr, value.len - 1u));
	add_caller(beside);
	buf_add_char(&beside->text, '}');
	emit(beside, record);
}

/* Emits the record, an object that is no message, with the files beside it. */
static void
add_beside(struct beside *beside, struct record *record, bool is_first)
{
	struct json_value value = record->message->value;

	if (is_first && add_storage(beside, record))
		return;
	if (beside->files != NULL) {
		agent_calls_note(&beside->calls, &record->line, value);
		if (repeats(beside, value) || add_results(beside, record))
			return;
		if (is_first && json_is(json_find(value, STR("type")), STR("session_meta"))) {
			mark_called(beside, record);
			return;
		}
	}
	stage_emit(&beside->stage, record);
}

static void
take(struct stage *stage, struct record *record)
{
	struct beside *beside = (struct beside *)stage;
	bool is_first = record->line.file != beside->file;

	if (is_first)
		begin_file(beside, record->line.file);
	if (record->kind == RECORD_FOREIGN && record->message->value.type == JSON_OBJECT)
		add_beside(beside, record, is_first);
	else
		stage_emit(stage, record);
}

/* Reports the sub-agents that were called, and of which no record was read. */
static void
end(struct stage *stage)
{
	struct beside *beside = (struct beside *)stage;

	if (beside->files != NULL)
		agent_calls_say(&beside->calls, &beside->files->found);
}

void
beside_init(struct beside *beside, struct run *run, const struct agent_files *files)
{
	*beside = (struct beside){.stage = {.take = take, .end = end}, .run = run, .files = files};
}

void
beside_free(struct beside *beside)
{
	buf_free(&beside->text);
	buf_free(&beside->scratch);
	agent_calls_free(&beside->calls);
	map_free(&beside->items);
}
