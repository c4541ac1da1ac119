#include "policy/constraints/obligation.h"

#include "policy/constraints/meaning.h"
#include "policy/constraints/sentence_form.h"
#include "policy/constraints/word.h"
#include "policy/constraints/wordings.h"

/* A phrase of the user's. */
static void
see_own(void *context, size_t at, size_t number)
{
	unsigned *said = context;

	(void)at;
	(void)number;
	*said |= SAYS_ORDERS;
}

struct obligation
obligation_of(struct str sentence, struct phrases *own)
{
	struct obligation obligation = {.stands = false};
	bool is_question = sentence.ptr[sentence.len - 1] == '?', asks = false;
	bool is_plea = word_begins(sentence, "please") > 0;
	unsigned said;

	sentence = sentence_form_body(sentence, &asks);
	if (sentence.len == 0 ||
	    (is_question && (asks ? sentence_form_doubts(sentence) : !is_plea)))
		return obligation;
	if (asks)
		sentence = sentence_form_request(sentence);
	said = meaning_of(sentence);
	if (own != NULL)
		phrases_each(own, sentence, see_own, &said);
	if (sentence_form_orders(sentence, said))
		said |= SAYS_ORDERS;
	if (sentence_form_is_conditional(sentence))
		said |= SAYS_SHOULD;
	if (asks || (said & SAYS_GUESSES) != 0 || sentence_form_is_missed(sentence, said))
		said &= ~(unsigned)(SAYS_SHOULD | SAYS_MODAL);
	if ((said & SAYS_MODAL) != 0)
		said |= SAYS_ORDERS;
	obligation.stands = (said & (SAYS_ORDERS | SAYS_SHOULD)) != 0;
	obligation.is_strict = (said & SAYS_ORDERS) != 0;
	obligation.releases = (said & SAYS_FREES) != 0;
	if ((said & SAYS_BANS) == 0 && (said & SAYS_FREES) != 0)
		obligation.sense = OBLIGATION_RELEASES;
	else
		obligation.sense =
		    (said & (SAYS_BANS | SAYS_NOT)) != 0 ? OBLIGATION_FORBIDS : OBLIGATION_OBLIGES;
	return obligation;
}
