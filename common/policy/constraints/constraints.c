#include "policy/constraints/constraints.h"

#include "base/byte.h"
#include "base/mem.h"
#include "policy/constraints/obligation.h"
#include "policy/constraints/sentences.h"

enum { SENTENCE_LEAST = 8, WORDS_MOST = 24 };

/* The meaning of a sentence: its sense, and hashes of the words for its subject, without regard to
 * case. Of two orders that differ only in a number, the later one holds; of two such prohibitions,
 * both do. So numbers count as words only in prohibitions. */
struct matter {
	enum obligation_sense sense;
	unsigned count;
	/* a bit for each word: sentences without a common bit have different subjects */
	uint64_t set;
	uint64_t word[WORDS_MOST];
};

/* The matters of the newest constraints, each at the number of its constraint modulo the size. */
enum { READ_SIZE = 2 * CONSTRAINTS_COMPARED };

struct constraints_read {
	const char *text[READ_SIZE]; /* of the constraint; NULL: none */
	struct matter matter[READ_SIZE];
};

static bool
is_number(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!byte_is_digit(word.ptr[i]))
			return false;
	return true;
}

static bool
is_about(struct str word, enum obligation_sense sense)
{
	static const struct str others[] = {STR_INIT("the"), STR_INIT("and"), STR_INIT("not"),
	    STR_INIT("don"), STR_INIT("you"), STR_INIT("may"), STR_INIT("now"), STR_INIT("can"),
	    STR_INIT("are"), STR_INIT("for"), STR_INIT("any"), STR_INIT("all"), STR_INIT("must"),
	    STR_INIT("never"), STR_INIT("always"), STR_INIT("only"), STR_INIT("shall"),
	    STR_INIT("should"), STR_INIT("please"), STR_INIT("longer"), STR_INIT("forget"),
	    STR_INIT("ignore"), STR_INIT("again"), STR_INIT("this"), STR_INIT("that"),
	    STR_INIT("with"), STR_INIT("fine"), STR_INIT("allowed"), STR_INIT("instead")};

	return !STR_IS_ONE_OF(word, others) && word.len > 2 &&
	    (sense == OBLIGATION_FORBIDS || !is_number(word));
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
		lower[i] = byte_lower(text.ptr[i]);
	if (!is_about(str_of(lower, text.len), matter->sense))
		return;
	word = hash_label(str_of(lower, text.len)).a;
	for (unsigned i = 0; i < matter->count; i++)
		if (matter->word[i] == word)
			return;
	matter->word[matter->count++] = word;
	matter->set |= UINT64_C(1) << word % 64;
}

static struct matter
matter_of(struct str sentence, enum obligation_sense sense)
{
	struct matter matter = {.sense = sense, .count = 0};
	size_t start = 0;

	for (size_t i = 0; i <= sentence.len; i++)
		if (i == sentence.len ||
		    (!byte_is_word(sentence.ptr[i]) && memchr("./-", sentence.ptr[i], 3) == NULL)) {
			add_word(&matter, str_of(sentence.ptr + start, i - start));
			start = i + 1;
		}
	return matter;
}

/* Whether two matters have the same subject. With the same sense, they must have the same words; of
 * two prohibitions, both hold. With another sense, one must have all words of the other and not
 * many more: an order for one branch does not override the prohibition for another one. */
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
		return a->sense != OBLIGATION_FORBIDS && common > 1 && common == all;
	return common > 0 && common == fewer && common * 5 >= all * 3;
}

/* The name of a permission: "sandbox_mode: read-only", or as a client writes it,
 * "<sandbox_mode>read-only</sandbox_mode>"; "": it is none. */
static struct str
permission_of(struct str line)
{
	static const struct str names[] = {
	    STR_INIT("approval_policy"), STR_INIT("sandbox_mode"), STR_INIT("network_access")};

	line = str_rest(line, line.len > 0 && line.ptr[0] == '<');
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		if (str_has_prefix(line, names[i]) && line.len > names[i].len &&
		    memchr(":>", line.ptr[names[i].len], 2) != NULL)
			return names[i];
	return STR("");
}

struct search {
	struct things *constraints;
	struct constraints_reader *reader;
	bool is_added; /* findings are added, not only compared with the existing ones */
};

/* The matter of the constraint with that number. */
static const struct matter *
matter_at(const struct search *search, uint32_t number)
{
	struct str item = search->constraints->item[number];
	struct constraints_read *read = search->reader->read;
	unsigned place = number % READ_SIZE;

	if (read == NULL) {
		read = search->reader->read = mem_alloc(1, sizeof *read);
		memset(read->text, 0, sizeof read->text);
	}
	if (read->text[place] != item.ptr) {
		read->text[place] = item.ptr;
		read->matter[place] =
		    matter_of(item, obligation_of(item, search->reader->own).sense);
	}
	return &read->matter[place];
}

/* Removes the constraints that the sentence overrides; returns whether there were any. */
static bool
override(struct search *search, struct str sentence, enum obligation_sense sense)
{
	struct things *constraints = search->constraints;
	struct matter one = matter_of(sentence, sense);
	struct str permission = permission_of(sentence);
	bool found = false;
	uint32_t i = constraints->used, compared = 0;

	while (i-- > 0 && compared < CONSTRAINTS_COMPARED) {
		struct str item = constraints->item[i];

		if (item.len == 0)
			continue;
		compared++;
		if (!str_eq(item, sentence) && !is_same(&one, matter_at(search, i)) &&
		    (permission.len == 0 || !str_eq(permission, permission_of(item))))
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
	struct obligation said;

	if (sentence.len < SENTENCE_LEAST)
		return;
	said = obligation_of(sentence, search->reader->own);
	if (said.stands)
		override(search, sentence, said.sense);
	else if (!said.releases || !override(search, sentence, said.sense))
		return;
	if (search->is_added)
		things_add(search->constraints, sentence);
}

/* Of a client's description of the environment, only the permissions count. */
static void
see_permissions(struct search *search, struct str text)
{
	struct buf item = BUF_INIT;

	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text)), name = permission_of(line);
		struct str value = str_rest(line, name.len > 0 ? name.len + 2 : 0);
		const char *end = str_find(value, STR("</"));

		if (name.len == 0 || line.ptr[0] != '<' || end == NULL)
			continue;
		buf_reset(&item);
		buf_add_fmt(&item, "%.*s: %.*s", STR_ARG(name), (int)(end - value.ptr), value.ptr);
		override(search, buf_str(&item), OBLIGATION_OBLIGES);
		if (search->is_added)
			things_add(search->constraints, buf_str(&item));
	}
	buf_free(&item);
}

/* Of texts that a client put in, only a project's instructions count, not reminders or the output
 * of commands. */
static bool
has_say(const struct entry *entry, struct str text)
{
	static const struct str signs[] = {STR_INIT("nstructions"), STR_INIT("INSTRUCTIONS"),
	    STR_INIT("AGENTS.md"), STR_INIT("CLAUDE.md"), STR_INIT("GEMINI.md")};

	if (entry->origin != ORIGIN_INJECTED)
		return true;
	if (str_has_prefix(text, STR("<bash-")) || str_has_prefix(text, STR("<local-command")))
		return false;
	return STR_HAS_ANY(text, signs);
}

static void
see_entry(struct things *constraints, struct constraints_reader *reader, const struct entry *entry,
    struct str text, bool is_added)
{
	struct search search = {.constraints = constraints, .reader = reader, .is_added = is_added};

	if (entry->origin == ORIGIN_INJECTED &&
	    str_has_prefix(str_trim(text), STR("<environment_context>")))
		see_permissions(&search, text);
	else if (has_say(entry, text))
		sentences_of(text, see_sentence, &search);
}

bool
constraints_is_strict(struct str constraint, struct phrases *own)
{
	return obligation_of(constraint, own).is_strict || permission_of(constraint).len > 0;
}

bool
constraints_may_stand_in(const struct entry *entry)
{
	return entry_is_in_thread(entry) && !entry->is_artifact &&
	    (entry->role == ROLE_USER || role_is_system(entry->role)) &&
	    (entry->origin == ORIGIN_USER || entry->origin == ORIGIN_INJECTED ||
		entry->origin == ORIGIN_SYSTEM);
}

void
constraints_add(struct things *constraints, struct constraints_reader *reader,
    const struct entry *entry, struct str text)
{
	see_entry(constraints, reader, entry, text, true);
}

void
constraints_override(struct things *constraints, struct constraints_reader *reader,
    const struct entry *entry, struct str text)
{
	see_entry(constraints, reader, entry, text, false);
}
