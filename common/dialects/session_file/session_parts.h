#ifndef SESSION_FILE_SESSION_PARTS_H
#define SESSION_FILE_SESSION_PARTS_H

/*
 * The parts of one message in the spelling of a form, in lists with commas between. Parts for which
 * the form has no place are counted in dropped; an image or a file leaves a text, "[image]".
 */

#include "data/message/message.h"
#include "data/message/part.h"
#include "dialects/session_file/session_form.h"
#include "dialects/tally.h"

struct session_parts {
	const struct session_form *form;
	struct tally *dropped;
	enum role role; /* of the message */
	struct str value[SESSION_VALUE_COUNT];
	struct buf list[SESSION_PLACE_COUNT];
	/* the texts, if not the assistant's, joined by LF: a JSON string without its end */
	struct buf flat;
	/* the images of a result, a comma before each, if the call's record has the result */
	struct buf files;
	bool no_files;  /* there is no place for images */
	unsigned count; /* of parts in the list of parts */
	bool is_text;   /* the last part in that list is a text */
	uint64_t parts; /* numbers the parts of all messages */
	/* Writes the part of that template as a record of its own, after the earlier records.
	 * Returns false when a value of it is not there. */
	bool (*put_alone)(struct session_parts *parts, const char *form);
	struct buf scratch, medium, url, number;
};

/* Begins a message of that role, whose parts are appended to the lists. */
void session_parts_begin(struct session_parts *parts, enum role role);

/* Empties the lists. */
void session_parts_clear(struct session_parts *parts);

/* Sets the value thought of a call or a part: the signature of Gemini's thinking. */
void session_parts_set_thought(struct session_parts *parts, struct json_value value);

void session_parts_add_content(struct session_parts *parts, struct json_value content);

/* Whether the agent would take the added texts, joined, for a command of its own, and would not
 * send them to the model. */
bool session_parts_is_command(struct session_parts *parts);

/* Adds a string as a refusal (a text if the form has no place for refusals), or as thinking. Adds
 * nothing for an empty string, nor, except in a result, for a blank one. */
void session_parts_add_refusal(struct session_parts *parts, struct json_value string);
void session_parts_add_thinking(struct session_parts *parts, struct json_value string);

/* Adds a part of the form, made of the current values. Returns false when the form has no place for
 * it. */
bool session_parts_add(struct session_parts *parts, enum session_form_part part);

/* Sets the values output, flat, parts and files. They are valid until the next message. */
void session_parts_set_output(struct session_parts *parts);

/* Whether a reader of the form recognizes an error in the output: by its own words, or, if the form
 * has a flag for that, by is_failed. */
bool session_parts_says_failure(struct session_parts *parts, bool is_failed);

/* The list as a value; never absent. */
struct str session_parts_list(const struct buf *list);

void session_parts_free(struct session_parts *parts);

#endif
