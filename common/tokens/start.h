#ifndef TOKENS_START_H
#define TOKENS_START_H

/*
 * The tokens of the start of a text or a message, up to a place in it.
 */

#include "tokens/estimate.h"

/* A place in a JSON text: where a value of it begins, and when that is a string, so many bytes of
 * its decoded text behind that. */
struct start_end {
	const char *at;
	size_t bytes;
};

/* The count of the message up to the place, which is in its text: 0 when no text stands before the
 * place. It is never more than the count of the message. */
uint64_t start_of_message(
    struct estimator *estimator, const struct message *message, struct start_end end);

/* The count of a string's text, or of the JSON that any other value is, up to the place. Where the
 * place is behind the value, all of it counts, and nothing where the place is before it. */
uint64_t start_of_value(struct estimator *estimator, struct json_value value, struct start_end end);

#endif
