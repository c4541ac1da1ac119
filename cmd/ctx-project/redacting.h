#ifndef CTX_PROJECT_REDACTING_H
#define CTX_PROJECT_REDACTING_H

/*
 * --redact and the options about it, as stages behind all others.
 */

#include "policy/redact/redaction.h"
#include "project.h"

struct redacting {
	struct redact redact;
	struct selection where;
	bool has_where;
	struct output finds; /* --redact-report; its name is NULL without */
	const struct run *run;
	bool is_on;
};

/* The stages of one session. */
struct redacting_session {
	struct redaction stage;
	struct redaction_gate gate;
	struct selection where;
};

/* Whether the options ask for redaction. */
bool is_redacted(const struct options *options);

/* Reads the options; ends the program with status 64 when one is wrong. Lines that cannot be read
 * then stop the run, unless they are dropped. */
void redacting_parse(struct redacting *redacting, struct options *options);

/* Creates the report. The run is open. */
void redacting_open(struct redacting *redacting, struct run *run);

/* Opens the stages of a session and puts them there. Returns where the next stage goes. */
struct stage **redacting_open_session(struct redacting *redacting,
    struct redacting_session *redacted, struct estimator *estimator, struct stage **stages);
void redacting_close_session(struct redacting_session *redacted);

/* Reports what was redacted. */
void redacting_close(struct redacting *redacting, struct run *run);

#endif
