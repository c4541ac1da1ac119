#ifndef TOKENS_COUNT_H
#define TOKENS_COUNT_H

/*
 * Counts the tokens of text, exactly as encode_ordinary of the published tokenizer does: special
 * tokens are ordinary text. Most pieces of text come again and again, so that a counter remembers
 * the counts of recent ones; it holds 1.5 MB of them, whatever it has counted.
 *
 *     text -> split.h -> piece -> remembered? -> bpe.h
 *
 * One counter serves one thread.
 */

#include "tokens/bpe.h"

/* A text of n bytes has n / TOKENS_LEN_MAX to n tokens. */
#define TOKENS_LEN_MAX VOCABULARY_LEN_MAX

struct token_counter;

/* Opens a counter for an encoding, "o200k_base" or "cl100k_base". False with the fault set when it
 * cannot; see vocabulary_open. */
bool tokens_open(struct token_counter **counter, const char *encoding, struct fault *fault);

void tokens_close(struct token_counter *counter);

/* The count of tokens of text, which is UTF-8; it may be followed by any bytes or none. */
size_t tokens_count(struct token_counter *counter, struct str text);

/* Whether text has limit tokens or more: decided by its length where that is enough, and as soon as
 * it is certain otherwise. */
bool tokens_at_least(struct token_counter *counter, struct str text, size_t limit);

/* For tests: from now on only the portable splitter. */
void tokens_set_portable(struct token_counter *counter);

/* The vocabulary that counter counts by; it lives as long as counter. */
struct vocabulary *tokens_vocabulary(struct token_counter *counter);

/* Whether what was counted so far met nothing in the vocabulary that is out of its bounds; when it did,
 * false with a fault of status 78, and all counts are worthless. */
bool tokens_are_sound(const struct token_counter *counter, struct fault *fault);

#endif
