#include "policy/constraints/wordings.h"

static const struct wording wordings[] = {
    {PLACE_MUST, SAYS_MODAL, "must"},
    {PLACE_ANYWHERE, SAYS_MODAL,
	"shall|should never|should always|required|mandatory|is to be|are to be|not to be|"
	"is not to|are not to|obliged to"},
    {PLACE_ANYWHERE, SAYS_ORDERS,
	"from this point|henceforth|until further notice|our convention|our rule is|"
	"our policy is|the rule is|the convention is|house rule|house style|"
	"takes precedence|take precedence|comes first|come first|let's agree|may never|"
	"hands off|is frozen|are frozen|under no circumstances|under no condition|"
	"under no conditions|on no account|important that|essential that|crucial that|"
	"vital that|imperative|critical that|at all times|from now on|from here on|"
	"going forward|whenever you|every time you|whatever you do|no matter what|"
	"at all costs|goes without saying|without asking|unless asked|you are to|"
	"you're to|you are not to|you're not to|you are told|you are asked|"
	"you are instructed|you are ordered|you are explicitly|you are expected to|"
	"you're expected to|you lack the|important not to|essential not to|crucial not to|"
	"vital not to|critical not to|we agreed|you will not|you won't|you will never|"
	"you will always|we prefer|let's keep|let's use|let's stick|let's stay|"
	"let's go with|let's take|let's avoid|let's not|let us keep|let us use|"
	"let us stay|let us not|should not"},
    {PLACE_ANYWHERE, SAYS_BANS, "must not|never"},
    {PLACE_ANYWHERE, SAYS_VOID,
	"should do it|should do the|must admit|must say|may not be able|it may not|"
	"keep going|keep on|should have|shouldn't have|should work|should pass|"
	"should be all|should be somewhere|should see|should help|should now|"
	"should be able|should be done|should be enough|should be fine|should be ok|"
	"should be there|shall we|you won't believe|you will not believe|at no point did|"
	"at no point was|at no time did|at no time was"},
    {PLACE_ANYWHERE, SAYS_ORDERS | SAYS_BANS,
	"will not be tolerated|mustn't|not allowed|not permitted|no longer allowed|"
	"no longer permitted|not authorized|not authorised|not okay to|not ok to|"
	"not acceptable to|no one is allowed|nobody is allowed|no one is permitted|"
	"nobody is permitted|no one may|nobody may|no one should|nobody should|"
	"you may not|we may not|may not be"},
    {PLACE_ANYWHERE, SAYS_ORDERS | SAYS_NOT,
	"shan't|forbidden|prohibited|disallowed|off limits|off-limits|out of bounds|"
	"off the table|out of the question|no-go|is banned|are banned|unacceptable to|"
	"against policy|against our|against the rules|policy forbids|policy prohibits|"
	"policy does not allow|policy doesn't allow|rules forbid|rules prohibit|"
	"no permission to|you don't have permission to|you do not have permission to|"
	"no authority to|we don't allow|we do not allow|we can't allow|we cannot allow|"
	"we don't want|nobody but|shouldn't"},
    {PLACE_OPEN, SAYS_ORDERS,
	"limit yourself|limit your|restrict yourself|restrict your|confine yourself|"
	"make it a habit|make it a rule|never|always|do not|make sure|be sure to|ensure|"
	"ask me before|ask me first|ask before|ask first|check with me|wait with|wait for|"
	"wait until|hold off|hold back|hold the|prefer|keep|stick to|stick with|"
	"remember to|be brief|be concise|be careful|be certain|be sure not|remember not|"
	"remember never|resist|see to it|take care|bear in mind|at no point|at no time|"
	"in no case|in no event|by no means|in no way"},
    {PLACE_NEVER, SAYS_ORDERS | SAYS_NORMS, "is never|are never"},
    {PLACE_YOU, SAYS_ORDERS, "you need to|you have to"},
    {PLACE_WE, SAYS_ORDERS, "we never|you cannot|you can't|you can not"},
    {PLACE_WE, SAYS_ORDERS | SAYS_NOT, "we don't|we do not"},
    {PLACE_MAY_NOT, SAYS_ORDERS | SAYS_BANS, "may not"},
    {PLACE_START, SAYS_REPORTS | SAYS_VOID, "per the"},
    {PLACE_ANYWHERE, SAYS_NORMS | SAYS_MAY, "may"},
    {PLACE_OWN, SAYS_ORDERS,
	"i will not accept|i will not allow|i will not tolerate|i won't tolerate|"
	"important to me|matters to me|you to never|you to always|without my|unless i|"
	"until i say|until i tell|my word|my approval|my permission|my consent|"
	"my sign-off|my go-ahead|my okay|my ok|my agreement|my confirmation|i forbid|"
	"i prohibit|i demand|i require|i don't allow|i do not allow|i won't allow|"
	"i don't accept|i won't accept|i do not want|i never want|i want no|i want all|"
	"i want every|i want each|i want only|i'd like all|i'd like every|i'd like each|"
	"i'd like no|i prefer|i'd prefer|i would prefer|i'd rather|i insist|you not to|"
	"you to not|you to avoid|you to only|you to stop|if you didn't"},
    {PLACE_OPEN, SAYS_ORDERS | SAYS_NOT,
	"don't|avoid|refrain|abstain|desist|cease|steer clear|stay clear"},
    {PLACE_START, SAYS_ORDERS,
	"only|refused,|leave|stay|use|treat|follow the|follow our|"
	"answer|speak|reply|respond|correction|go with"},
    {PLACE_START, SAYS_VOID,
	"only in|only on|only at|only from|only the|only a|only one|only two|only three|"
	"only some|only half|only once|only then|only this|only that|only when|use case|"
	"use cases|answer to|answer is"},
    {PLACE_TOLD, SAYS_VOID,
	"should never happen|should not happen|shouldn't happen|should never be the case|"
	"should not be the case|shouldn't be the case|should be good|should be ready|"
	"should be it|should be straightforward|should be possible|should be doable|"
	"should be easy"},
    {PLACE_ANYWHERE, SAYS_SHOULD, "should"},
    {PLACE_BEHIND, SAYS_SHOULD, "needs to be|need to be"},
    {PLACE_BEHIND, SAYS_SHOULD | SAYS_NORMS, "has to|have to"},
    {PLACE_OWN, SAYS_ORDERS | SAYS_NOT, "i don't want"},
    {PLACE_START, SAYS_ORDERS | SAYS_NOT, "stop"},
    {PLACE_ANYWHERE, SAYS_FREES,
	"you may|may now|can now|no longer|is fine|are fine|is ok|are ok|is okay|are okay|"
	"is allowed|are allowed|no need to|feel free to|forget|ignore"},
    {PLACE_ANYWHERE, SAYS_FREES | SAYS_STANDS, "instead of"},
    {PLACE_ANYWHERE, SAYS_NOT, "not|cannot|can't|nobody"},
    {PLACE_ANYWHERE, SAYS_NOT | SAYS_STANDS, "no|nothing"},
    {PLACE_ANYWHERE, SAYS_REPORTS,
	"say|says|said|show|shows|reads|prints|claims|claim that|claimed|states that|"
	"stated|mentions|mentioned|suggests|complains|complained|warns|warned|insists|"
	"insisted|argues|explains|requires that|demands that|recommends|asked whether|"
	"asked if|asks whether|asks if|wonders|wondered|tells|told"},
    {PLACE_ANYWHERE, SAYS_REPORTS | SAYS_VOID, "according to the|according to a|according to some"},
    {PLACE_ANYWHERE, SAYS_GUESSES,
	"as you can see|as you see|turns out|i guess|i think|i suppose|i hope|i believe|"
	"i bet|i assume|i suspect|probably|presumably|apparently|somewhere|somehow|"
	"perhaps|maybe|surely|not sure|my understanding|my guess|my impression|"
	"you'd think|you would think|it seems|seems like|looks like|judging by"},
    {PLACE_ANYWHERE, SAYS_STANDS,
	"every|each|only|until i|until we|english|german|french|spanish|"
	"in the present tense|without telling|whenever|whatever|before you|rather than|"
	"instead|after all|without exception|without fail|no exceptions|as a rule|"
	"under all circumstances"},
    {PLACE_ANYWHERE, SAYS_NORMS,
	"counts as|count as|get|gets|need|needs|require|requires|follow|follows|go|goes|"
	"stay|stays|use|uses|belong|belongs|live|lives|starts with|ends with|is written|"
	"are written|is in|are in"},
    {PLACE_ANYWHERE, SAYS_FINDS,
	"so far|until now|anymore|any more|is|are|was|were|has|had|did|does|appears|"
	"appear|happens|happened|works|worked|exists|helps|fails|failed|passes|passed|"
	"comes|came|seems|changed|matches"},
};

/* All phrases, each with the number of its row; made at the first call. */
struct phrase_table {
	struct phrases phrases;
	struct str phrase[PHRASES_MOST];
	uint8_t row[PHRASES_MOST];
};

static struct phrase_table *
phrase_table(void)
{
	static struct phrase_table table;
	size_t count = 0;

	if (table.phrases.count > 0)
		return &table;
	for (uint8_t row = 0; row < ARRAY_COUNT(wordings); row++) {
		const char *list = wordings[row].phrases;

		while (count < PHRASES_MOST && str_take_word(&list, '|', &table.phrase[count]))
			table.row[count++] = row;
	}
	table.phrases = (struct phrases){.phrase = table.phrase, .count = count};
	return &table;
}

struct phrases *
wordings_phrases(void)
{
	return &phrase_table()->phrases;
}

const struct wording *
wordings_row(size_t phrase)
{
	return &wordings[phrase_table()->row[phrase]];
}
