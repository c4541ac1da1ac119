#ifndef TOKENS_ESTIMATE_H
#define TOKENS_ESTIMATE_H

/*
 * What a message costs in tokens. Every command that weighs messages asks here, so that they all
 * give the same answer: the texts of the message (data/texts.h) by the estimator, and a fixed
 * overhead a message.
 */

#include "data/texts.h"
#include "data/transcript.h"

enum {
	TOKENS_PER_MESSAGE = 4, /* role and delimiters around a message; with bytes/4 */
};

enum estimator_kind {
	ESTIMATOR_BYTES4, /* bytes of decoded text / 4, rounded up */
};

struct estimator {
	enum estimator_kind kind;
};

/* The kinds by name, ended by NULL: the choices of --estimator. */
extern const char *const estimator_names[];

void estimator_init(struct estimator *estimator, enum estimator_kind kind);

/* The tokens of one message. */
uint64_t estimate_message(struct estimator *estimator, const struct message *message);

/* The tokens of one JSON string's text, no overhead. */
uint64_t estimate_string(struct estimator *estimator, struct json_value string);

/* Sets the tokens of an entry (0 where it is no message of the thread). */
void estimate_entry(struct estimator *estimator, struct entry *entry);

/* Sets the tokens of all entries; returns their sum without dropped ones. */
uint64_t estimate_transcript(struct estimator *estimator, struct transcript *transcript);

#endif
