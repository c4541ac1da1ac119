#ifndef TOKENS_START_H
#define TOKENS_START_H

/*
 * Counts the tokens of the start of a text or of a message, up to a place.
 */

#include "tokens/estimate.h"

/* A place in a JSON text: at is the start of a value. When this value is a string, the place is
 * after the first bytes of its decoded text; bytes is their number. */
struct start_end {
	const char *at;
	size_t bytes;
};

/* The count of the message up to end, a place in its JSON text: 0 when the message has no text
 * before the place, and never more than the count of the message. */
uint64_t start_of_message(
    struct estimator *estimator, const struct message *message, struct start_end end);

/* The count of the text of a string, or of the JSON of any other value, up to end: of all of the
 * value when the place is after the value, and 0 when the place is before the value. */
uint64_t start_of_value(struct estimator *estimator, struct json_value value, struct start_end end);

#endif
