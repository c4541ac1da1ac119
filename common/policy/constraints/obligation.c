#include "policy/constraints/obligation.h"

#include "base/byte.h"
#include "policy/constraints/sentence_form.h"
#include "policy/constraints/word.h"
#include "policy/constraints/wordings.h"

/*
 * What the wordings of a sentence mean in their places: in quotes, in another person's words, and
 * in the author's report on himself, most wordings mean nothing.
 */

/* A sentence under way. */
struct reader {
	struct str sentence;   /* without its opening */
	size_t self_end;       /* up to there the author reports on himself */
	bool is_conditional;   /* it begins with "if", "when" ... */
	bool is_reported;      /* the next words are another person's */
	size_t at;             /* the place of the phrases under way */
	unsigned here, before; /* their meaning, and the meaning of the words before them */
};

static const char tellers[] = "i|it|that|they|he|she|which|who|this|these|you|we|there";

/* Whether words such as "never", at that place, get their sense from the next word. */
static bool
is_open(const struct reader *reader, struct str before, size_t at)
{
	static const char joining[] = "please|and|or|but|so|then|also|just";
	static const char finite[] =
	    "is|are|was|were|be|has|have|had|does|do|will|can|would|could|may|might|gets";

	return before.len == 0 ||
	    ((word_is_in(before, joining) ||
		 (reader->is_conditional && !word_is_in(before, tellers) &&
		     !word_is_in(before, finite))) &&
		!word_is_third_person(word_behind(reader->sentence, at)));
}

/* Whether "must", at that place, is a guess, about the past or about the cause of a fault. */
static bool
is_deduced(struct str sentence, size_t at)
{
	static const char been[] =
	    "been|come|gone|done|got|had|made|lost|left|hit|kept|sent|built|found|felt|"
	    "thought|run|read|put|set|cut|taken|fallen|crept|slipped";
	static const char matters[] =
	    "the|a|some|something|somebody|someone|full|stale|broken|wrong|down|missing|"
	    "corrupt|stuck|dead|due|because|why|where|how|kidding|joking";
	static const char states[] = "running|working|passing|using|listening";
	static const char between[] = "not|never|always|also|just";
	struct str verb, what;

	at = word_next(sentence, at);
	if (word_is_in(word_first(str_rest(sentence, at)), between))
		at = word_next(sentence, at);
	verb = word_first(str_rest(sentence, at));
	what = word_behind(sentence, at);
	if (word_is_in(verb, "have"))
		return word_is_in(what, been) || str_has_suffix(what, STR("ed")) ||
		    str_has_suffix(what, STR("en"));
	return word_is_in(verb, "be") &&
	    (word_is_in(what, matters) ||
		(str_has_suffix(what, STR("ing")) && !word_is_in(what, states)));
}

/* Words after "may not" for a thing that may happen: "the patch may not apply". */
static const char chances[] =
    "work|have|exist|matter|help|know|need|want|see|fit|happen|apply|always|even|support|"
    "compile|build|pass|start|respond|return|fail|scale|make|seem|look|like|notice|reach|"
    "match|find|understand|remember|arrive|finish";

/* Whether the word after "we never" may be a verb for an act at will: no past, and nothing that
 * just happens. */
static bool
is_done(struct str word)
{
	static const char others[] =
	    "had|got|saw|made|did|knew|went|came|found|thought|took|gave|wrote|ran|built|kept|"
	    "heard|met|lost|were|was|have|know|see|hear|get|find|need|want|meet|notice|think|"
	    "understand|reach|hit|managed|imagine|believe|tell|beat|blame|miss|possibly|"
	    "support|maintain|offer|sell|care|mind|remember|expect|agree|believe|seem|like|"
	    "will|would|could|can|really|quite";

	return word.len > 1 && !word_is_in(word, others) && !str_has_suffix(word, STR("ed"));
}

/* Acts that nobody does on demand: "you have to laugh". */
static const char felt[] =
    "laugh|smile|grin|cry|weep|admit|wonder|love|like|hate|admire|imagine|guess|feel|marvel|"
    "appreciate|hand|believe|see|pity|envy|sympathize|forgive|respect";

/* Whether "is never", at that place, is about things of a kind, or before an act at will: about a
 * single thing, it only describes. */
static bool
is_custom(struct str sentence, size_t at, struct str verb)
{
	static const char ones[] = "the|this|that|these|those|my|your|our|its|his|her|their|a|an";
	static const char willed[] =
	    "edited|changed|modified|rewritten|written|deleted|removed|dropped|renamed|moved|"
	    "copied|replaced|touched|created|committed|pushed|force|merged|rebased|reverted|"
	    "released|published|deployed|shipped|installed|restarted|reset|disabled|bypassed|"
	    "skipped|logged|stored|saved|exposed|shared|uploaded|sent|given|told|mentioned|"
	    "quoted|accessed|queried|trusted|mixed|translated|formatted|wrapped|hard|hardcoded";
	struct str thing = word_before(sentence, at);
	struct str article = word_before(sentence, (size_t)(thing.ptr - sentence.ptr));

	return word_is_in(verb, willed) ||
	    (!word_is_in(word_first(sentence), ones) && !word_is_in(article, ones));
}

/* Whether a quotation that began before that place ends after it. A single mark begins one after a
 * blank, and ends one before a byte that is no part of a word. */
static bool
is_quoted(struct str sentence, size_t at)
{
	unsigned quotes[2] = {0, 0};
	bool is_single = false;

	for (size_t i = 0; i < at; i++) {
		char c = sentence.ptr[i], before = i > 0 ? sentence.ptr[i - 1] : ' ';

		quotes[0] += c == '"';
		quotes[1] += c == '`';
		if (c == '\'')
			is_single = memchr(" (:", before, 3) != NULL ||
			    (is_single && byte_is_word(sentence.ptr[i + 1]));
		if (c == '\xe2' && str_has_prefix(str_rest(sentence, i), STR("\xe2\x80\x9c")))
			quotes[0] = 1;
		if (c == '\xe2' && str_has_prefix(str_rest(sentence, i), STR("\xe2\x80\x9d")))
			quotes[0] = 0;
	}
	if (is_single && memchr(sentence.ptr + at, '\'', sentence.len - at) != NULL)
		return true;
	return quotes[0] % 2 == 1 || quotes[1] % 2 == 1;
}

/* The word after the phrase of the row at that place. */
static struct str
word_after(const struct reader *reader, const struct wording *row, size_t at)
{
	struct str rest = str_rest(reader->sentence, at);

	return word_first(str_trim(str_rest(rest, word_begins(rest, row->phrases))));
}

/* Whether the phrase of the row has its sense in that place. */
static bool
has_sense(const struct reader *reader, const struct wording *row, size_t at)
{
	static const char own[] = "i|we|as|policy|guidelines|rules|team";
	static const char please[] = "please";
	struct str before = word_before(reader->sentence, at);

	if (at < reader->self_end && row->place != PLACE_OWN && (row->says & SAYS_NOT) == 0)
		return false;
	if (row->place == PLACE_BEHIND && before.len == 0)
		return false;
	if (row->place == PLACE_TOLD)
		return word_is_in(before, tellers);
	if ((row->says & SAYS_NORMS) != 0 && word_is_in(before, tellers))
		return false;
	if (row->place == PLACE_NEVER)
		return is_custom(reader->sentence, at, word_after(reader, row, at));
	if (row->says == SAYS_REPORTS)
		return before.len > 0 && !word_is_in(before, own);
	if (row->place == PLACE_START &&
	    word_is_in(word_first(str_rest(reader->sentence, at)), "only") &&
	    (word_is_in(
		 word_behind(reader->sentence, word_next(reader->sentence, at)), word_habits) ||
		word_is_in(word_after(reader, row, at), felt)))
		return false;
	if (row->place == PLACE_START)
		return before.len == 0 ||
		    (row->says != SAYS_VOID &&
			(word_is_in(before, please) || word_is_in(before, word_verbs)));
	if (row->place == PLACE_YOU)
		return before.len == 0 && !word_is_in(word_after(reader, row, at), felt);
	if (row->place == PLACE_MUST)
		return !is_deduced(reader->sentence, at);
	if (row->place == PLACE_MAY_NOT)
		return !word_is_in(before, tellers) &&
		    !word_is_in(word_first(reader->sentence), tellers) &&
		    !word_is_in(word_after(reader, row, at), chances);
	if (row->place == PLACE_WE)
		return is_done(word_after(reader, row, at));
	return row->place != PLACE_OPEN || is_open(reader, before, at);
}

static void
leave_place(struct reader *reader)
{
	if ((reader->here & SAYS_VOID) == 0)
		reader->before |= reader->here;
	reader->here = 0;
}

static void
see_phrase(void *context, size_t at, size_t number)
{
	struct reader *reader = context;
	const struct wording *row = wordings_row(number);

	if (at != reader->at)
		leave_place(reader);
	reader->at = at;
	if (reader->is_reported || is_quoted(reader->sentence, at) || !has_sense(reader, row, at))
		return;
	reader->here |= row->says;
	reader->is_reported = (row->says & SAYS_REPORTS) != 0;
	if ((row->says & SAYS_MODAL) != 0 && word_is_in(word_before(reader->sentence, at), "you"))
		reader->here |= SAYS_ORDERS;
	if (row->says == SAYS_NOT && at > 1 && reader->sentence.ptr[at - 2] == ',')
		reader->here |= SAYS_STANDS | SAYS_CONTRASTS;
}

/* The end of the author's report on himself at the start of the sentence; 0: there is none. */
static size_t
self_end(struct str sentence)
{
	static const char guesses[] = "i suppose|i guess|i think|i believe|i assume";
	size_t end = 1;

	if (sentence.len < 2 || (sentence.ptr[0] | 0x20) != 'i' ||
	    (sentence.ptr[1] != ' ' && sentence.ptr[1] != '\'' && sentence.ptr[1] != '\xe2'))
		return 0;
	while (end < sentence.len &&
	    (word_begins(sentence, guesses) > 0 || memchr(",;:", sentence.ptr[end], 3) == NULL))
		end++;
	return end;
}

/* The meaning of the sentence, without its opening, by its wordings: bits of wordings.h. */
static unsigned
meaning_of(struct str sentence)
{
	static const char conditions[] =
	    "if|when|whenever|before|after|unless|once|while|until|in|for";
	struct reader reader = {.sentence = sentence,
	    .self_end = self_end(sentence),
	    .is_conditional = word_begins(sentence, conditions) > 0};

	phrases_each(wordings_phrases(), sentence, see_phrase, &reader);
	leave_place(&reader);
	return reader.before;
}

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
