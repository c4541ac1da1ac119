#ifndef JSON_VALUE_H
#define JSON_VALUE_H

/*
 * The types by which the modules of json/ describe a JSON text. A value is a span of the text and
 * owns nothing.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	JSON_DEPTH_MAX = 1024, /* levels of arrays and objects */
	/* Readable bytes that must follow a text; their content does not matter. */
	JSON_PADDING = BUF_PADDING,
	JSON_NAMES_MAX = 128,                  /* of a set that members are picked by */
	JSON_SCAN_NAMES_MAX = 64,              /* of a set that a scan takes */
	JSON_NAMES_SLOTS = 2 * JSON_NAMES_MAX, /* some are empty, where a look-up ends */
	JSON_ELEMENTS_MAX = 4,                 /* elements of a list that a scan notes */
	JSON_PICKED_MAX = 8,                   /* names of members that it notes of each element */
	JSON_OBJECT_MAX = 32,                  /* names of members that it notes of an object */
	JSON_SPANS_MAX = 32,                   /* long values that a scan notes */
	JSON_SPAN_LEN = 64,                    /* a value of that many bytes or more is long */
	JSON_OUTER_MAX = 32,                   /* top-level members that a scan notes */
	JSON_INNER_MAX = 64,                   /* members of those members that are objects */
};

enum json_type {
	JSON_ABSENT,
	JSON_NULL,
	JSON_FALSE,
	JSON_TRUE,
	JSON_NUMBER,
	JSON_STRING,
	JSON_ARRAY,
	JSON_OBJECT,
};

/* A value as a span of the text. The span of a string includes its quotes. */
struct json_value {
	const char *ptr;
	uint32_t len;
	uint8_t type;    /* enum json_type */
	uint8_t escaped; /* a string with at least one backslash */
};

static const struct json_value json_absent __attribute__((unused)) = {.type = JSON_ABSENT};

static inline struct str
json_span(struct json_value value)
{
	return str_of(value.ptr, value.len);
}

static inline bool
json_is_bool(struct json_value value)
{
	return value.type == JSON_TRUE || value.type == JSON_FALSE;
}

/* The bytes between the quotes of a string, not decoded. */
static inline struct str
json_inner(struct json_value string)
{
	return str_of(string.ptr + 1, string.len - 2u);
}

/* A member of an object. */
struct json_member {
	struct json_value name, value;
};

/*
 * The long values of a text, at all depths. A scan has read them already, so that a later walk need
 * not search for their ends. They are in the order of their ends. When the list is full, a further
 * value replaces the last one, so that the outermost values are in the list.
 *
 * When the text is an object, its members are noted too, and the members of each member that is an
 * object. A pick from one of these objects (json/members.h) need not read it again. When the
 * members do not all fit, none of them are noted.
 */
struct json_spans {
	unsigned count;
	bool has_blank;       /* there is white space between tokens, or around the text */
	bool has_long_escape; /* a string or a name has an escape \uXXXX or \/ */
	struct json_value value[JSON_SPANS_MAX];
	const char *object; /* the start of the text's object, or NULL when it is no object */
	unsigned outer_count, inner_count;
	struct json_member outer[JSON_OUTER_MAX];
	struct json_member inner[JSON_INNER_MAX];
	uint8_t first[JSON_OUTER_MAX],
	    after[JSON_OUTER_MAX]; /* inner[first] to inner[after - 1] are the members of
				    * outer[i]; none when first and after are equal */
};

/*
 * A set of at most JSON_NAMES_MAX member names, prepared for look-up by json_names_init, or by
 * JSON_NAMES_INIT when a scan takes the set. The index of a name in the list is the index of its
 * member in struct json_scan.
 */
struct json_names {
	const struct str *list;
	unsigned count;
	uint64_t head[JSON_NAMES_MAX];  /* the first 8 bytes of each name, zeros after its end */
	uint64_t tail[JSON_NAMES_MAX];  /* the last 8 bytes of a name that has more than 8 */
	uint8_t slot[JSON_NAMES_SLOTS]; /* index + 1 by hash, 0 is empty; probed linearly */
	/* NULL, or the names, JSON_PICKED_MAX at most, of the members that a scan notes for each
	 * object in one list. */
	const struct json_names *element;
	int list_name;   /* the index of the name of that list */
	uint32_t inside; /* as in json_walk_pick: members whose own members are noted, as bits */
	/* NULL, or the names, JSON_OBJECT_MAX at most, of the members that a scan notes of the
	 * object in one member. */
	const struct json_names *object;
	int object_name; /* the index of the name of that member */
};

/* An object in a list, and its members, in the order of their names. */
struct json_element {
	struct json_value value;
	struct json_value member[JSON_PICKED_MAX];
};

/* The result of a scan. */
struct json_scan {
	struct json_value value; /* the whole text, white space around it left out */
	/* For each name the first such member of the top-level object, or JSON_ABSENT. Only
	 * names->count elements are set. */
	struct json_value member[JSON_SCAN_NAMES_MAX];
	uint64_t repeated; /* bit i is set when name i occurred more than once */
	/* The number of objects in the list, if names have one; or more than JSON_ELEMENTS_MAX when
	 * there are more. */
	uint32_t elements;
	struct json_element element[JSON_ELEMENTS_MAX];
	/* The members of the object in the first member of names->object_name, in the order of
	 * their names; not set when that member is no object. */
	struct json_value object[JSON_OBJECT_MAX];
	/* The offset of the first wrong byte. For ill-formed UTF-8, this is the first byte of the
	 * sequence. When the text ends too early, the offset is the length of the text. */
	size_t error_at;
	const char *error; /* a phrase that says what is wrong; NULL when valid */
};

#endif
