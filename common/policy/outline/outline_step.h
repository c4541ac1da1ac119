#ifndef POLICY_OUTLINE_OUTLINE_STEP_H
#define POLICY_OUTLINE_OUTLINE_STEP_H

/*
 * A step of an outline under way: a head, and its details, which are the lines of a text that say
 * something (policy/digest/line_class.h). The more lines of a class a step has, the less the next
 * one is worth.
 */

#include "data/session/session.h"
#include "policy/digest/line_class.h"
#include "policy/outline/outline.h"

/* Where a detail is from. */
enum outline_step_source {
	OUTLINE_STEP_USER,
	OUTLINE_STEP_PASTED, /* into a message of the user */
	OUTLINE_STEP_RUN,
	OUTLINE_STEP_RECEIPT, /* the result of an edit that succeeded */
	OUTLINE_STEP_WRITTEN, /* a whole file */
	OUTLINE_STEP_ADDED,   /* by an edit */
	OUTLINE_STEP_REMOVED,
	OUTLINE_STEP_FILE,
	OUTLINE_STEP_SOURCES
};

struct outline_step {
	struct outline *outline;
	const struct session *session;
	struct str key;                     /* of its record; "" when that is not archived */
	uint32_t seen[LINE_CLASSES];        /* lines of the step by class */
	enum outline_again_outcome outcome; /* of the call that is added */
	bool was_told;   /* an earlier pass may have added the call, when it cut the result */
	bool adds_text;  /* the line that is added is of a file's text */
	struct buf text; /* of the line that is added */
};

/* Begins to count lines anew. */
void outline_step_begin(struct outline_step *step);

/* Takes the key of an entry, if dropped messages are archived. */
void outline_step_take_key(struct outline_step *step, uint32_t entry);

/* Adds a head, whose text is in step->text; returns whether it was not there. */
bool outline_step_add(struct outline_step *step, enum outline_kind kind, unsigned value);

/* Adds a line as a detail, or the lines of a text, without text that a client appends. The only
 * line of a result is an answer, however few letters it has. */
void outline_step_add_detail(
    struct outline_step *step, struct str line, enum outline_step_source source);
void outline_step_add_details(
    struct outline_step *step, struct str text, enum outline_step_source source);

/* Adds the words of the user: the first line of their own is the head, the others are details;
 * pasted lines come last. */
void outline_step_add_user(struct outline_step *step, struct str text);

#endif
