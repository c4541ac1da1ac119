#include "policy/digest/constraints.h"

#include <strings.h>

enum { SENTENCE_LEAST = 8, SENTENCE_MOST = 400, WORDS_MOST = 24 };

static bool
is_word_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	    c == '_';
}

/* Whether the phrase stands at byte at of the text, in any case, and ends with a word. */
static bool
has_phrase_at(struct str text, size_t at, struct str phrase)
{
	size_t end = at + phrase.len;

	return end <= text.len && strncasecmp(text.ptr + at, phrase.ptr, phrase.len) == 0 &&
	    (end == text.len || !is_word_byte(text.ptr[end]));
}

/* Whether the text has one of the phrases between word boundaries, in any case. Each begins with
 * two lower letters. An apostrophe of a phrase stands for either of its spellings. */
static bool
has_any(struct str text, const struct str *phrase, size_t count)
{
	uint32_t initials = 0;

	for (size_t k = 0; k < count; k++)
		initials |= UINT32_C(1) << (phrase[k].ptr[0] - 'a');
	for (size_t i = 0; i < text.len; i++) {
		unsigned letter = (text.ptr[i] | 0x20u) - 'a';

		if (letter >= 26 || (initials >> letter & 1) == 0 ||
		    (i > 0 && is_word_byte(text.ptr[i - 1])))
			continue;
		for (size_t k = 0; k < count; k++)
			if ((text.ptr[i] | 0x20) == phrase[k].ptr[0] && i + 1 < text.len &&
			    (text.ptr[i + 1] | 0x20) == phrase[k].ptr[1] &&
			    has_phrase_at(text, i, phrase[k]))
				return true;
	}
	return false;
}

/* What obliges or forbids, and what releases. */
static const struct str phrases[] = {STR_INIT("must"), STR_INIT("mustn't"), STR_INIT("never"),
    STR_INIT("always"), STR_INIT("do not"), STR_INIT("don't"), STR_INIT("don\xe2\x80\x99t"),
    STR_INIT("should not"), STR_INIT("shouldn't"), STR_INIT("only"), STR_INIT("shall"),
    STR_INIT("required"), STR_INIT("forbidden"), STR_INIT("prohibited"), STR_INIT("not allowed"),
    STR_INIT("may not"), STR_INIT("under no circumstances"), STR_INIT("make sure"),
    STR_INIT("ensure"), STR_INIT("avoid"),
    /* from here on what releases */
    STR_INIT("you may"), STR_INIT("may now"), STR_INIT("can now"), STR_INIT("no longer"),
    STR_INIT("is fine"), STR_INIT("are fine"), STR_INIT("is allowed"), STR_INIT("are allowed"),
    STR_INIT("forget"), STR_INIT("ignore"), STR_INIT("instead of")};

enum { PHRASES = sizeof phrases / sizeof phrases[0], RELEASING = 11 };

static bool
obliges(struct str sentence)
{
	return has_any(sentence, phrases, PHRASES - RELEASING);
}

static bool
releases(struct str sentence)
{
	return has_any(sentence, phrases + PHRASES - RELEASING, RELEASING);
}

enum sense { OBLIGES, FORBIDS, RELEASES };

static enum sense
sense_of(struct str sentence)
{
	static const struct str negations[] = {STR_INIT("never"), STR_INIT("not"),
	    STR_INIT("don't"), STR_INIT("don\xe2\x80\x99t"), STR_INIT("mustn't"),
	    STR_INIT("shouldn't"), STR_INIT("no"), STR_INIT("avoid"), STR_INIT("forbidden"),
	    STR_INIT("prohibited")};

	if (releases(sentence))
		return RELEASES;
	return has_any(sentence, negations, sizeof negations / sizeof negations[0]) ? FORBIDS :
										      OBLIGES;
}

/* What a sentence says: its sense, and hashes of the words that tell what it is about, without
 * regard to case. Of two orders that differ in a number the later one stands; of two prohibitions
 * both do. So numbers are words of a prohibition alone. */
struct matter {
	enum sense sense;
	unsigned count;
	struct hash word[WORDS_MOST];
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
	    STR_INIT("with"), STR_INIT("fine"), STR_INIT("allowed")};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (str_eq(word, others[i]))
			return false;
	return word.len > 2 && (sense == FORBIDS || !is_number(word));
}

static void
add_word(struct matter *matter, struct str text)
{
	char lower[64];
	struct hash word;

	while (text.len > 0 && text.ptr[text.len - 1] == '.')
		text.len--;
	if (text.len > sizeof lower || matter->count == WORDS_MOST)
		return;
	for (size_t i = 0; i < text.len; i++)
		lower[i] = text.ptr[i] >= 'A' && text.ptr[i] <= 'Z' ? text.ptr[i] + ('a' - 'A') :
								      text.ptr[i];
	if (!is_about(str_of(lower, text.len), matter->sense))
		return;
	word = hash_bytes(str_of(lower, text.len), hash_seed(HASH_LABEL));
	for (unsigned i = 0; i < matter->count; i++)
		if (matter->word[i].a == word.a && matter->word[i].b == word.b)
			return;
	matter->word[matter->count++] = word;
}

static struct matter
matter_of(struct str sentence, enum sense sense)
{
	struct matter matter = {.sense = sense, .count = 0};
	size_t start = 0;

	for (size_t i = 0; i <= sentence.len; i++)
		if (i == sentence.len ||
		    (!is_word_byte(sentence.ptr[i]) && memchr("./-", sentence.ptr[i], 3) == NULL)) {
			add_word(&matter, str_of(sentence.ptr + start, i - start));
			start = i + 1;
		}
	return matter;
}

/* Whether two matters are of the same things: in most of their words when they differ in sense, in
 * all when they do not. Two prohibitions both stand. */
static bool
is_same(const struct matter *a, const struct matter *b)
{
	unsigned common = 0, all;

	for (unsigned i = 0; i < a->count; i++)
		for (unsigned k = 0; k < b->count; k++)
			common += a->word[i].a == b->word[k].a && a->word[i].b == b->word[k].b;
	all = a->count + b->count - common;
	if (a->sense == b->sense)
		return a->sense != FORBIDS && common > 1 && common == all;
	return common > 0 && common * 5 >= all * 3;
}

/* Takes out what the sentence overrides; returns whether there was anything. */
static bool
override(struct things *constraints, struct str sentence)
{
	struct matter one = matter_of(sentence, sense_of(sentence));
	bool found = false;
	uint32_t i = constraints->used, compared = 0;

	while (i-- > 0 && compared < CONSTRAINTS_COMPARED) {
		struct str item = constraints->item[i];
		struct matter other;

		if (item.len == 0)
			continue;
		compared++;
		other = matter_of(item, sense_of(item));
		if (!str_eq(item, sentence) && !is_same(&one, &other))
			continue;
		things_remove(constraints, i);
		found = true;
	}
	return found;
}

static struct str
without_bullet(struct str line)
{
	while (line.len > 0 && (memchr("-*#>. \t", line.ptr[0], 7) != NULL))
		line = str_of(line.ptr + 1, line.len - 1);
	return line;
}

static void
see_sentence(struct things *constraints, struct str sentence, bool is_added)
{
	sentence = without_bullet(str_trim(sentence));
	if (sentence.len < SENTENCE_LEAST || sentence.len > SENTENCE_MOST ||
	    !has_any(sentence, phrases, PHRASES))
		return;
	if (obliges(sentence))
		override(constraints, sentence);
	else if (!releases(sentence) || !override(constraints, sentence))
		return;
	if (is_added)
		things_add(constraints, sentence);
}

static void
see_line(struct things *constraints, struct str line, bool is_added)
{
	const char *p = line.ptr, *end = line.ptr + line.len, *start = p;

	for (; p < end; p++) {
		bool is_stop = *p == '.' || *p == '!' || *p == '?';

		if (!is_stop || (p + 1 < end && p[1] != ' ' && p[1] != '"'))
			continue;
		see_sentence(constraints, str_of(start, (size_t)(p - start) + 1), is_added);
		start = p + 1;
	}
	see_sentence(constraints, str_of(start, (size_t)(end - start)), is_added);
}

/* What is quoted, behind > or between fences, are the words of others. */
static void
see_text(struct things *constraints, struct str text, bool is_added)
{
	bool is_fenced = false;

	while (text.len > 0) {
		const char *lf = memchr(text.ptr, '\n', text.len);
		size_t len = lf != NULL ? (size_t)(lf - text.ptr) : text.len;
		struct str line = str_trim(str_of(text.ptr, len));

		len += lf != NULL;
		text = str_of(text.ptr + len, text.len - len);
		if (str_has_prefix(line, STR("```")) || str_has_prefix(line, STR("~~~")))
			is_fenced = !is_fenced;
		else if (!is_fenced && !str_has_prefix(line, STR(">")))
			see_line(constraints, line, is_added);
	}
}

/* Of what a client put in, a project's instructions have a say; environment, reminders and the
 * output of commands have none. */
static bool
has_say(const struct entry *entry, struct str text)
{
	static const struct str signs[] = {STR_INIT("nstructions"), STR_INIT("INSTRUCTIONS"),
	    STR_INIT("AGENTS.md"), STR_INIT("CLAUDE.md"), STR_INIT("GEMINI.md")};

	if (entry->origin != ORIGIN_INJECTED)
		return true;
	if (str_has_prefix(text, STR("<bash-")) || str_has_prefix(text, STR("<local-command")))
		return false;
	for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
		if (str_find(text, signs[i]) != NULL)
			return true;
	return false;
}

bool
constraints_may_stand_in(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside && !entry->is_artifact &&
	    (entry->role == ROLE_USER || entry->role == ROLE_SYSTEM ||
		entry->role == ROLE_DEVELOPER) &&
	    (entry->origin == ORIGIN_USER || entry->origin == ORIGIN_INJECTED ||
		entry->origin == ORIGIN_SYSTEM);
}

void
constraints_add(struct things *constraints, const struct entry *entry, struct str text)
{
	if (has_say(entry, text))
		see_text(constraints, text, true);
}

void
constraints_override(struct things *constraints, const struct entry *entry, struct str text)
{
	if (has_say(entry, text))
		see_text(constraints, text, false);
}
