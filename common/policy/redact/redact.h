#ifndef REDACT_REDACT_H
#define REDACT_REDACT_H

/*
 * Redaction of one record of any kind: secrets and personal data become marks, in all strings and
 * names of the record, decoded, and inside strings that are JSON.
 *
 *     "key AKIA...\n"      "key [REDACTED:aws-access-key]\n"
 *
 * Only found bytes are replaced. A mark has no byte that JSON escapes, so that it is the same in a
 * string of any depth. A value after a name that asks for a secret is replaced as a whole, if it
 * looks like a secret; a number that is a payment card becomes a string.
 *
 * Two kinds of members stay whatever they hold, since a provider or a reader would refuse the
 * record: signatures of thinking, and the ids by which records and calls are linked. Ids are
 * recognized by their names, and only in the record's own structure: not in strings that are JSON,
 * and not in the input or output of a tool (policy/redact/member.h).
 *
 * Marks do not change what is found: a mark ends one text and begins another. So a second run finds
 * nothing.
 */

#include "base/buf.h"
#include "json/edit.h"
#include "policy/redact/rules.h"

struct redact_state; /* in redact.c */

struct redact {
	unsigned kinds;     /* enum rule_kind: the rules built in */
	bool sanitizes;     /* instead, every text becomes its kind and length (stand_in.h) */
	uint64_t sanitized; /* texts that did */
	uint64_t *counts;   /* how often each rule has found something */
	unsigned rule_count;
	/* NULL, or called for each find with a line of JSON that says where and by which rule. */
	void (*tell)(void *owner, struct str line);
	void *owner;
	struct redact_state *state;
};

void redact_init(struct redact *redact, unsigned kinds);

/* Counts from zero again, for another file. */
void redact_reset(struct redact *redact);

/* Adds a pattern of the user's, NAME=ERE, which must live as long as redact; before the first
 * record. Returns false, with a phrase in message, when it is malformed. */
bool redact_add_pattern(struct redact *redact, const char *text, struct buf *message);

/* Adds the replacements to edit, an edit of text. text is valid JSON that JSON_PADDING readable
 * bytes follow. line is the line number for tell. Returns whether anything is to be replaced. */
bool redact_record(struct redact *redact, struct str text, uint64_t line, struct json_edit *edit);

/* The name of a rule, also of a pattern. */
struct str redact_name(const struct redact *redact, unsigned rule);

void redact_free(struct redact *redact);

#endif
