#ifndef INJECT_INJECTION_H
#define INJECT_INJECTION_H

/*
 * Messages that are in a view but not in the log: a text that becomes one system message, message
 * records, or the output of a command that reads the user's request.
 */

#include "base/fault.h"

/* Their place in the view. */
enum injection_place {
	INJECTION_FIRST,            /* before all messages */
	INJECTION_START,            /* after the leading system and developer messages */
	INJECTION_BEFORE_LAST_USER, /* before the user's last message, else at the end */
	INJECTION_END,              /* after all messages */
};

struct injection {
	enum injection_place place;
	const char *command; /* NULL, or the command that injection_run runs */
	struct buf lines;    /* the records, each ended by LF; padded */
};

/*
 * Reads the content of a file, which JSON_PADDING readable bytes must follow. If the first line
 * that is not blank is a message or a context record, each line is a record, and all must be
 * messages of the thread, in whole groups. Any other content is one text, which becomes a system
 * message, without line feeds at the end; a blank text becomes no message. Returns false with the
 * fault set (78) when the records are not such messages; the fault names file.
 */
bool injection_read(
    struct injection *injection, const char *file, struct str content, struct fault *fault);

/* Runs the command with the request as its input, and takes its output as a text. timeout as in
 * struct process. Returns false with the fault set when the command fails or writes no text (69),
 * and for want of processes and the like (71). */
bool injection_run(
    struct injection *injection, struct str request, uint64_t timeout, struct fault *fault);

void injection_free(struct injection *injection);

#endif
