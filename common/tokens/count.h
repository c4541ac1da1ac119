#ifndef TOKENS_COUNT_H
#define TOKENS_COUNT_H

/*
 * Counts the tokens of text, exactly as encode_ordinary of the published tokenizer does; special
 * tokens count as ordinary text.
 *
 *     text -> pieces/split.h -> pieces/piece_counts.h -> remembered? -> pieces/bpe.h
 *
 * A counter must not be used by two threads of a program at the same time.
 */

#include "tokens/vocabulary.h"

/* The length of the longest token in bytes: a text of n bytes has from n / TOKENS_LEN_MAX to n
 * tokens. */
#define TOKENS_LEN_MAX VOCABULARY_LEN_MAX

struct token_counter;

/* Opens a counter for an encoding, "o200k_base" or "cl100k_base". Returns false with the fault set
 * when the vocabulary cannot be opened; see vocabulary_open. Free the counter with tokens_close. */
bool tokens_open(struct token_counter **counter, const char *encoding, struct fault *fault);

void tokens_close(struct token_counter *counter);

/* The number of tokens of text, which is UTF-8. No bytes after the text are read. */
size_t tokens_count(struct token_counter *counter, struct str text);

/* Whether text has limit tokens or more. Checks the length of text first, and counts only until the
 * answer is certain. */
bool tokens_at_least(struct token_counter *counter, struct str text, size_t limit);

/* For tests: makes counter use only the portable splitter from now on. */
void tokens_set_portable(struct token_counter *counter);

/* The vocabulary of counter; it lives as long as counter. */
struct vocabulary *tokens_vocabulary(struct token_counter *counter);

/* Whether all numbers of the vocabulary that were used so far were within their bounds. If not, the
 * file is damaged and all counts are worthless: returns false with the fault set, with status
 * 78. */
bool tokens_are_sound(const struct token_counter *counter, struct fault *fault);

#endif
