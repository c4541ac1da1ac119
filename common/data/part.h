#ifndef DATA_PART_H
#define DATA_PART_H

/*
 * A part of a content, in the spellings of the OpenAI, Anthropic and Gemini APIs: what kind it is,
 * and which of its members are texts for whom. Two tables in part.c say it, one of types, one of
 * members; everybody asks here.
 */

#include "json/walk.h"

enum part_kind {
	PART_OTHER,
	PART_TEXT,
	PART_THINKING,  /* in plain, perhaps signed */
	PART_REDACTED,  /* thinking that only its provider can read */
	PART_REASONING, /* a summary of thinking, or what a provider calls so */
	PART_REFUSAL,
	PART_IMAGE,
	PART_AUDIO,
	PART_FILE,
	PART_CALL,   /* of a tool, a server's too */
	PART_RESULT,
};

enum { PART_MEMBERS = 8 };

struct part {
	enum part_kind kind;
	uint8_t traits; /* of its type */
	struct json_value value;
	struct json_value member[PART_MEMBERS];
};

/* Reads one element of a content: an object, or a string, which is text. */
void part_read(struct json_value value, struct part *part);

/* Whether nothing is in it for a reader: thinking, text of white space alone, or no part at all. */
bool part_is_blank(const struct part *part);

/* Whether it is an image, audio or a file. */
bool part_is_media(const struct part *part);

/* The text of a part that is text and nothing else: the string that it is or has; or absent. */
struct json_value part_plain_text(const struct part *part);

/* What a text is to a model. */
enum text_kind {
	TEXT_CONTENT,   /* a string */
	TEXT_THINKING,  /* a string */
	TEXT_NAME,      /* a string: the name of a called tool */
	TEXT_ARGUMENTS, /* a string, or any JSON value that is given to the model as it is */
	TEXT_IMAGE,     /* a part without text; value is the part */
	TEXT_AUDIO,
	TEXT_FILE,
};

/* Who asks for texts. */
enum part_use {
	PART_COUNTED = 1, /* what a token count is made of */
	PART_SHOWN = 2,   /* what a person or a placeholder tells of the content, and its size */
	PART_MATCHED = 4, /* what a selector's pattern sees */
};

struct part_text {
	enum text_kind kind;
	struct json_value value;
};

/* The next text of part for that use; *at begins as 0. */
bool part_next_text(const struct part *part, enum part_use use, unsigned *at,
    struct part_text *text);

/* The parts inside a counted part, those of a result: an array, or absent. */
struct json_value part_nested(const struct part *part);

/* The value all of whose plain strings count: what a server's tool gave, an object as the content of
 * a result; or absent. */
struct json_value part_strings(const struct part *part);

#endif
