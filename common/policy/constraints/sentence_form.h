#ifndef POLICY_CONSTRAINTS_SENTENCE_FORM_H
#define POLICY_CONSTRAINTS_SENTENCE_FORM_H

/*
 * What a sentence says by its form: an order begins with a verb, a condition stands in front of an
 * order, and some forms need no verb, such as "tabs, not spaces". No sentence is empty; but for
 * sentence_form_body, each comes without its opening.
 */

#include "base/str.h"

/* The sentence without words like "please" before it. Sets asks, which may be NULL, where these are
 * those of a request: "can you". */
struct str sentence_form_body(struct str sentence, bool *asks);

/* Of a request, what is to be done: without what it asks about, "see why it must be so". */
struct str sentence_form_request(struct str body);

/* Whether the form makes it an order that stands, of what its wordings say (obligation.c). */
bool sentence_form_orders(struct str sentence, unsigned said);

/* Whether a condition is in front of an order: "when you add a flag, also write its page", "for
 * each bug add a test". */
bool sentence_form_is_conditional(struct str sentence);

/* Whether it says of what should be that it is not so: "it should stop but keeps running"; of what
 * must be, only where that is of the same thing: "secrets must stay out, but they are here" is a
 * rule. */
bool sentence_form_is_missed(struct str sentence, unsigned said);

/* Whether a request asks whether that can be: "run one test, or is that not possible?" What it
 * asks not to do it does not doubt. */
bool sentence_form_doubts(struct str sentence);

#endif
