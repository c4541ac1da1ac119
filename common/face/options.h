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

enum option_type {
	OPTION_FLAG,   /* bool: true */
	OPTION_STRING, /* const char *: the argument */
	/* const char *: the argument, or "" when the option stands without; its letter has none */
	OPTION_OPTIONAL,
	OPTION_FILE,  /* const char *: the argument, a file that is read and must be no output */
	OPTION_COUNT, /* uint64_t: a number, with k, M, G or T behind it or not */
	OPTION_SIZE,  /* struct size */
	OPTION_TURNS, /* struct size: a number of turns */
	OPTION_MOST,  /* struct size: tokens, messages or turns; no share of a window */
	/* struct size: messages, a share of them, turns or tokens; no bare number that is too
	 * small */
	OPTION_LAST,
	OPTION_MESSAGES, /* struct size: a number of messages */
	OPTION_LENGTH,   /* struct size: bytes, or tokens */
	OPTION_CHOICE,   /* int: the index of the argument in choices */
	OPTION_LIST,     /* struct option_list: every argument, in order */
	OPTION_SEQUENCE, /* struct option_sequence: the same of all rows with that member */
	OPTION_TOOL,     /* a tool, or a file of tools, for data/own_tools.h */
};

enum { OPTION_LIST_MAX = 64, OPTION_SEQUENCE_MAX = 256, OPTIONS_MAX = 128 };

struct option_list {
	const char *item[OPTION_LIST_MAX];
	unsigned count;
};

struct option;

/* The arguments of options whose order among each other counts. */
struct option_sequence {
	struct {
		const struct option *option;
		const char *argument;
	} item[OPTION_SEQUENCE_MAX];
	unsigned count;
};

struct option {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* the name of the option-argument in --help; NULL: takes none */
	const char *help;     /* one line */
	enum option_type type;
	size_t offset;              /* of the option's member in the command's struct */
	const char *const *choices; /* OPTION_CHOICE: ended by NULL */
	size_t given; /* offset of a bool, which is set when the option is given; 0: none */
};

struct command {
	const char *name;
	const char *synopsis;         /* without the name: "[option]... [file]..." */
	const char *summary;          /* one line */
	const struct option *options; /* ended by a NULL name */
	const char *examples[2];      /* command lines */
	unsigned char statuses[16];   /* those it can end with, from 0 up; zeros behind them */
	const char *no;               /* what STATUS_NO says, in commands that end with it */
};

/* The values of --bad-lines. */
enum bad_lines { BAD_LINES_KEEP, BAD_LINES_STOP, BAD_LINES_DROP };

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
	const char *finds;       /* of commands that have --redact-report */
	int steering;            /* enum walk_steering (data/walk.h) */
	const char *session_key; /* face/sessions.h */
	bool sorted;
	struct option_list reads;         /* the arguments of type OPTION_FILE, of all options */
	uint64_t given[OPTIONS_MAX / 64]; /* which rows of the table were given, as bits */
};

extern const char *const bad_lines_choices[], *const options_steering[];

#define OPTIONS_COMMON \
	{"steering", 0, "HOW", \
	    "a request after a result: join its run (default) or begin a new one", OPTION_CHOICE, \
	    offsetof(struct common_options, steering), options_steering, 0}, \
	    {"tool", 0, "TOOL", \
		"NAME=read:ARG, write:ARG, edit:ARG or shell:ARG; @FILE has one a line", \
		OPTION_TOOL, 0, NULL, 0}, \
	    {"session-key", 0, "PATH", \
		"the member that says the session, such as metadata.session_id; each goes alone", \
		OPTION_STRING, offsetof(struct common_options, session_key), NULL, 0}, \
	    {"sorted", 0, NULL, "with --session-key: a session ends where the next begins", \
		OPTION_FLAG, offsetof(struct common_options, sorted), NULL, 0}, \
	    {"bad-lines", 0, "ACTION", \
		"keep (default), stop at, or drop lines that are not valid", OPTION_CHOICE, \
		offsetof(struct common_options, bad_lines), bad_lines_choices, \
		offsetof(struct common_options, bad_lines_given)}, \
	    {"bad-file", 0, "FILE", "where dropped bad lines go", OPTION_STRING, \
		offsetof(struct common_options, bad_file), NULL, 0}, \
	    {"max-line", 0, "SIZE", "the longest line that is read as a record (256M)", \
		OPTION_COUNT, offsetof(struct common_options, max_line), NULL, \
		offsetof(struct common_options, max_line_given)}, \
	    {"report", 0, "FILE", "write what was done as one JSON object", OPTION_STRING, \
		offsetof(struct common_options, report), NULL, 0}, \
	{ \
		"verbose", 'v', NULL, "say what was done on standard error", OPTION_FLAG, \
		    offsetof(struct common_options, verbose), NULL, 0 \
	}

#define OPTIONS_END \
	{ \
		NULL, 0, NULL, NULL, OPTION_FLAG, 0, NULL, 0 \
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
	bool has_named;    /* one of the named options is given */
	unsigned operands; /* "-" is one, too */
};

/* Looks at the words; names is a list of long names that NULL ends. */
struct options_words options_look(
    const struct command *command, int argc, char *const *argv, const char *const *names);

/* For an option of which others have no part: ends the program with status 64 when one was given
 * that is not among the names, which NULL ends. what is the option. */
void options_check_only(const struct command *command, const struct common_options *given,
    const char *what, const char *const *names);

/* For options that print something instead of running the command: prints the text and exits with
 * status, or with 74 when printing fails. */
_Noreturn void options_print(const struct buf *text, enum status status);

/* Ends the program with status 64, the message, and a hint to --help. */
_Noreturn void options_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
