#ifndef TOOL_SIMPLE_COMMAND_H
#define TOOL_SIMPLE_COMMAND_H

/*
 * Cuts a shell command into its simple commands, without running a shell:
 *
 *     cd src && make 2>&1 | tail -3      # all of it
 *     <------>  <------>   <------>
 *
 * Quotes, backslashes, $(...), comments and here-documents are understood. Loops and functions are
 * not: "do make" is a simple command with two words. All spans point into the line.
 */

#include "base/str.h"

enum { SIMPLE_COMMAND_WORDS = 64, SIMPLE_COMMAND_OUTPUTS = 8 };

struct simple_command {
	struct str text; /* from its first word to its end, before the operator */
	/* The first words. Redirections are left out, and so are quotes around a whole word. */
	struct str word[SIMPLE_COMMAND_WORDS];
	unsigned words;
	struct str output[SIMPLE_COMMAND_OUTPUTS]; /* the files that > names */
	unsigned outputs;
	bool is_silent;      /* standard output goes to one of these files */
	struct str document; /* the lines of its last here-document, or "" */
	struct str operator; /* "&&", "||", ";", "|", "&", "\n" or similar; "": the line ends */
};

/* The rest of a line that is being cut. */
struct simple_command_line {
	struct str rest;
	const char *documents_end; /* the end of the here-documents that begin in the next line;
				    * NULL: there are none */
};

#define SIMPLE_COMMAND_LINE(line) ((struct simple_command_line){(line), NULL})

/* Sets *command to the next simple command. Returns false at the end. */
bool simple_command_next(struct simple_command_line *commands, struct simple_command *command);

#endif
