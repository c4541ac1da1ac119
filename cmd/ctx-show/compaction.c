#include "compaction.h"

#include "base/number.h"
#include "base/text/shell_word.h"
#include "data/message/texts.h"
#include "json/string.h"

/* Appends the command that brings back what a compaction took out, where its text names an
 * archive. */
static void
add_restore(const struct step *step, const char *log, struct buf *out)
{
	const struct str recall = STR_INIT("ctx-recall ");
	struct buf text = BUF_INIT, archive = BUF_INIT;
	const char *place;
	size_t at = 0;
	bool is_there = false;

	message_read_text(step->message, &text);
	place = text.len > 0 ? str_find(str_first_line(buf_str(&text)), recall) : NULL;
	if (place != NULL) {
		struct str rest = str_rest(buf_str(&text), (size_t)(place - text.ptr) + recall.len);

		shell_word_take(str_first_line(rest), &at, &archive, &is_there);
	}
	if (is_there) {
		buf_add_str(out, STR(": ctx-restore "));
		shell_word_add_file(out, archive.ptr);
		if (log != NULL) {
			buf_add_char(out, ' ');
			shell_word_add_file(out, log);
		}
	}
	buf_free(&text);
	buf_free(&archive);
}

uint64_t
compaction_dropped(const struct step *step)
{
	struct json_value facts;

	if (step->kind != RECORD_MESSAGE || !message_is_artifact(step->message))
		return 0;
	facts = step->message->meta[METADATA_FACTS];
	return json_count(json_find(facts, STR("dropped")));
}

bool
compaction_add(const struct step *step, const char *log, struct buf *out)
{
	uint64_t dropped = compaction_dropped(step);

	if (dropped == 0)
		return false;
	buf_add_fmt(out, "%s messages compacted", number_grouped(dropped).text);
	add_restore(step, log, out);
	return true;
}
