#ifndef FACE_COMMAND_H
#define FACE_COMMAND_H

/*
 * A command is one struct: its options, the steps of one run, and the stages of one session. The
 * frame (face/runner.h) reads it from top to bottom:
 *
 *     parse                                the command line
 *     open                                 all that the run needs, with open input and outputs
 *         stages                           of each session, when its first record comes
 *         ended                            of each session, when the input has ended
 *     ended                                of all of them
 *         finish, free                     of each session
 *     finish                               the sums of all sessions, into the report
 *     written                              all output is there
 *     free
 *
 * self is the struct of one run of the command, which the command's own file defines. It begins
 * with the struct of the options, which begins with struct common_options.
 */

#include <stdbool.h>
#include <stddef.h>

enum option_type {
	OPTION_HEADING, /* no option: the heading in --help of the rows after it */
	OPTION_FLAG,    /* bool: true */
	OPTION_STRING,  /* const char *: the argument */
	/* const char *: the argument, or "" when the option is given without one; the letter takes
	 * none */
	OPTION_OPTIONAL,
	OPTION_FILE,    /* const char *: the argument, a file that is read and must be no output */
	OPTION_COUNT,   /* uint64_t: a number, optionally with a suffix k, M, G or T */
	OPTION_TIME,    /* uint64_t: a number with an optional suffix s, m, h or d; in seconds */
	OPTION_COMMAND, /* const char *: a command for the shell */
	OPTION_TOKENS,  /* struct size: tokens, a share of the window, or the window less so many */
	OPTION_WINDOW,  /* struct size: tokens, more than none */
	OPTION_ROOM,    /* struct size: bytes or messages */
	OPTION_TURNS,   /* struct size: a number of turns */
	OPTION_MOST,    /* struct size: tokens, messages or turns; no share of a window */
	/* struct size: messages, a share of them, turns or tokens; no bare number that is too
	 * small */
	OPTION_LAST,
	OPTION_MESSAGES, /* struct size: a number of messages */
	OPTION_LENGTH,   /* struct size: bytes, or tokens */
	OPTION_CHOICE,   /* int: the index of the argument in choices */
	OPTION_LIST,     /* struct option_list: every argument, in order */
	OPTION_SEQUENCE, /* struct option_sequence: the same of all rows with that member */
	OPTION_TOOL,     /* a tool, or a file of tools, for data/tool/own_tools.h */
};

/* What the frame has to know of an option. */
enum option_flags {
	/* The command runs in a process of its own when it is given: it prints something else, or
	 * changes how output is written, or is one for the whole program. */
	OPTION_OWN_PROCESS = 1,
	OPTION_LEADS = 2,     /* it replaces the operand before the files */
	OPTION_IS_HANDED = 4, /* ctx-compile hands it to the commands that have it */
};

struct option {
	const char *name;
	char letter;          /* 0: none */
	const char *argument; /* the name of the option-argument in --help; NULL: takes none */
	const char *help;     /* one line; NULL: the choices, of which the first is the default */
	enum option_type type;
	size_t offset;              /* of the option's member in the command's struct */
	const char *const *choices; /* OPTION_CHOICE: ended by NULL */
	size_t given;   /* offset of a bool, which is set when the option is given; 0: none */
	unsigned flags; /* enum option_flags */
	/* Lists of the names of other options (face/options/relations.h); NULL: there is no such
	 * relation. */
	const char *requires, *not_with, *only_with;
};

enum command_kind {
	COMMAND_FILTER, /* reads sessions and writes them */
	COMMAND_LOOKS,  /* reads, and reports its findings */
	COMMAND_FRONT,  /* runs other commands */
};

/* Which output records get the key of their session if they have none. */
enum sessions_keys {
	SESSIONS_KEYS_ADDED, /* those that were added */
	SESSIONS_KEYS_ALL,   /* all: they are spelled anew, and may have lost it */
	SESSIONS_KEYS_NONE,  /* the output has no place for it */
};

/* The treatment of messages that later ones forget (data/tombstone.h). With all but the last value,
 * records from the first message with an id on wait for the end of the session. */
enum command_forgotten {
	COMMAND_FORGOTTEN_GO,   /* they do not come to the stages */
	COMMAND_FORGOTTEN_PASS, /* they come as records that are no messages */
	/* The stages get the log unchanged, or the command places the tombstone stage itself. */
	COMMAND_FORGOTTEN_STAY,
};

struct buf;
struct run;
struct stage;

/* Any function may be NULL. */
struct command {
	const char *name;
	const char *synopsis; /* without the name: "[option]... [file]..." */
	const char *purpose;  /* one line */
	enum command_kind kind;
	const struct option *options; /* ended by a NULL name */
	const char *const *essential; /* long names of those that -h prints, ended by NULL */
	const char *examples[2];      /* command lines */
	void (*list)(struct buf *to); /* adds lines to --help, after the purpose; or NULL */
	unsigned char statuses[16];   /* the possible exit statuses, ascending from 0, then zeros */
	const char *no;               /* the meaning of STATUS_NO, in commands that end with it */
	unsigned leading;             /* operands before the files, unless an option leads */
	bool reads_documents;         /* input may have several lines a record */
	const char *piped;            /* the operands that it needs at the end of a pipe; or NULL */
	const char *only_looks;       /* a filter's options that make reads_all true; or NULL */

	/* For a command that reads no session: does everything, from the command line to the exit
	 * status. */
	int (*main)(int argc, char **argv);

	struct {
		size_t size; /* of self, which is zeros before parse */
		/* Parses and checks the command line. Ends the program with status 64 when it is
		 * wrong. Returns the index of the first operand that is a file. */
		int (*parse)(void *self, int argc, char **argv);
		void (*open)(void *self, struct run *run);
		/* Whether the run reads its input in whatever format it is (face/transcript.h).
		 * NULL: it does not. */
		bool (*reads_all)(const void *self);
		/* A stage before all sessions, or NULL. */
		struct stage *(*ahead)(void *self);
		/* Does the whole run if an option asks for something that works on no session.
		 * Returns false if no such option is given. */
		bool (*whole)(void *self);
		/* Called when all sessions of --session-key have ended, before the records that
		 * they hold are written. With --sorted only the last session is still open then. */
		void (*ended)(void *self);
		/* Called when all sessions are finished, whether a fault is set or not. Adds to the
		 * report, and closes all that open has opened. */
		void (*finish)(void *self);
		/* Called when all output is written, or the file is replaced, without a fault; the
		 * report is complete. */
		void (*written)(void *self);
		/* Frees all that parse has made. */
		void (*free)(void *self);
	} run;

	struct {
		size_t size; /* of the struct of a session, which is zeros before stages */
		/* The same, where it depends on the options; or NULL. */
		size_t (*size_of)(const void *self);
		/* Opens a session and sets its stages, SESSIONS_STAGES - 1 at most, in it. */
		void (*stages)(void *self, void *session, struct stage **stages);
		/* Called when the stages have ended, before those of other sessions end. It may
		 * take a fault of the run for one of this session alone, and free it. */
		void (*ended)(void *self, void *session);
		/* Called after all records that the session has emitted are written. */
		void (*finish)(void *self, void *session);
		void (*free)(void *self, void *session);
		enum sessions_keys (*keys)(const void *self); /* NULL: SESSIONS_KEYS_ADDED */
		enum command_forgotten forgets;
		/* The same, where it depends on the options; or NULL. */
		enum command_forgotten (*forgotten)(const void *self);
	} session;
};

#endif
