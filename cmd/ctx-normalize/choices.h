#ifndef CTX_NORMALIZE_CHOICES_H
#define CTX_NORMALIZE_CHOICES_H

/*
 * The options of ctx-normalize, and the values derived from them.
 */

#include "dialects/dialect.h"
#include "dialects/request/systems.h"
#include "face/output/in_place.h"
#include "policy/normalize/repair.h"

struct choices {
	struct common_options common;
	int from;       /* an index of dialect_readers */
	int to;         /* an index of dialect_writers */
	int open_calls; /* enum repair_open; without the option, the need of the dialect */
	bool open_calls_given;
	int system; /* enum systems_place; without the option, the need of the dialect */
	bool system_given;
	const char *request; /* NULL: not given; "" without members */
	uint64_t cached;
	bool cached_given;
	bool array;
	bool all;
	const char *check; /* NULL: not given; "" or "sarif" */
	bool census;
	bool gc;
	bool untrusted;
	bool lossy;
	bool repair;
	const char *into;              /* NULL: not given */
	const char *output;            /* of into; NULL: standard output */
	struct in_place_options place; /* the same: how that file is replaced */
	/* Derived values: */
	const struct dialect *reader;
	const struct dialect *writer;
	struct json_value given; /* the members of --request, or absent; it lies in given_text */
	struct buf given_text;
};

extern const struct option choices_table[];

/* Sets the derived values from the parsed options. Ends the program with status 64 when options
 * cannot be combined. */
void choices_check(struct choices *choices, char *const *operands, int count);

void choices_free(struct choices *choices);

/* Whether --from names a dialect other than the canonical one. */
bool choices_is_told(const struct choices *choices);

/* Whether messages are checked as they are, in the spelling of an API. */
bool choices_is_api_check(const struct choices *choices);

/* Whether files are checked by the rules of the agent that resumes them. */
bool choices_is_load_check(const struct choices *choices);

/* Whether no record is written: the input is checked or counted. */
bool choices_writes_nothing(const struct choices *choices);

/* Whether findings are written as a log in SARIF. */
bool choices_is_sarif(const struct choices *choices);

/* Whether the messages of a session become one record. */
bool choices_write_one(const struct choices *choices);

/* Whether all messages become one list. Messages of an API, one on each line, have no place for a
 * session, so sessions are written one after the other. */
bool choices_write_list(const struct choices *choices);

enum systems_place choices_systems(const struct choices *choices);

enum repair_open choices_open_calls(const struct choices *choices);

#endif
