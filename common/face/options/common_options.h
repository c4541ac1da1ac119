#ifndef OPTIONS_COMMON_OPTIONS_H
#define OPTIONS_COMMON_OPTIONS_H

/* The values of options that several commands have, and the structs that values are kept in. */

#include <stdint.h>

#include "base/status.h"
#include "face/command.h"

enum { OPTION_LIST_MAX = 64, OPTION_SEQUENCE_MAX = 256, OPTIONS_MAX = 128 };

struct option_list {
	const char *item[OPTION_LIST_MAX];
	unsigned count;
};

/* The arguments of options whose order among each other counts. */
struct option_sequence {
	struct {
		const struct option *option;
		const char *argument;
	} item[OPTION_SEQUENCE_MAX];
	unsigned count;
};

/* The values of --bad-lines. */
enum bad_lines { BAD_LINES_KEEP, BAD_LINES_STOP, BAD_LINES_DROP };

/* The values of --forgotten. */
enum forgotten { FORGOTTEN_HIDE, FORGOTTEN_SHOW };

/* Of commands that replace the files that they read (face/output/in_place.h). */
struct in_place_options {
	const char *suffix; /* NULL: not in place; "": the old file does not stay */
	uint64_t min_age;   /* seconds, where has_min_age */
	bool has_min_age;
	bool follows_symlinks;
	bool breaks_hard_links;
	enum status accepted; /* with this status a file is replaced, too, as with 0 */
};

/* The options that all commands have; the first member of every command's struct. */
struct common_options {
	int bad_lines;
	bool bad_lines_given;
	const char *bad_file;
	uint64_t max_line; /* bytes */
	bool max_line_given;
	bool verbose;
	const char *report;
	const char *changes; /* of commands that have OPTION_CHANGES (face/changes.h) */
	const char
	    *archive; /* of commands that have OPTION_ARCHIVE (face/choices/archive_option.h) */
	const char *finds;       /* of ctx-redact */
	int steering;            /* enum walk_steering (data/walk.h) */
	int forgotten;           /* enum forgotten */
	const char *session_key; /* face/sessions/sessions.h */
	bool sorted;
	bool apart;  /* an operand that cannot be read ends nothing; the command has a passer */
	bool agents; /* of commands that have OPTION_AGENTS (face/agents/agent_files.h) */
	struct in_place_options in_place;
	struct option_list reads;         /* the arguments of type OPTION_FILE, of all options */
	uint64_t given[OPTIONS_MAX / 64]; /* which rows of the table were given, as bits */
};

#endif
