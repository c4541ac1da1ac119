#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

/*
 * Each command has one table of its options. The command line is parsed by the table, into the
 * command's struct, and the relations of the options that are given are checked. -h and --help are
 * printed from the table (face/options/help.h), and tests compare the page and the completions with
 * it. Long names are not abbreviated. An option-argument follows as --name=VALUE or --name VALUE;
 * an optional one follows as --name=VALUE only.
 *
 * The options that all commands share (OPTIONS_COMMON) are part of every table, -h and -V included.
 */

#include "base/buf.h"
#include "base/number.h"
#include "base/status.h"
#include "face/options/common_options.h"

extern const char *const bad_lines_choices[], *const options_steering[], *const options_forgotten[];

/*
 * A row of an option table that several commands have is spelled once, as a macro of ROW and of the
 * name of the struct that has the value. ROW is OPTION_ROW; or OPTION_HANDED in ctx-compile, which
 * keeps the argument as text, in the member handed of its struct, for the commands that it runs.
 * Relations follow the member.
 */
#define OPTION_ROW(type, name, letter, argument, help, kind, member, ...) \
	{ \
		name, letter, argument, help, kind, offsetof(struct type, member), __VA_ARGS__ \
	}
#define OPTION_HANDED(type, name, letter, argument, help, kind, member, ...) \
	{ \
		name, letter, argument, help, OPTION_SEQUENCE, offsetof(struct type, handed), \
		    .flags = OPTION_IS_HANDED \
	}

#define OPTION_EXECUTION(ROW, type, ...) \
	ROW(type, "execution", 0, "ID", \
	    "the current execution: auto (default), last, none or an id", OPTION_STRING, \
	    execution, __VA_ARGS__)

/* How the messages are understood, */
#define OPTIONS_WALK(ROW, type) \
	ROW(type, "steering", 0, "HOW", \
	    "a request after a result: join its run (default) or begin a new one", OPTION_CHOICE, \
	    steering, options_steering), \
	    ROW(type, "tool", 0, "TOOL", \
		"NAME=read:ARG, write:ARG, edit:ARG or shell:ARG; @FILE has one a line", \
		OPTION_TOOL, reads, .flags = OPTION_OWN_PROCESS)

/* and in commands that obey tombstones (data/tombstone.h), */
#define OPTION_FORGOTTEN \
	OPTION_ROW(common_options, "forgotten", 0, "HOW", \
	    "hide (default) or show what metadata.forgets of later messages names", OPTION_CHOICE, \
	    forgotten, options_forgotten)

/* and in commands that read the sessions of agents and the files beside them; rows are added, */
#define OPTION_AGENTS(...) \
	{ \
		"agents", 0, NULL, \
		    "also the files of sub-agents, and long results, beside each file", \
		    OPTION_FLAG, offsetof(struct common_options, agents), \
		    .flags = OPTION_OWN_PROCESS, __VA_ARGS__ \
	}

/* many sessions in one stream, */
#define OPTIONS_SESSIONS(ROW, type) \
	ROW(type, "session-key", 0, "PATH", \
	    "the member that names the session, such as metadata.session_id; each is treated " \
	    "alone", \
	    OPTION_STRING, session_key, ), \
	    ROW(type, "sorted", 0, NULL, \
		"with --session-key: a session ends where the next begins", OPTION_FLAG, sorted, \
		.requires = "session-key")

/* which lines are records, */
#define OPTIONS_BAD_LINES(help) \
	OPTION_ROW(common_options, "bad-lines", 0, "ACTION", help, OPTION_CHOICE, bad_lines, \
	    bad_lines_choices, offsetof(struct common_options, bad_lines_given)), \
	    OPTION_ROW(common_options, "bad-file", 0, "FILE", "where dropped bad lines go", \
		OPTION_STRING, bad_file, )
#define OPTION_MAX_LINE(ROW, type) \
	ROW(type, "max-line", 0, "SIZE", "the longest line that is read as a record (256M)", \
	    OPTION_COUNT, max_line, NULL, offsetof(struct common_options, max_line_given), \
	    OPTION_OWN_PROCESS)

#define BAD_LINES_ARE_KEPT "keep (default), stop at, or drop lines that are not valid"

/* and the reports of a run. */
#define OPTION_VERBOSE \
	OPTION_ROW(common_options, "verbose", 'v', NULL, "say what was done on standard error", \
	    OPTION_FLAG, verbose, )
#define OPTIONS_REPORT \
	OPTION_ROW(common_options, "report", 0, "FILE", "write what was done as one JSON object", \
	    OPTION_STRING, report, ), \
	    OPTION_VERBOSE

/* All of these, with their headings, and with the help of --bad-lines, which has the default. */
#define OPTIONS_INPUT(bad_lines) \
	OPTIONS_UNDER("Input and output"), OPTIONS_WALK(OPTION_ROW, common_options), \
	    OPTIONS_BAD_LINES(bad_lines), OPTION_MAX_LINE(OPTION_ROW, common_options), \
	    OPTIONS_REPORT
#define OPTIONS_COMMON_BUT(bad_lines) \
	OPTIONS_UNDER("Many sessions"), OPTIONS_SESSIONS(OPTION_ROW, common_options), \
	    OPTIONS_INPUT(bad_lines)
#define OPTIONS_COMMON OPTIONS_COMMON_BUT(BAD_LINES_ARE_KEPT)

/* The heading in --help of the rows after it. */
#define OPTIONS_UNDER(text) \
	{ \
		.name = (text), .type = OPTION_HEADING \
	}

#define OPTIONS_END \
	{ \
		.name = NULL \
	}

/*
 * Parses argv into values, the command's struct. Ends the program with status 0 after --help and
 * --version, and with 64 and a diagnostic on an error. Options may follow operands, up to "--".
 * Operands are moved to the end of argv. Returns the index of the first operand.
 */
int options_parse(const struct command *command, int argc, char **argv, void *values);

/* The words of a command line, looked at without setting a value or printing. */
struct options_words {
	bool is_wrong;     /* options_parse ends the program */
	unsigned flags;    /* of all options that are given, enum option_flags */
	unsigned operands; /* "-" is one, too */
};

struct options_words options_look(const struct command *command, int argc, char *const *argv);

/* Notes that the run reads the file at path, which then must be no output; for a file that no
 * option names. path must live as long as the options. */
void options_read(struct common_options *options, const char *path);

/* For options that print something instead of running the command: prints the text and exits with
 * status, or with 74 when printing fails. */
_Noreturn void options_print(const struct buf *text, enum status status);

/* Ends the program with status 64, the message, and a hint to --help. */
_Noreturn void options_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
