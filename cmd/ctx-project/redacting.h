#ifndef CTX_PROJECT_REDACTING_H
#define CTX_PROJECT_REDACTING_H

/*
 * --redact and the options about it, as stages behind all others.
 */

#include "policy/redact/redaction.h"
#include "project.h"

struct redacting {
	struct redaction stage;
	struct redaction_gate gate;
	struct selection where;
	struct output finds; /* --redact-report; its name is NULL without */
	bool is_on;
};

/* Whether the options ask for redaction. */
bool is_redacted(const struct options *options);

/* Reads the options; ends the program with status 64 when one is wrong. Lines that cannot be read
 * then stop the run, unless they are dropped. */
void redacting_parse(
    struct redacting *redacting, struct options *options, struct estimator *estimator);

/* Puts the stages behind those that the choice has. The run is open. */
void redacting_open(struct redacting *redacting, struct run *run, struct choice *choice);

/* Reports what was redacted. */
void redacting_close(struct redacting *redacting, struct run *run);

#endif
