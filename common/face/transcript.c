#include "face/transcript.h"

#include "stream/process/unzstd.h"

enum { FINDINGS_KEPT = 1000 }; /* while it is open whether the operand is read at all */

/* Whether the operand is a session file of an agent. */
static bool
is_log(const struct transcript *transcript)
{
	return transcript->reading.other != NULL && !transcript->reading.other->is_chat;
}

static void
choose(struct stage *stage, struct record *record)
{
	struct transcript *transcript =
	    (struct transcript *)((char *)stage - offsetof(struct transcript, fork));
	struct message read;

	if (record->kind == RECORD_MESSAGE && record->state == RECORD_GIVEN)
		transcript->has_canonical |=
		    odd_records_is_canonical(record_message(record, &read));
	if (is_log(transcript))
		transcript->repair.stage.take(&transcript->repair.stage, record);
	else
		transcript->stage.next->take(transcript->stage.next, record);
}

/* Opens the reader of the next operand and the stages after it. */
static void
open_reader(struct transcript *transcript)
{
	struct stage *inner[] = {
	    NULL, &transcript->unread.stage, &transcript->fork, &transcript->repair.stage, NULL};

	transcript->has_canonical = false;
	transcript->reading = (struct dialect_reading){.looks_ahead = true,
	    .is_one_file = transcript->source->in.operand_count == 1,
	    .skipped = &transcript->counts,
	    .sealed = &transcript->counts};
	transcript->reader = auto_dialect.reader(&transcript->reading);
	unread_init(&transcript->unread, &transcript->reading, &transcript->counts);
	transcript->fork = (struct stage){.take = choose, .end = stage_pass_end};
	repair_init(&transcript->repair, NULL, false, false, REPAIR_OPEN_KEEP);
	run_set_walk(&transcript->repair.pairs.walk, transcript->run->options);
	inner[0] = &transcript->reader->stage;
	stage_link(inner, transcript->stage.next, transcript->stage.fault);
}

static void
close_reader(struct transcript *transcript)
{
	if (transcript->reader == NULL)
		return;
	transcript->reader->free(transcript->reader);
	transcript->reader = NULL;
	unread_free(&transcript->unread);
	repair_free(&transcript->repair);
	buf_free(&transcript->reading.flaws);
}

/* Forgets findings that would not be reported. */
static void
keep_few(struct transcript *transcript)
{
	struct buf *findings = &transcript->unread.findings;
	size_t most = FINDINGS_KEPT * sizeof(struct unread_finding);

	if (findings->len <= most)
		return;
	transcript->unnamed += (findings->len - most) / sizeof(struct unread_finding);
	findings->len = most;
}

static bool
was_read(const struct transcript *transcript)
{
	return transcript->reading.other != NULL || transcript->unread.messages > 0;
}

/* Reports records that were not understood, if others were read. */
static void
say_unread(struct transcript *transcript)
{
	if (!was_read(transcript))
		return;
	unread_lines_say(&transcript->lines, &transcript->reading, &transcript->unread);
	transcript->lines.found += transcript->unnamed;
	unread_lines_end(&transcript->lines);
	transcript->lines.found = transcript->unnamed = 0;
}

/* Reports oddities of the file that has ended: mixed formats, or lines that were not understood.
 * Records that a reader claimed are no mixture, unless there are canonical messages, too. */
static void
end_file(struct transcript *transcript)
{
	struct source *source = transcript->source;

	if (source->counts.messages > transcript->before.messages &&
	    (transcript->has_canonical || !was_read(transcript)) && odd_records_say(&source->odd)) {
		run_fail(transcript->run, STATUS_DATA);
		buf_reset(&transcript->unread.findings);
		buf_reset(&transcript->reading.flaws);
	}
	odd_records_forget(&source->odd);
	say_unread(transcript);
}

static void
take(struct stage *stage, struct record *record)
{
	struct transcript *transcript = (struct transcript *)stage;

	if (transcript->reader == NULL)
		open_reader(transcript);
	if (record->kind == RECORD_MESSAGE && !is_log(transcript))
		transcript->unread.stage.take(&transcript->unread.stage, record);
	else
		transcript->reader->stage.take(&transcript->reader->stage, record);
	keep_few(transcript);
	transcript->source->notes_spans = is_log(transcript);
}

void
transcript_end_operand(struct transcript *transcript)
{
	const struct source_counts *now = &transcript->source->counts;
	const struct source_counts *before = &transcript->before;

	if (transcript->reader == NULL)
		return;
	if (!fault_is_set(transcript->stage.fault))
		transcript->reader->stage.end(&transcript->reader->stage);
	if (!fault_is_set(transcript->stage.fault))
		transcript->repair.stage.end(&transcript->repair.stage);
	end_file(transcript);
	transcript->made += transcript->unread.messages;
	transcript->has_other |= transcript->reading.other != NULL;
	transcript->is_foreign = !was_read(transcript) && now->foreign > before->foreign &&
	    now->messages + now->contexts + now->budgets ==
		before->messages + before->contexts + before->budgets;
	transcript->before = *now;
	close_reader(transcript);
}

static void
end(struct stage *stage)
{
	struct transcript *transcript = (struct transcript *)stage;

	transcript_end_operand(transcript);
	if (!transcript->has_other)
		return;
	transcript->source->any_dialect = true;
	transcript->source->counts.messages = transcript->made;
}

void
transcript_init(struct transcript *transcript, struct run *run, struct source *source)
{
	*transcript = (struct transcript){.stage = {.take = take, .end = end},
	    .run = run,
	    .source = source,
	    .lines = {run, source}};
	source->values.is_used = true;
	source->in.unpacker = &unzstd;
}

void
transcript_free(struct transcript *transcript)
{
	close_reader(transcript);
}
