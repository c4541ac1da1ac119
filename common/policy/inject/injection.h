#ifndef INJECT_INJECTION_H
#define INJECT_INJECTION_H

/*
 * Messages that a view has and the log has not: a text that becomes one system message, message
 * records, or what a command writes about the user's request.
 */

#include "base/fault.h"
#include "data/message/message.h"

/* Where they stand in the view. */
enum injection_place {
	INJECTION_FIRST,            /* in front of all messages */
	INJECTION_START,            /* behind the leading system and developer messages */
	INJECTION_BEFORE_LAST_USER, /* in front of the user's last message, else at the end */
	INJECTION_END,              /* behind all messages */
};

struct injection {
	enum injection_place place;
	const char *command; /* NULL, or the command that injection_run runs */
	struct buf lines;    /* the records, each ended by LF; padded */
};

/*
 * Takes the content of a file, which must have JSON_PADDING readable bytes behind it. Where the
 * first line that is not blank is a message or a context record, each line is a record: all must be
 * messages of the thread, in whole groups. All else is one text, which becomes a system message,
 * without line feeds at the end. Of a blank text comes no message. Returns false with the fault set
 * (78) when the content is neither; file is for the fault.
 */
bool injection_read(
    struct injection *injection, const char *file, struct str content, struct fault *fault);

/* Runs the command with the request as its input, and takes what it writes as a text. timeout as in
 * struct process. Returns false with the fault set when the command fails or writes no text (69),
 * and for want of processes and the like (71). */
bool injection_run(
    struct injection *injection, struct str request, uint64_t timeout, struct fault *fault);

void injection_free(struct injection *injection);

#endif
