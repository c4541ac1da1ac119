#ifndef REDACT_REDACTION_H
#define REDACT_REDACTION_H

/*
 * Redaction as a stage. It stands behind all stages that put text into the stream, and before those
 * that cut text: half of a secret has no shape. Blank lines and lines that are not valid pass as
 * they are; whoever must know that no secret is left takes neither (--bad-lines=stop).
 *
 * With a selection, messages that are not selected pass, and all other records are redacted. Where
 * a term of the selection has to wait for later messages, so does the stage.
 */

#include "data/window.h"
#include "policy/redact/redact.h"
#include "policy/selection.h"

struct redaction {
	struct stage stage;
	struct redact *redact;
	struct selection *where; /* NULL: all */
	struct json_edit edit;
	struct buf settled, redacted;
	uint64_t line;  /* of the output, so far; with tell alone where values stand over several */
	bool is_chosen; /* the message that the gate lets pass */
};

/* A stage in front of it that holds messages until a selection knows them. */
struct redaction_gate {
	struct window window; /* first, so that it is a stage */
	struct redaction *behind;
};

/* redact lives as long as the stage, and so does where, which may be NULL. */
void redaction_init(struct redaction *stage, struct redact *redact, struct selection *where);
void redaction_free(struct redaction *stage);

/* For a selection that needs a session (policy/selection.h): link the gate in front. */
void redaction_gate_init(struct redaction_gate *gate, struct redaction *stage);
void redaction_gate_free(struct redaction_gate *gate);

#endif
