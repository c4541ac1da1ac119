#ifndef POLICY_CONSTRAINTS_WORD_H
#define POLICY_CONSTRAINTS_WORD_H

/*
 * The words of an English sentence, and lists of words and phrases, parted by "|". A word is a run
 * of letters, digits and underscores; blanks and marks of emphasis part words, any other byte ends
 * a clause.
 */

#include "policy/constraints/phrases.h"

/* Verbs that make an order last if the sentence says when to do it, or how not to. */
extern const char word_verbs[];

/* Verbs for acts that are nobody's duty: "nobody knows it". */
extern const char word_habits[];

/* Whether the word, without regard to case, is in the list. */
bool word_is_in(struct str word, const char *list);

/* The bytes of the first phrase of the list with which the text begins; 0: with none. */
size_t word_begins(struct str text, const char *list);

/* The word with which the text begins, or "". */
struct str word_first(struct str text);

/* The word before that place; "" where a clause begins. */
struct str word_before(struct str text, size_t at);

/* The word after the one at that place; "" where a clause ends. */
struct str word_behind(struct str text, size_t at);

/* The place of the word after the one at that place, or of the mark or the end there. */
size_t word_next(struct str text, size_t at);

/* Whether the word may be a verb in the third person: "the service never answers". */
bool word_is_third_person(struct str word);

#endif
