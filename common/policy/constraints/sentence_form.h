#ifndef POLICY_CONSTRAINTS_SENTENCE_FORM_H
#define POLICY_CONSTRAINTS_SENTENCE_FORM_H

/*
 * The sense of a sentence by its form: an order begins with a verb, a condition comes before an
 * order, and some forms need no verb, such as "tabs, not spaces". No sentence is empty; but for
 * sentence_form_body, each comes without its opening.
 */

#include "base/str.h"

/* The sentence without words like "please" before it. Sets asks, which may be NULL, if these words
 * make it a request: "can you". */
struct str sentence_form_body(struct str sentence, bool *asks);

/* The act that a request asks for, without a question in it: "see", of "see why it must be so". */
struct str sentence_form_request(struct str body);

/* Whether the form makes the sentence a lasting order. said is the sense of its wordings
 * (obligation.c). */
bool sentence_form_orders(struct str sentence, unsigned said);

/* Whether a condition comes before an order: "when you add a flag, also write its page", "for each
 * bug add a test". */
bool sentence_form_is_conditional(struct str sentence);

/* Whether the sentence reports that a duty is not met: "it should stop but keeps running". With
 * "must", both clauses must be about the same thing: "secrets must stay out, but they are here" is
 * a rule. */
bool sentence_form_is_missed(struct str sentence, unsigned said);

/* Whether a request doubts that it is possible: "run one test, or is that not possible?" A request
 * not to do something never does. */
bool sentence_form_doubts(struct str sentence);

#endif
