#ifndef CTX_PROJECT_TRIM_OPTION_H
#define CTX_PROJECT_TRIM_OPTION_H

/* The options that trim a view: --last, --first, --keep, --start-on, --end-on and
 * --partial. */

#include "face/options/options.h"
#include "policy/view/trim.h"

struct trim_option_values {
	struct size last;
	struct size first;
	struct option_list keep;
	const char *start_on;
	const char *end_on;
	int partial; /* enum partial */
};

extern const char *const trim_option_partial[];

/* Rows of an option table. The command's struct has a member trim, a struct trim_option_values. */
#define OPTIONS_TRIM(type) \
	{"last", 0, "SIZE", "the newest that fit: 20msgs, 70%msgs, 8turns or 4k tokens", \
	    OPTION_LAST, offsetof(struct type, trim.last), .not_with = "first"}, \
	    {"messages", 'n', "N", "the newest N messages: --last Nmsgs", OPTION_MESSAGES, \
		offsetof(struct type, trim.last), .not_with = "first"}, \
	    {"first", 0, "SIZE", "the oldest that fit, instead of the newest", OPTION_LAST, \
		offsetof(struct type, trim.first)}, \
	    {"keep", 0, "WHAT", \
		"also these, which count: system, developer, first, pinned, critical, summary or " \
		"a SELECTOR", \
		OPTION_LIST, offsetof(struct type, trim.keep), .requires = "last messages first"}, \
	    {"start-on", 0, "ROLES", \
		"begin with one of these roles: system, developer, user, assistant, tool", \
		OPTION_STRING, offsetof(struct type, trim.start_on)}, \
	    {"end-on", 0, "ROLES", \
		"end with one of these roles: system, developer, user, assistant, tool", \
		OPTION_STRING, offsetof(struct type, trim.end_on)}, \
	{ \
		"partial", 0, "PART", \
		    "of the message that does not fit: none (default), head or tail", \
		    OPTION_CHOICE, offsetof(struct type, trim.partial), trim_option_partial \
	}

/* The names of these options, as members of struct option list them. */
#define OPTIONS_TRIM_NAMES "last messages first keep start-on end-on partial"

/* Reads the options that trim; ends the program with status 64 when they are wrong. */
void trim_option_parse(const struct trim_option_values *options, struct trim *trim);

/* Whether a trim depends on tokens. */
bool trim_option_counts(const struct trim *trim);

#endif
