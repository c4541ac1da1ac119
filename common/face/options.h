#ifndef FACE_OPTIONS_H
#define FACE_OPTIONS_H

/*
 * Each command has one table of its options. The command line is parsed by the table, into the
 * command's struct. --help is printed from the table, and tests compare the page and the
 * completions with it. Long names are not abbreviated. An option-argument follows as --name=VALUE
 * or --name VALUE; one that may be left out follows as --name=VALUE only.
 *
 * The options that all commands share (OPTIONS_COMMON) are part of every table, -h and -V included.
 */

#include <stdint.h>

#include "base/buf.h"
#include "base/number.h"
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

/* Of commands that replace the files that they read (face/in_place.h). */
struct in_place_options {
	const char *suffix;  /* NULL: not in place; "": the old file does not stay */
	const char *min_age; /* as it was given, or NULL */
	bool follows_symlinks;
	bool breaks_hard_links;
	enum status accepted; /* with this one a file is replaced, too, as with 0 */
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
	const char *changes;     /* of commands that have OPTION_CHANGES (face/changes.h) */
	const char *archive;     /* of commands that have OPTION_ARCHIVE (face/archiving.h) */
	const char *finds;       /* of ctx-redact */
	int steering;            /* enum walk_steering (data/walk.h) */
	const char *session_key; /* face/sessions.h */
	bool sorted;
	struct in_place_options in_place;
	struct option_list reads;         /* the arguments of type OPTION_FILE, of all options */
	uint64_t given[OPTIONS_MAX / 64]; /* which rows of the table were given, as bits */
};

extern const char *const bad_lines_choices[], *const options_steering[];

/* Rows of an option table: how the messages are understood, */
#define OPTIONS_WALK \
	{"steering", 0, "HOW", \
	    "a request after a result: join its run (default) or begin a new one", OPTION_CHOICE, \
	    offsetof(struct common_options, steering), options_steering}, \
	{ \
		"tool", 0, "TOOL", \
		    "NAME=read:ARG, write:ARG, edit:ARG or shell:ARG; @FILE has one a line", \
		    OPTION_TOOL, 0, .flags = OPTION_OWN_PROCESS \
	}

/* many sessions in one stream, */
#define OPTIONS_SESSIONS \
	{"session-key", 0, "PATH", \
	    "the member that says the session, such as metadata.session_id; each goes alone", \
	    OPTION_STRING, offsetof(struct common_options, session_key)}, \
	{ \
		"sorted", 0, NULL, "with --session-key: a session ends where the next begins", \
		    OPTION_FLAG, offsetof(struct common_options, sorted) \
	}

/* which lines are records, */
#define OPTIONS_INPUT \
	{"bad-lines", 0, "ACTION", "keep (default), stop at, or drop lines that are not valid", \
	    OPTION_CHOICE, offsetof(struct common_options, bad_lines), bad_lines_choices, \
	    offsetof(struct common_options, bad_lines_given)}, \
	    {"bad-file", 0, "FILE", "where dropped bad lines go", OPTION_STRING, \
		offsetof(struct common_options, bad_file)}, \
	{ \
		"max-line", 0, "SIZE", "the longest line that is read as a record (256M)", \
		    OPTION_COUNT, offsetof(struct common_options, max_line), NULL, \
		    offsetof(struct common_options, max_line_given), OPTION_OWN_PROCESS \
	}

/* and what is said of the run. */
#define OPTIONS_REPORT \
	{"report", 0, "FILE", "write what was done as one JSON object", OPTION_STRING, \
	    offsetof(struct common_options, report)}, \
	{ \
		"verbose", 'v', NULL, "say what was done on standard error", OPTION_FLAG, \
		    offsetof(struct common_options, verbose) \
	}

/* All of these. */
#define OPTIONS_COMMON OPTIONS_WALK, OPTIONS_SESSIONS, OPTIONS_INPUT, OPTIONS_REPORT

#define OPTIONS_END \
	{ \
		NULL, 0, NULL, NULL, OPTION_FLAG, 0 \
	}

/*
 * Parses argv into values, the command's struct. Ends the program with status 0 after --help and
 * --version, and with 64 and a diagnostic on an error. Options may follow operands, up to "--".
 * Operands are moved to the end of argv. Returns the index of the first operand.
 */
int options_parse(const struct command *command, int argc, char **argv, void *values);

/* What the words of a command line are, where nothing is set and nothing is said. */
struct options_words {
	bool is_wrong;     /* options_parse ends the program */
	unsigned flags;    /* of all options that are given, enum option_flags */
	unsigned operands; /* "-" is one, too */
};

struct options_words options_look(const struct command *command, int argc, char *const *argv);

/* For an option of which others have no part: ends the program with status 64 when one was given
 * that is not among the names, which NULL ends. what is the option. */
void options_check_only(const struct command *command, const struct common_options *given,
    const char *what, const char *const *names);

/* Notes that the run reads the file at path, which then must be no output; for a file that no option
 * names. path must live as long as the options. */
void options_read(struct common_options *options, const char *path);

/* For options that print something instead of running the command: prints the text and exits with
 * status, or with 74 when printing fails. */
_Noreturn void options_print(const struct buf *text, enum status status);

/* Ends the program with status 64, the message, and a hint to --help. */
_Noreturn void options_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
