#include "face/output/sink.h"

#include <unistd.h>

#include "face/made.h"
#include "face/terminal/progress.h"
#include "stream/process/pipe.h"

static void
count(struct sink_counts *counts, const struct record *record)
{
	if (record->kind == RECORD_SOURCE)
		return;
	if (record->state == RECORD_ASIDE) {
		counts->aside += record->kind != RECORD_BAD && record->kind != RECORD_BLANK;
	} else if (record->state == RECORD_ADDED) {
		counts->added++;
	} else if (record->kind == RECORD_MESSAGE || record->is_forgotten) {
		counts->written++;
		counts->changed += record->state == RECORD_CHANGED;
	}
}

/* A copy of so few bytes costs less than to keep their block. */
enum { COPY_MAX = 256 };

/* Puts bytes of the record: by reference when they lie in a block of the input, or in a block of
 * their own, which may be freed before the flush; else as a copy. */
static void
put(struct output *out, const struct record *record, const char *start, const char *end)
{
	struct str bytes = str_of(start, (size_t)(end - start));

	if (record->block != NULL && record->block->pool != NULL)
		output_add(out, bytes);
	else if (record->block != NULL && bytes.len > COPY_MAX)
		output_keep(out, bytes, record->block);
	else
		output_copy(out, bytes);
}

static void
put_edited(struct output *out, const struct record *record, const char *start, const char *end)
{
	struct str text = record->line.text;
	struct json_pieces pieces;

	put(out, record, start, text.ptr);
	json_pieces_open(&pieces, record->edit);
	while (json_pieces_next(&pieces))
		if (pieces.is_kept)
			put(out, record, pieces.piece.ptr, pieces.piece.ptr + pieces.piece.len);
		else
			output_copy(out, pieces.piece);
	put(out, record, text.ptr + text.len, end);
}

/* The output for the record; NULL when it has none. */
static struct output *
find_output(struct sink *sink, const struct record *record)
{
	bool is_aside = record->state == RECORD_ASIDE;

	if (!is_aside && (record->kind != RECORD_BAD || !sink->drops_bad))
		return &sink->out;
	if (sink->bad.name == NULL)
		return NULL;
	if (sink->bad.fd < 0)
		sink->bad.fd = made_create(sink->bad.name, false, sink->stage.fault);
	return sink->bad.fd < 0 ? NULL : &sink->bad;
}

static void
take(struct stage *stage, struct record *record)
{
	struct sink *sink = (struct sink *)stage;
	const struct line *line = &record->line;
	const char *start = line->raw.ptr, *end = start + line->raw.len;
	struct output *out = find_output(sink, record);

	count(&sink->counts, record);
	if (out == NULL)
		return;
	if (sink->onward != NULL && out == &sink->out) {
		sink->onward->take(sink->onward, record);
		return;
	}
	progress_give_way();
	if (!line->continued)
		output_begin_record(out);
	if (out->bytes > 0) /* a byte order mark is only at the start */
		start = line->text.ptr;
	if (record->edit != NULL)
		put_edited(out, record, start, end);
	else
		put(out, record, start, end);
	if (record->state == RECORD_ADDED && !sink->in->ended_open)
		output_begin_record(out);
}

void
sink_init(struct sink *sink, const char *bad_file, const struct input *in, struct fault *fault)
{
	*sink =
	    (struct sink){.stage = {.take = take, .end = stage_pass_end, .fault = fault}, .in = in};
	pipe_widen(STDOUT_FILENO);
	output_init(&sink->out, STDOUT_FILENO, "standard output", fault);
	output_init(&sink->bad, -1, bad_file, fault);
}

void
sink_flush(struct sink *sink)
{
	output_flush(&sink->out);
	output_flush(&sink->bad);
	if (sink->onward != NULL)
		sink->onward->flush(sink->onward);
}

void
sink_close(struct sink *sink)
{
	if (sink->bad.name != NULL && sink->bad.fd < 0 && !fault_is_set(sink->stage.fault))
		sink->bad.fd = made_create(sink->bad.name, false, sink->stage.fault);
	if (sink->bad.fd >= 0)
		output_close(&sink->bad);
	if (sink->onward == NULL)
		output_close(&sink->out);
}
