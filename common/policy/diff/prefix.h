#ifndef DIFF_PREFIX_H
#define DIFF_PREFIX_H

/*
 * Whether two values are the same to a provider's cache. A cache has the start of a request's
 * prompt, which the provider makes of the parsed request. So bytes are compared, but for what a
 * parser takes away:
 *
 *     white space between tokens, and escapes in strings
 *     cache_control, the cache's own mark, on a tool or a block
 *     metadata of a message, which no request has
 *     whether a content is a string, or one block of text that says nothing else
 *
 * The order of members and the spelling of numbers stay in what the model reads. Values that differ
 * in nothing else are called respelled: the same value in other bytes.
 *
 * Both texts have been accepted by json_scan, and JSON_PADDING readable bytes follow them. They are
 * compared in one pass and without recursion; only a difference takes memory, for the canonical
 * forms of both.
 */

#include "json/value.h"

/* What the value is, and so which of its members are sent. */
enum prefix_kind { PREFIX_VALUE, PREFIX_TOOL, PREFIX_BLOCK, PREFIX_MESSAGE };

enum prefix_change {
	PREFIX_RESPELLED,
	PREFIX_CHANGED,
	PREFIX_ADDED,   /* there is no earlier value */
	PREFIX_MISSING, /* there is no later value */
};

/* The first place where two values differ. */
struct prefix_difference {
	enum prefix_change change;
	/* The values there. Where members differ by name, these are the names. Absent where the
	 * array or object around it ends. */
	struct json_value was, now;
	bool is_name;
	const char *at; /* the place in the later text */
	/* So much of the decoded text is the same, if both values are strings, and no names. */
	size_t shared;      /* bytes */
	size_t characters;  /* code points */
	struct buf pointer; /* to the place in the later value, by RFC 6901 */
	/* The member of the value that has the place, by name; absent when there is none. */
	struct json_value member;
	uint32_t element; /* if that is an array: which element has the place, from 1; else 0 */
};

#define PREFIX_DIFFERENCE_INIT \
	{ \
		.pointer = BUF_INIT \
	}

/* Returns whether both values are the same. When they are not, sets *difference, whose values point
 * into the texts. */
bool prefix_is_same(struct json_value was, struct json_value now, enum prefix_kind kind,
    struct prefix_difference *difference);

/* The text of a block that is a text and nothing else, as a JSON string; absent for others. */
struct json_value prefix_text(struct json_value block);

void prefix_difference_free(struct prefix_difference *difference);

#endif
