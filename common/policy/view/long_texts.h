#ifndef VIEW_LONG_TEXTS_H
#define VIEW_LONG_TEXTS_H

/*
 * A stage that cuts the long texts of messages to a limit (policy/text/cut_limit.h), and marks
 * these messages compacted. A text is what a model reads as content (data/message/texts.h): a
 * string, the text of a part, of a result, of a file in a part. Thinking, signed parts, names and
 * arguments stay. No record grows, and records that are no messages pass.
 *
 * A second run finds no text that is over the limit, so that it changes nothing.
 */

#include "data/select/selectors.h"
#include "data/stage.h"
#include "policy/text/cut_limit.h"

struct long_texts {
	struct stage stage;
	struct cut_limit limit;
	const struct selectors *chosen; /* the messages it is about; they need no session */
	uint64_t texts;                 /* how many were cut */
	struct json_edit edit;          /* of the record at hand */
	struct buf settled;             /* a record that came with an edit */
};

/* The messages that are chosen when the user chooses none. */
#define LONG_TEXTS_CHOSEN "!role=system,!role=developer,!pinned,!kind=summary,!kind=trace"

/* chosen must live as long as the stage. */
void long_texts_init(
    struct long_texts *stage, const struct cut_limit *limit, const struct selectors *chosen);

void long_texts_free(struct long_texts *stage);

#endif
