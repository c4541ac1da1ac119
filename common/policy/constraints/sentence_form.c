#include "policy/constraints/sentence_form.h"

#include "base/byte.h"
#include "policy/constraints/word.h"
#include "policy/constraints/wordings.h"

struct str
sentence_form_body(struct str sentence, bool *asks)
{
	static const char openings[] =
	    "please|kindly|just|and|but|also|so|ok|note|important|rule|again|absolutely|"
	    "strictly|generally|in general|as a rule|by default|wherever possible|"
	    "where possible|whenever possible|at all costs";
	static const char requests[] = "can you|could you|would you|will you|can we|could we";
	size_t len;

	do {
		while (sentence.len > 0 && memchr(" \t*_,:(-", sentence.ptr[0], 8) != NULL)
			sentence = str_rest(sentence, 1);
		len = word_begins(sentence, openings);
		if (len == 0 && (len = word_begins(sentence, requests)) > 0 && asks != NULL)
			*asks = true;
		sentence = str_rest(sentence, len);
	} while (len > 0);
	return sentence;
}

struct str
sentence_form_request(struct str body)
{
	static const char joining[] = "that|which|who|whether|if|why|what|where|how";
	size_t at = 0;

	while (at < body.len) {
		size_t next = word_next(body, at);

		if (at > 0 && word_is_in(word_first(str_rest(body, at)), joining))
			return str_of(body.ptr, at);
		at = next > at ? next : at + 1;
	}
	return body;
}

/* Words that begin a statement or a question. */
static const char starters[] =
    "i|a|an|the|my|your|our|their|he|she|it|we|you|they|this|that|these|those|there|here|who|"
    "what|when|whenever|where|wherever|why|how|however|which|whether|if|because|while|"
    "although|though|unless|in|on|at|for|from|with|without|to|of|by|as|after|before|until|"
    "since|during|despite|unlike|like|every|each|all|any|another|other|same|both|no|not|none|"
    "nobody|nothing|one|two|three|several|only|some|most|many|even|yes|then|now|today|"
    "yesterday|sometimes|often|still|maybe|perhaps|found|got|saw|did|had|made|ran|went|just|"
    "can|could|would|should|may|everything|everyone|everybody|something|people|well|is|are|"
    "was|were|has|have|such|than|so";

/* Whether one of the first words is the subject of a main clause: "back then I only had one". */
static bool
has_subject(struct str sentence)
{
	enum { WORDS = 4 };
	static const char subjects[] = "i|he|she|they|we";
	static const char joining[] =
	    "that|which|what|whatever|who|where|wherever|if|when|whenever|until|unless|before|"
	    "after|as|because|while|how|than|once|like|everything|anything|all|files|and|or";
	size_t at = 0;

	for (unsigned i = 1; i < WORDS; i++) {
		if (word_is_in(word_behind(sentence, at), subjects))
			return !word_is_in(word_first(str_rest(sentence, at)), joining);
		at = word_next(sentence, at);
	}
	return false;
}

/* Whether the first word of a sentence may be the verb of an order: none that begins a statement or
 * a question, no other form of a verb, and no subject: "traffic only comes at night". */
static bool
begins_verb(struct str sentence)
{
	static const char ends[] = "s|ed|ing|ly|ion|ness|ity";
	static const char adverbs[] = "only|never|always|also|just|still|often|usually";
	static const char finite[] = "is|are|was|were|has|had|does|did|can|will|fails|works";
	struct str word = word_first(sentence), rest = str_rest(sentence, word.len), next, end;

	if (word.len < 2 || rest.len == 0 || memchr(" -", rest.ptr[0], 2) == NULL)
		return false;
	next = word_first(str_rest(rest, 1));
	if (has_subject(sentence) || word_is_in(word, starters) || word_is_in(next, finite) ||
	    (word_is_in(next, adverbs) && word_is_third_person(word_behind(rest, 1))))
		return false;
	for (const char *list = ends; str_take_word(&list, '|', &end);)
		if (str_has_suffix(word, end) && !str_has_suffix(word, STR("ss")))
			return false;
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] == '_' || (word.ptr[i] >= '0' && word.ptr[i] <= '9') ||
		    (i > 0 && (word.ptr[i] & 0x20) == 0 && (word.ptr[i - 1] & 0x20) != 0))
			return false;
	return true;
}

/* "Nobody touches it" */
static bool
begins_nobody(struct str sentence)
{
	static const char nobody[] = "nobody|no one";
	size_t len = word_begins(sentence, nobody);
	struct str word = word_first(str_trim(str_rest(sentence, len)));

	return len > 0 && str_has_suffix(word, STR("s")) && !word_is_in(word, word_habits);
}

/* Whether the clause is an order: a verb and its object. */
static bool
is_order(struct str clause)
{
	static const char objects[] =
	    "it|them|the|a|an|me|my|us|this|that|these|those|its|all|each|every|any|no";

	return begins_verb(clause) &&
	    (word_is_in(word_first(clause), word_verbs) ||
		word_is_in(word_behind(clause, 0), objects));
}

bool
sentence_form_is_conditional(struct str sentence)
{
	static const char conditions[] = "when|whenever|if|before|unless|every time|each time";
	static const char cases[] =
	    "for each|for every|for any|in each|in every|on each|on every|with each|"
	    "with every|after each|after every|before each|before every";
	static const char others[] = "i|we|you|they|he|she|it|to|that|which|who|not|the|a|an";
	const char *comma = memchr(sentence.ptr, ',', sentence.len);
	size_t at = word_begins(sentence, cases);

	if (comma != NULL && (at > 0 || word_begins(sentence, conditions) > 0))
		return is_order(
		    sentence_form_body(str_rest(sentence, (size_t)(comma - sentence.ptr)), NULL));
	while (at > 0 && at < sentence.len) {
		size_t next = word_next(sentence, at);

		if (next == at)
			return false;
		at = next;
		if (word_is_in(word_first(str_rest(sentence, at)), word_verbs) &&
		    !word_is_in(word_before(sentence, at), others) &&
		    is_order(str_rest(sentence, at)))
			return true;
	}
	return false;
}

/* Whether it names a thing and the one that must not replace it: "tabs, not spaces". */
static bool
begins_choice(struct str sentence, unsigned said)
{
	static const char others[] =
	    "a|an|what|that|sure|yet|really|even|only|much|so|very|quite|to|because|when|if|"
	    "for|as|in|on|at";
	const char *not = (said & SAYS_CONTRASTS) != 0 ? str_find(sentence, STR(", not ")) : NULL;

	return not != NULL && (said & SAYS_FINDS) == 0 &&
	    !word_is_in(word_first(sentence), starters) &&
	    !word_is_in(word_behind(sentence, (size_t)(not +2 - sentence.ptr)), others) &&
	    !str_has_suffix(word_first(sentence), STR("ly"));
}

/* Whether it asks for all things of a kind, and has no verb: "snake case for all names, please",
 * "comments in English only". */
static bool
asks_for_all(struct str sentence, unsigned said)
{
	static const char all[] = "all|every|each|everywhere|throughout|always";
	size_t len = sentence.len;
	struct str last;

	while (len > 0 && memchr(".! ", sentence.ptr[len - 1], 3) != NULL)
		len--;
	last = word_before(sentence, len);
	if (word_is_in(last, "only|never|everywhere|throughout"))
		return (said & SAYS_FINDS) == 0 && !word_is_in(word_first(sentence), starters);
	if (!word_is_in(last, "please"))
		return false;
	for (size_t at = 0; at < len; at++)
		if ((at == 0 || !byte_is_word(sentence.ptr[at - 1])) &&
		    word_is_in(word_first(str_rest(sentence, at)), all))
			return true;
	return false;
}

/* Whether it begins with a lasting order, or with one that corrects earlier words. */
static bool
begins_order(struct str sentence, unsigned said)
{
	static const char corrections[] =
	    "no,|actually|rather|instead|on second thought|that's wrong|wrong,";
	size_t len = word_begins(sentence, corrections);
	struct str order = sentence_form_body(str_rest(sentence, len), NULL);

	return len > 0 ? word_begins(order, word_verbs) > 0 :
			 (said & SAYS_STANDS) != 0 && begins_verb(order);
}

/* Whether it denies something at its start: "no new ones", "cannot use the network". */
static bool
begins_denial(struct str sentence, unsigned said)
{
	static const char denials[] = "no|cannot|can not|can't|not a single|not one|not another";
	/* After a denial these make an answer or a diagnostic: "no idea", "cannot open". */
	static const char others[] =
	    "error|errors|result|results|output|match|matches|difference|effect|success|"
	    "progress|problem|problems|worries|idea|clue|doubt|wonder|reason|sign|trace|"
	    "answer|response|news|thanks|way|wait|but|luck|i |it|it's|that|that's|this|we|you|"
	    "the|they|there|such|find|read|open|resolve|import|load|connect|convert|assign";
	size_t len = word_begins(sentence, denials);

	if (len == 0 || len == sentence.len || memchr(" *_", sentence.ptr[len], 3) == NULL)
		return false;
	return word_begins(str_trim(str_rest(sentence, len)), others) == 0 &&
	    (said & SAYS_FINDS) == 0;
}

bool
sentence_form_orders(struct str sentence, unsigned said)
{
	static const char all[] = "every|each|all|any|nobody|no one|nothing|none of";

	return begins_order(sentence, said) || begins_choice(sentence, said) ||
	    begins_denial(sentence, said) || begins_nobody(sentence) ||
	    asks_for_all(sentence, said) ||
	    ((said & (SAYS_NORMS | SAYS_GUESSES)) == SAYS_NORMS &&
		word_begins(sentence, all) > 0) ||
	    ((said & SAYS_MAY) != 0 && word_begins(sentence, "only") > 0);
}

/* Skips the words of the list at that place. */
static size_t
skip(struct str sentence, size_t at, const char *list)
{
	while (at < sentence.len && word_is_in(word_first(str_rest(sentence, at)), list))
		at = word_next(sentence, at);
	return at;
}

bool
sentence_form_is_missed(struct str sentence, unsigned said)
{
	static const char adverbs[] =
	    "currently|now|actually|instead|still|never|always|sometimes|only|just|also|often";
	static const char subjects[] = "it|they|he|she|we|i|you|this|that|there";
	static const char finite[] =
	    "is|are|was|were|does|do|did|has|have|had|isn|aren|wasn|doesn|don|didn|hasn";
	static const char norms[] =
	    "must|should|may|might|can|cannot|could|need|needs|shall|will|would|to|ll|d";
	const char *but = str_find(sentence, STR(" but "));
	size_t at;
	struct str word, next;

	if (but == NULL || (said & SAYS_FREES) != 0)
		return false;
	at = skip(sentence, (size_t)(but - sentence.ptr) + strlen(" but "), adverbs);
	word = word_first(str_rest(sentence, at));
	at += word.len + (at + word.len < sentence.len);
	at = skip(sentence, at, adverbs);
	next = word_first(str_rest(sentence, at));
	/* An obligation holds, unless the words after "but" deny the same thing. */
	if ((said & SAYS_MODAL) != 0)
		return word_is_in(word, finite) && !word_is_in(next, norms);
	if (word_is_in(word, subjects))
		return next.len > 0 && !word_is_in(next, norms) &&
		    !word_is_in(word_behind(sentence, at), "to");
	return (word_is_in(word, finite) || word_is_third_person(word)) && !word_is_in(next, norms);
}

bool
sentence_form_doubts(struct str sentence)
{
	static const char asking[] =
	    "is|are|isn|aren|am|was|does|doesn|can|could|would|will|won|has|should|shall";
	static const char others[] = "do|not|no", bans[] = "never|not";

	if (word_is_in(word_first(sentence), bans))
		return false;
	for (size_t at = 0; at < sentence.len;) {
		size_t next = word_next(sentence, at);
		bool is_or = word_is_in(word_first(str_rest(sentence, at)), "or");
		bool is_tag = next == at && sentence.ptr[at] == ',';

		next += next == at;
		next = is_tag ? word_next(sentence, next) : next;
		at = next;
		if ((is_or || is_tag) &&
		    (word_is_in(word_first(str_rest(sentence, at)), asking) ||
			(is_or && word_is_in(word_first(str_rest(sentence, at)), others))))
			return true;
	}
	return false;
}
