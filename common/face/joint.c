#include "face/joint.h"

static bool
is_ended(const struct record *record)
{
	return str_has_suffix(record->line.raw, STR("\n"));
}

/* Hands over the record, which has its line end if it gets one. */
static void
hand_over(struct joint *joint, struct record *record)
{
	struct str *text = &record->line.text;

	/* One that is not the first of an input is a part of the text, until it is the first. */
	if (!joint->has_begun && record->line.raw.ptr == text->ptr &&
	    str_has_prefix(*text, input_bom)) {
		*text = str_of(text->ptr + input_bom.len, text->len - input_bom.len);
		record->message = NULL;
		record->kind = RECORD_BAD; /* until it is read */
	}
	joint->has_begun = true;
	joint->take(joint, record);
}

/* Makes raw, with a line end or not, the line of the record; the text begins that far in it. */
static void
set_line(struct record *record, struct str raw, size_t begin)
{
	record->line.raw = raw;
	record->line.text = input_line_text(str_of(raw.ptr + begin, raw.len - begin));
	record->message = NULL;
	record->block = NULL;
}

static void
end_line(struct record *record, struct buf *buf)
{
	size_t begin = (size_t)(record->line.text.ptr - record->line.raw.ptr);

	buf_reset(buf);
	buf_add_str(buf, record->line.raw);
	buf_add_char(buf, '\n');
	buf_pad(buf);
	set_line(record, buf_str(buf), begin);
}

/* Hands over the record without a line end. The next bytes begin a line, or continue this one. */
static void
hand_over_last(struct joint *joint, bool ends, bool goes_on)
{
	struct record last = joint->last;

	if (!joint->has_last)
		return;
	joint->has_last = false;
	last.line.more = goes_on;
	if (ends)
		end_line(&last, &joint->whole);
	hand_over(joint, &last);
	record_release(&joint->last);
}

/* Hands over the lines of a record with several lines, except the last one. */
static void
split(struct joint *joint, struct record *record)
{
	struct str rest = record->line.raw, first;

	for (first = str_take_whole_line(&rest); rest.len > 0; first = str_take_whole_line(&rest)) {
		struct record line = *record;

		buf_reset(&joint->piece);
		buf_add_str(&joint->piece, first);
		buf_pad(&joint->piece);
		set_line(&line, buf_str(&joint->piece), 0);
		hand_over(joint, &line);
		set_line(record, rest, 0);
	}
}

/* Applies the edit of the record. Its bytes live until the flush, or, if it is long, until the next
 * record is taken. */
static void
settle(struct joint *joint, struct record *record)
{
	size_t len = record->edit != NULL ? record_written_len(record) : 0;

	if (record->edit == NULL || len > BLOCK_SIZE / 4) {
		record_settle(record, &joint->long_record);
		return;
	}
	if (joint->block != NULL && joint->block->cap - joint->used < len) {
		joint->flush(joint);
		block_drop(joint->block);
		joint->block = NULL;
	}
	if (joint->block == NULL) {
		joint->block = block_take(joint->pool);
		joint->used = 0;
	}
	record_write(record, joint->block->bytes + joint->used, &joint->message);
	record->block = joint->block;
	joint->used += len;
}

static void
take(struct sink_onward *onward, struct record *given)
{
	struct joint *joint = (struct joint *)onward;
	struct record record = *given;
	struct line *line = &record.line;

	hand_over_last(joint, !line->continued, line->continued);
	settle(joint, &record);
	if (line->raw.len == 0)
		return;
	if (joint->has_begun) { /* a byte order mark is only at the start */
		line->raw.len -= (size_t)(line->text.ptr - line->raw.ptr);
		line->raw.ptr = line->text.ptr;
	}
	if (record.state == RECORD_ADDED)
		split(joint, &record);
	if (record.state == RECORD_ADDED && !is_ended(&record) &&
	    !joint->from->source.in.ended_open)
		end_line(&record, &joint->whole);
	if (is_ended(&record) || line->more) {
		hand_over(joint, &record);
		return;
	}
	record_hold(&joint->last, &record);
	joint->has_last = true;
}

static void
flush(struct sink_onward *onward)
{
	struct joint *joint = (struct joint *)onward;

	joint->flush(joint);
}

void
joint_link(struct joint *joint, struct run *from)
{
	joint->onward = (struct sink_onward){take, flush};
	joint->from = from;
	joint->pool = block_pool_new();
	from->sink.onward = &joint->onward;
}

void
joint_end(struct joint *joint)
{
	hand_over_last(joint, false, false);
}

void
joint_free(struct joint *joint)
{
	if (joint->has_last)
		record_release(&joint->last);
	block_drop(joint->block);
	if (joint->pool != NULL)
		block_pool_close(joint->pool);
	buf_free(&joint->long_record);
	buf_free(&joint->whole);
	buf_free(&joint->piece);
}
