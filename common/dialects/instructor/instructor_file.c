#include "dialects/instructor/instructor_file.h"

#include "dialects/instructor/instructor_context.h"
#include "json/scan.h"
#include "json/string.h"

/* The members of a line that are read. */
/* clang-format off */
#define LINE_TABLE(row) \
	row(LINE_TYPE, "type") row(LINE_ID, "id") row(LINE_PARENT, "parentId") \
	row(LINE_SECTION, "section") row(LINE_TIMESTAMP, "timestamp") row(LINE_DATA, "data") \
	row(LINE_TARGET, "targetId") row(LINE_LABEL, "label")
/* clang-format on */

enum line_name { LINE_TABLE(JSON_NAME_INDEX) LINE_COUNT };

static const struct str line_list[] = {LINE_TABLE(JSON_NAME_TEXT)};

static struct json_names line_names; /* filled by instructor_file_init */

enum line_kind {
	KIND_OTHER,
	KIND_HEADER,
	KIND_MESSAGE,
	KIND_LABEL,
};

static enum line_kind
kind_of(const struct json_value *member)
{
	bool has_id = member[LINE_ID].type == JSON_STRING;

	if (json_is(member[LINE_TYPE], STR("session")) && has_id)
		return KIND_HEADER;
	if (json_is(member[LINE_TYPE], STR("message")) && has_id &&
	    json_find(member[LINE_DATA], STR("role")).type == JSON_STRING)
		return KIND_MESSAGE;
	if (json_is(member[LINE_TYPE], STR("label")) && member[LINE_TARGET].type == JSON_STRING)
		return KIND_LABEL;
	return KIND_OTHER;
}

static void
release_line(struct instructor_file *file, struct record *record, const struct json_value *member)
{
	struct instructor_message_place place = {.section = member[LINE_SECTION],
	    .session = file->session.len > 0 ? json_value_at(file->session.ptr) : json_absent,
	    .id = member[LINE_ID],
	    .parent_id = member[LINE_PARENT],
	    .timestamp = member[LINE_TIMESTAMP],
	    .many = file->many};
	uint64_t at = map_get(&file->label_by_id, record_id_hash(member[LINE_ID]));

	if (at != MAP_NONE) {
		file->unused--;
		place.label = json_value_at(file->labels.ptr + at);
	}
	instructor_output_put_message(file->output, &record->line, member[LINE_DATA], &place);
}

/* The kind of the line that is held, and its members. */
static enum line_kind
pick(struct record *record, struct json_value *member)
{
	struct message read;

	if (record->kind != RECORD_FOREIGN)
		return KIND_OTHER;
	json_pick(record_message(record, &read)->value, &line_names, member);
	return kind_of(member);
}

/* Forgets the session that was held. */
static void
clear(struct instructor_file *file)
{
	queue_free(&file->held);
	map_free(&file->newest);
	map_free(&file->label_by_id);
	file->unused = 0;
	buf_reset(&file->labels);
	buf_reset(&file->session);
	file->file = NULL;
	file->many = false;
}

void
instructor_file_flush(struct instructor_file *file)
{
	struct map seen = MAP_INIT;

	for (size_t i = file->held.first; i < file->held.end; i++) {
		struct record record = *queue_record(&file->held, i);
		struct json_value member[LINE_COUNT];
		struct hash key;

		if (pick(&record, member) != KIND_MESSAGE) {
			stage_emit(file->output->stage, &record);
			continue;
		}
		key = record_id_hash(member[LINE_ID]);
		if (map_set(&seen, key, 1) != MAP_NONE) {
			tally_add(file->output->reading->skipped, STR("replaced line"));
			continue;
		}
		record = *queue_record(&file->held, map_get(&file->newest, key));
		pick(&record, member);
		release_line(file, &record, member);
	}
	map_free(&seen);
	for (; file->unused > 0; file->unused--)
		tally_add(file->output->reading->skipped, STR("label"));
	clear(file);
}

static void
hold(struct instructor_file *file, struct record *record, enum line_kind kind,
    const struct json_value *member)
{
	if (kind == KIND_MESSAGE) {
		map_set(&file->newest, record_id_hash(member[LINE_ID]), file->held.end);
		file->many |= member[LINE_SECTION].type == JSON_STRING &&
		    !json_is(member[LINE_SECTION], STR("messages"));
	}
	queue_add(&file->held, record, FATE_FINAL);
}

/* The last label of a message counts; null takes it back. */
static void
note_label(struct instructor_file *file, const struct json_value *member)
{
	struct json_value label = member[LINE_LABEL];

	if (map_set(&file->label_by_id, record_id_hash(member[LINE_TARGET]), file->labels.len) ==
	    MAP_NONE)
		file->unused++;
	buf_add_str(&file->labels, label.type == JSON_ABSENT ? STR("null") : json_span(label));
	buf_add_char(&file->labels, ' ');
	buf_pad(&file->labels);
}

/* Reads an object. Returns its kind of line. */
static enum line_kind
read_object(struct instructor_file *file, const struct record *record, struct json_value *member)
{
	enum line_kind kind;

	json_pick(record->message->value, &line_names, member);
	kind = kind_of(member);
	if (kind == KIND_HEADER) {
		instructor_file_flush(file);
		buf_reset(&file->output->text);
		instructor_context_read_header(record->message->value, &file->output->text);
		dialect_emit(file->output->stage, &record->line, &file->output->text);
		buf_add_str(
		    &file->session, json_span(json_find(record->message->value, STR("id"))));
		buf_pad(&file->session);
	}
	if (kind == KIND_HEADER || kind == KIND_MESSAGE)
		file->file = record->line.file;
	if (kind == KIND_LABEL && file->file != NULL)
		note_label(file, member);
	if (kind == KIND_HEADER || kind == KIND_MESSAGE)
		dialect_note_other(file->output->reading, &instructor_dialect, &record->line);
	return kind;
}

void
instructor_file_take(struct instructor_file *file, struct record *record)
{
	struct json_value member[LINE_COUNT];
	enum line_kind kind = KIND_OTHER;

	if (record->kind == RECORD_FOREIGN && record->message->value.type == JSON_OBJECT)
		kind = read_object(file, record, member);
	if (kind == KIND_HEADER || (kind == KIND_LABEL && file->file != NULL))
		return;
	if (file->file != NULL)
		hold(file, record, kind, member);
	else
		stage_emit(file->output->stage, record);
}

void
instructor_file_init(struct instructor_file *file, struct instructor_output *output)
{
	*file = (struct instructor_file){.output = output, .held = QUEUE_OF(struct queue_item)};
	JSON_NAMES_INIT(&line_names, line_list, LINE_COUNT);
}

void
instructor_file_free(struct instructor_file *file)
{
	clear(file);
	buf_free(&file->labels);
	buf_free(&file->session);
}
