#include "dialects/rows/row_growth.h"

#include <stdlib.h>

#include "base/list.h"
#include "dialects/parts/growth.h"

void
row_growth_name(struct row_reader *reader, struct joined *joined)
{
	growth_name(&reader->joiner, joined->draft, buf_str(&reader->session),
	    reader->dialect->dialect->name);
}

static void
add_sent(struct growth_list *sent, const struct row_history_record *record)
{
	if (record->is_gone || record->state != ROW_HISTORY_SENT)
		return;
	for (struct joined *joined = row_history_first(record); joined != NULL;
	     joined = joined->newer)
		/* One that says nothing never leaves. */
		if (joined->draft != NULL || joiner_has_text(joined))
			LIST_ADD(sent->list, sent->count, sent->cap, joined);
}

static void
add_left(struct growth_list *left, const struct row_history_record *record)
{
	if (record->state == ROW_HISTORY_SENT)
		return;
	for (struct joined *joined = row_history_first(record); joined != NULL;
	     joined = joined->newer)
		LIST_ADD(left->list, left->count, left->cap, joined);
}

/* The summary of the newest compaction, with its question, comes before the records that it
 * keeps. */
static void
list_sent(const struct row_history *history, struct growth_list *sent)
{
	bool moves = history->kept < history->question;

	for (uint32_t i = 0; i < history->count; i++) {
		if (moves && i == history->kept)
			for (uint32_t k = history->question; k <= history->summary; k++)
				add_sent(sent, history->list[k]);
		if (!moves || i < history->question || i > history->summary)
			add_sent(sent, history->list[i]);
	}
}

/* Sends complete messages that were not sent, in the order of the input. */
static void
send_rest(struct joiner *joiner, bool is_alone)
{
	struct joined *joined = joiner->unsent, *next;

	for (; joined != NULL && joined->draft == NULL; joined = next) {
		next = joined->next;
		if (!is_alone || joined->thread == NULL)
			joiner_send(joiner, joined);
	}
	joiner->unsent = joined;
}

/* Sends a session in which the newest record changed more than its end. Its texts are still there
 * (sends_once of struct joiner). */
static void
send_turned(struct row_reader *reader, const struct line *line)
{
	struct joiner *joiner = &reader->joiner;
	struct row_history *history = &reader->history;
	struct growth_list sent = {.count = 0}, left = {.count = 0};

	reader->compared += history->count;
	row_history_look(history);
	list_sent(history, &sent);
	for (uint32_t i = 0; i < history->count; i++)
		add_left(&left, history->list[i]);
	growth_turn(joiner, &sent, &left, line, buf_str(&reader->session));
	/* What no record of the history has. */
	send_rest(joiner, true);
	free(sent.list);
	free(left.list);
}

static void
send_all(struct row_reader *reader, const struct line *line)
{
	if (reader->history.has_turned) {
		send_turned(reader, line);
		return;
	}
	/* A message that is taken back here is the newest, and no message follows it. */
	buf_reset(&reader->joiner.lost);
	growth_bury(&reader->joiner, line, buf_str(&reader->session));
	send_rest(&reader->joiner, false);
}

void
row_growth_send(struct row_reader *reader, const struct line *line)
{
	if (!reader->history.has_turned ||
	    growth_may_compare(reader->compared, reader->history.count))
		send_all(reader, line);
}

void
row_growth_finish(struct row_reader *reader, const struct line *line)
{
	send_all(reader, line);
	reader->compared = 0;
}
