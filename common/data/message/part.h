#ifndef MESSAGE_PART_H
#define MESSAGE_PART_H

/*
 * A part of a content, in the spellings of the OpenAI, Anthropic and Gemini APIs. This module knows
 * the kind of a part, and the use of each of its texts. Two tables in part.c define both: one of
 * types and one of members. No other module knows the names of types and members.
 */

#include "json/members.h"

enum part_kind {
	PART_OTHER,
	PART_TEXT,
	PART_THINKING,  /* readable thinking, with or without a signature */
	PART_REDACTED,  /* thinking that only its provider can read */
	PART_REASONING, /* a summary of thinking, or a part that the provider calls reasoning */
	PART_REFUSAL,
	PART_IMAGE,
	PART_AUDIO,
	PART_FILE,
	PART_CALL, /* the call of a tool, also one that the provider runs */
	PART_RESULT,
};

enum { PART_MEMBERS = 10 };

struct part {
	enum part_kind kind;
	uint8_t traits; /* of the type: enum trait in part.c */
	struct json_value value;
	struct json_value member[PART_MEMBERS];
};

/* Reads one element of a content: an object, or a string, which counts as a text part. */
void part_read(struct json_value value, struct part *part);

/* Whether the part is blank: thinking, a text of white space only, or a value that is no part. */
bool part_is_blank(const struct part *part);

/* Whether the part is an image, audio or a file. */
bool part_is_media(const struct part *part);

/* Whether the type of the part exists in chat completions. */
bool part_is_chat(const struct part *part);

/* Whether the part is thinking of any kind, and whether the part is signed by its provider. Such
 * parts must be sent back to the provider unchanged. */
bool part_is_thinking(const struct part *part);
bool part_is_signed(const struct part *part);

/* The text of a part that is a text and nothing else, as a JSON string; absent for other parts. */
struct json_value part_plain_text(const struct part *part);

/* The kinds of texts that a model reads. */
enum text_kind {
	TEXT_CONTENT,   /* a string */
	TEXT_THINKING,  /* a string */
	TEXT_SIGNED,    /* a string: content that its provider has signed */
	TEXT_NAME,      /* a string: the name of a called tool */
	TEXT_ARGUMENTS, /* a string, or any other JSON value, which the model reads as it is */
	TEXT_IMAGE,     /* a part without a text; value is the whole part */
	TEXT_AUDIO,
	TEXT_FILE,
};

/* The purposes for which a text is read. */
enum part_use {
	PART_COUNTED = 1, /* counting tokens */
	PART_SHOWN = 2,   /* showing the content to people or in a placeholder, and its size */
	PART_MATCHED = 4, /* matching a selector's pattern */
};

struct part_text {
	enum text_kind kind;
	struct json_value value;
};

/* Sets *text to the next text of part for that use. *at is 0 before the first call. Returns false
 * when there is no more. */
bool part_next_text(
    const struct part *part, enum part_use use, unsigned *at, struct part_text *text);

/* The array of parts inside a part, such as the content of a result; or absent. */
struct json_value part_nested(const struct part *part);

/* The value of which all plain strings are texts, such as the output of a tool that the server ran,
 * or an object as the content of a result; or absent. */
struct json_value part_strings(const struct part *part);

#endif
