#include "policy/digest/constraints.h"

#include "base/mem.h"
#include "policy/digest/phrases.h"
#include "policy/digest/sentences.h"

enum { SENTENCE_LEAST = 8, WORDS_MOST = 24 };

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* What obliges or forbids wherever it stands. */
static const struct str phrase_table[] = {STR_INIT("must"), STR_INIT("mustn't"), STR_INIT("never"),
    STR_INIT("always"), STR_INIT("do not"), STR_INIT("don't"), STR_INIT("should not"),
    STR_INIT("shouldn't"), STR_INIT("only"), STR_INIT("shall"), STR_INIT("shan't"),
    STR_INIT("required"), STR_INIT("mandatory"), STR_INIT("forbidden"), STR_INIT("prohibited"),
    STR_INIT("disallowed"), STR_INIT("not allowed"), STR_INIT("not permitted"),
    STR_INIT("no longer allowed"), STR_INIT("no longer permitted"), STR_INIT("may not"),
    STR_INIT("under no circumstances"), STR_INIT("make sure"), STR_INIT("be sure to"),
    STR_INIT("ensure"), STR_INIT("avoid"), STR_INIT("refrain from"), STR_INIT("you cannot"),
    STR_INIT("you can't"), STR_INIT("you can not"), STR_INIT("we cannot"), STR_INIT("we can't"),
    STR_INIT("at all times"), STR_INIT("from now on"), STR_INIT("going forward"),
    STR_INIT("off limits"), STR_INIT("off-limits"), STR_INIT("hands off"),
    STR_INIT("without asking"), STR_INIT("unless i"), STR_INIT("unless asked"),
    /* what does so in a statement; in a question it tells of a wish */
    STR_INIT("should"), STR_INIT("needs to be"), STR_INIT("has to be"), STR_INIT("have to be"),
    /* what releases */
    STR_INIT("you may"), STR_INIT("may now"), STR_INIT("can now"), STR_INIT("no longer"),
    STR_INIT("is fine"), STR_INIT("are fine"), STR_INIT("is ok"), STR_INIT("are ok"),
    STR_INIT("is okay"), STR_INIT("are okay"), STR_INIT("is allowed"), STR_INIT("are allowed"),
    STR_INIT("no need to"), STR_INIT("feel free to"), STR_INIT("forget"), STR_INIT("ignore"),
    STR_INIT("instead of")};

enum {
	STATING = 4,
	RELEASING = 17,
	OBLIGING = sizeof phrase_table / sizeof phrase_table[0] - STATING - RELEASING
};

/* The sentence without words like "please" before it. */
static struct str
without_opening(struct str sentence)
{
	static const struct str openings[] = {STR_INIT("please"), STR_INIT("and"), STR_INIT("but"),
	    STR_INIT("also"), STR_INIT("so"), STR_INIT("ok"), STR_INIT("note"),
	    STR_INIT("important"), STR_INIT("rule"), STR_INIT("again")};
	size_t len;

	do {
		while (sentence.len > 0 && memchr(" \t*_\"',:(-", sentence.ptr[0], 10) != NULL)
			sentence = str_of(sentence.ptr + 1, sentence.len - 1);
		len = phrases_begin(sentence, openings, COUNT(openings));
		sentence = str_of(sentence.ptr + len, sentence.len - len);
	} while (len > 0);
	return sentence;
}

/* Whether it begins with an order: "Stop adding them", "No new ones", "Cannot use the network". */
static bool
begins_order(struct str sentence)
{
	static const struct str orders[] = {STR_INIT("stop"), STR_INIT("leave"), STR_INIT("prefer"),
	    STR_INIT("refrain"), STR_INIT("you need to"), STR_INIT("you have to")};
	static const struct str denials[] = {STR_INIT("no"), STR_INIT("cannot"),
	    STR_INIT("can not"), STR_INIT("can't"), STR_INIT("nothing")};
	/* Behind a denial these make an answer or a diagnostic: "no idea", "cannot open". */
	static const struct str others[] = {STR_INIT("problem"), STR_INIT("problems"),
	    STR_INIT("worries"), STR_INIT("idea"), STR_INIT("thanks"), STR_INIT("way"),
	    STR_INIT("wait"), STR_INIT("but"), STR_INIT("luck"), STR_INIT("i "), STR_INIT("it"),
	    STR_INIT("it's"), STR_INIT("that"), STR_INIT("that's"), STR_INIT("this"),
	    STR_INIT("we"), STR_INIT("you"), STR_INIT("the"), STR_INIT("they"), STR_INIT("there"),
	    STR_INIT("such"), STR_INIT("find"), STR_INIT("read"), STR_INIT("open"),
	    STR_INIT("resolve"), STR_INIT("import"), STR_INIT("load"), STR_INIT("connect"),
	    STR_INIT("convert"), STR_INIT("assign"), STR_INIT("happened"), STR_INIT("changed"),
	    STR_INIT("works")};
	size_t len;

	sentence = without_opening(sentence);
	if (phrases_begin(sentence, orders, COUNT(orders)) > 0)
		return true;
	len = phrases_begin(sentence, denials, COUNT(denials));
	if (len == 0 || len == sentence.len || memchr(" *_", sentence.ptr[len], 3) == NULL)
		return false;
	sentence = str_trim(str_of(sentence.ptr + len, sentence.len - len));
	return phrases_begin(sentence, others, COUNT(others)) == 0;
}

static struct phrases all_phrases = PHRASES_INIT(phrase_table, COUNT(phrase_table));
static struct phrases obliging = PHRASES_INIT(phrase_table, OBLIGING);
static struct phrases stating = PHRASES_INIT(phrase_table + OBLIGING, STATING);
static struct phrases releasing = PHRASES_INIT(phrase_table + OBLIGING + STATING, RELEASING);

/* Whether the author tells of himself, or asks what is no request: "I don't think that's it", "Why
 * does it never end?" */
static bool
tells_or_asks(struct str sentence)
{
	static const struct str telling[] = {STR_INIT("i don't think"), STR_INIT("i don't know"),
	    STR_INIT("i don't see"), STR_INIT("i don't expect"), STR_INIT("i don't understand"),
	    STR_INIT("i don't remember"), STR_INIT("i don't mind"), STR_INIT("i can't"),
	    STR_INIT("i cannot"), STR_INIT("i only"), STR_INIT("i always"), STR_INIT("i never")};
	static const struct str requests[] = {STR_INIT("can you"), STR_INIT("could you"),
	    STR_INIT("would you"), STR_INIT("will you"), STR_INIT("can we"), STR_INIT("could we"),
	    STR_INIT("please")};

	if (sentence.ptr[sentence.len - 1] == '?')
		return phrases_begin(sentence, requests, COUNT(requests)) == 0;
	return phrases_begin(without_opening(sentence), telling, COUNT(telling)) > 0;
}

static bool
obliges(struct str sentence)
{
	return phrases_any(&obliging, sentence) || phrases_any(&stating, sentence) ||
	    begins_order(sentence);
}

static bool
releases(struct str sentence)
{
	return phrases_any(&releasing, sentence);
}

enum sense { OBLIGES, FORBIDS, RELEASES };

static enum sense
sense_of(struct str sentence)
{
	/* These forbid beside words that release: "never ignore", "no longer allowed". */
	static const struct str ban_table[] = {STR_INIT("never"), STR_INIT("must not"),
	    STR_INIT("mustn't"), STR_INIT("may not"), STR_INIT("not allowed"),
	    STR_INIT("not permitted"), STR_INIT("no longer allowed"),
	    STR_INIT("no longer permitted")};
	static const struct str negation_table[] = {STR_INIT("not"), STR_INIT("don't"),
	    STR_INIT("shouldn't"), STR_INIT("shan't"), STR_INIT("cannot"), STR_INIT("can't"),
	    STR_INIT("no"), STR_INIT("nothing"), STR_INIT("stop"), STR_INIT("avoid"),
	    STR_INIT("refrain"), STR_INIT("forbidden"), STR_INIT("prohibited"),
	    STR_INIT("disallowed"), STR_INIT("off limits"), STR_INIT("off-limits")};
	static struct phrases bans = PHRASES_INIT(ban_table, COUNT(ban_table));
	static struct phrases negations = PHRASES_INIT(negation_table, COUNT(negation_table));

	if (phrases_any(&bans, sentence))
		return FORBIDS;
	if (releases(sentence))
		return RELEASES;
	return phrases_any(&negations, sentence) ? FORBIDS : OBLIGES;
}

/* What a sentence says: its sense, and hashes of the words that tell what it is about, without
 * regard to case. Of two orders that differ in a number the later one stands; of two prohibitions
 * both do. So numbers are words of a prohibition alone. */
struct matter {
	enum sense sense;
	unsigned count;
	uint64_t set; /* a bit for each word: what has none in common is about other things */
	uint64_t word[WORDS_MOST];
};

/* What the newest constraints are about, in the places of their number modulo the size. */
enum { READ_SIZE = 2 * CONSTRAINTS_COMPARED };

struct constraints_read {
	const char *text[READ_SIZE]; /* of the constraint; NULL: none */
	struct matter matter[READ_SIZE];
};

static bool
is_number(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] < '0' || word.ptr[i] > '9')
			return false;
	return true;
}

static bool
is_about(struct str word, enum sense sense)
{
	static const struct str others[] = {STR_INIT("the"), STR_INIT("and"), STR_INIT("not"),
	    STR_INIT("don"), STR_INIT("you"), STR_INIT("may"), STR_INIT("now"), STR_INIT("can"),
	    STR_INIT("are"), STR_INIT("for"), STR_INIT("any"), STR_INIT("all"), STR_INIT("must"),
	    STR_INIT("never"), STR_INIT("always"), STR_INIT("only"), STR_INIT("shall"),
	    STR_INIT("should"), STR_INIT("please"), STR_INIT("longer"), STR_INIT("forget"),
	    STR_INIT("ignore"), STR_INIT("again"), STR_INIT("this"), STR_INIT("that"),
	    STR_INIT("with"), STR_INIT("fine"), STR_INIT("allowed"), STR_INIT("instead")};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (str_eq(word, others[i]))
			return false;
	return word.len > 2 && (sense == FORBIDS || !is_number(word));
}

static void
add_word(struct matter *matter, struct str text)
{
	char lower[64];
	uint64_t word;

	while (text.len > 0 && text.ptr[text.len - 1] == '.')
		text.len--;
	if (text.len > sizeof lower || matter->count == WORDS_MOST)
		return;
	for (size_t i = 0; i < text.len; i++)
		lower[i] = text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] + ('a' - 'A') :
								      text.ptr[i];
	if (!is_about(str_of(lower, text.len), matter->sense))
		return;
	word = hash_bytes(str_of(lower, text.len), hash_seed(HASH_LABEL)).a;
	for (unsigned i = 0; i < matter->count; i++)
		if (matter->word[i] == word)
			return;
	matter->word[matter->count++] = word;
	matter->set |= UINT64_C(1) << word % 64;
}

static struct matter
matter_of(struct str sentence, enum sense sense)
{
	struct matter matter = {.sense = sense, .count = 0};
	size_t start = 0;

	for (size_t i = 0; i <= sentence.len; i++)
		if (i == sentence.len ||
		    (!phrases_is_word_byte(sentence.ptr[i]) &&
			memchr("./-", sentence.ptr[i], 3) == NULL)) {
			add_word(&matter, str_of(sentence.ptr + start, i - start));
			start = i + 1;
		}
	return matter;
}

/* Whether two matters are of the same things. When they do not differ in sense, they have the same
 * words, and two prohibitions both stand. When they do, one has all words of the other and not many
 * more: an order for one branch does not override the prohibition for another one. */
static bool
is_same(const struct matter *a, const struct matter *b)
{
	unsigned common = 0, all, fewer = a->count < b->count ? a->count : b->count;

	if ((a->set & b->set) == 0)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		for (unsigned k = 0; k < b->count; k++)
			common += a->word[i] == b->word[k];
	all = a->count + b->count - common;
	if (a->sense == b->sense)
		return a->sense != FORBIDS && common > 1 && common == all;
	return common > 0 && common == fewer && common * 5 >= all * 3;
}

/* The start tag of a line that is an element, such as "<sandbox_mode>"; "": it is none. */
static struct str
tag_of(struct str line)
{
	const char *end = memchr(line.ptr, '>', line.len);

	if (line.len == 0 || line.ptr[0] != '<' || end == NULL)
		return STR("");
	return str_of(line.ptr, (size_t)(end + 1 - line.ptr));
}

struct search {
	struct things *constraints;
	struct constraints_read **read;
	bool is_added; /* what is found is added, not only held against what is there */
};

/* What the constraint of that number is about. */
static const struct matter *
matter_at(const struct search *search, uint32_t number)
{
	struct str item = search->constraints->item[number];
	struct constraints_read *read = *search->read;
	unsigned place = number % READ_SIZE;

	if (read == NULL) {
		read = *search->read = mem_alloc(1, sizeof *read);
		memset(read->text, 0, sizeof read->text);
	}
	if (read->text[place] != item.ptr) {
		read->text[place] = item.ptr;
		read->matter[place] = matter_of(item, sense_of(item));
	}
	return &read->matter[place];
}

/* Takes out what the sentence overrides; returns whether there was anything. */
static bool
override(struct search *search, struct str sentence)
{
	struct things *constraints = search->constraints;
	struct matter one = matter_of(sentence, sense_of(sentence));
	struct str tag = tag_of(sentence);
	bool found = false;
	uint32_t i = constraints->used, compared = 0;

	while (i-- > 0 && compared < CONSTRAINTS_COMPARED) {
		struct str item = constraints->item[i];

		if (item.len == 0)
			continue;
		compared++;
		if (!str_eq(item, sentence) && !is_same(&one, matter_at(search, i)) &&
		    (tag.len == 0 || !str_eq(tag, tag_of(item))))
			continue;
		things_remove(constraints, i);
		found = true;
	}
	return found;
}

static void
see_sentence(void *context, struct str sentence)
{
	struct search *search = context;

	if (sentence.len < SENTENCE_LEAST ||
	    (!phrases_any(&all_phrases, sentence) && !begins_order(sentence)) ||
	    tells_or_asks(sentence))
		return;
	if (obliges(sentence))
		override(search, sentence);
	else if (!releases(sentence) || !override(search, sentence))
		return;
	if (search->is_added)
		things_add(search->constraints, sentence);
}

/* Of the environment that a client tells of, what it permits has a say. */
static void
see_permissions(struct search *search, struct str text)
{
	static const struct str tags[] = {STR_INIT("<approval_policy>"), STR_INIT("<sandbox_mode>"),
	    STR_INIT("<network_access>")};

	while (text.len > 0) {
		struct str line = sentences_line(text), element = str_trim(line);

		for (size_t i = 0; i < COUNT(tags); i++) {
			if (!str_eq(tag_of(element), tags[i]))
				continue;
			override(search, element);
			if (search->is_added)
				things_add(search->constraints, element);
		}
		line.len += line.len < text.len;
		text = str_of(text.ptr + line.len, text.len - line.len);
	}
}

/* Of what a client put in, a project's instructions have a say; reminders and the output of
 * commands have none. */
static bool
has_say(const struct entry *entry, struct str text)
{
	static const struct str signs[] = {STR_INIT("nstructions"), STR_INIT("INSTRUCTIONS"),
	    STR_INIT("AGENTS.md"), STR_INIT("CLAUDE.md"), STR_INIT("GEMINI.md")};

	if (entry->origin != ORIGIN_INJECTED)
		return true;
	if (str_has_prefix(text, STR("<bash-")) || str_has_prefix(text, STR("<local-command")))
		return false;
	for (size_t i = 0; i < COUNT(signs); i++)
		if (str_find(text, signs[i]) != NULL)
			return true;
	return false;
}

static void
see_entry(struct things *constraints, struct constraints_read **read, const struct entry *entry,
    struct str text, bool is_added)
{
	struct search search = {.constraints = constraints, .read = read, .is_added = is_added};

	if (entry->origin == ORIGIN_INJECTED &&
	    str_has_prefix(str_trim(text), STR("<environment_context>")))
		see_permissions(&search, text);
	else if (has_say(entry, text))
		sentences_of(text, see_sentence, &search);
}

bool
constraints_is_strict(struct str constraint)
{
	return phrases_any(&obliging, constraint) || begins_order(constraint) ||
	    tag_of(constraint).len > 0;
}

bool
constraints_may_stand_in(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside && !entry->is_artifact &&
	    (entry->role == ROLE_USER || role_is_system(entry->role)) &&
	    (entry->origin == ORIGIN_USER || entry->origin == ORIGIN_INJECTED ||
		entry->origin == ORIGIN_SYSTEM);
}

void
constraints_add(struct things *constraints, struct constraints_read **read,
    const struct entry *entry, struct str text)
{
	see_entry(constraints, read, entry, text, true);
}

void
constraints_override(struct things *constraints, struct constraints_read **read,
    const struct entry *entry, struct str text)
{
	see_entry(constraints, read, entry, text, false);
}
