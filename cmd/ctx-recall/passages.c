#include "passages.h"

#include <stdlib.h>

#include "base/byte.h"
#include "base/list.h"

enum {
	WORDS = 64,     /* that are looked for */
	WORD_MOST = 40, /* bytes of a word that are looked at */
	WINDOW = 140,   /* bytes of a passage */
	GAP = 250,      /* bytes between two passages of an entry, at least */
	PASSAGES = 6,   /* of an entry */
	LOG_ONE = 256,  /* a word that one in two entries has is worth so much */
};

/* A word in the text of an entry. */
struct word_place {
	size_t from, to;
	unsigned word;
};

struct ranking {
	struct look_up *recall;
	struct map words; /* the number of a word, by its hash */
	unsigned word_count;
	uint32_t entries;
	uint32_t holders[WORDS]; /* entries that have the word */
	uint64_t value[WORDS];
	struct word_place *place; /* of the entry under way */
	size_t place_count, place_cap;
	struct passage *window; /* of the current entry: one from each place */
	size_t window_cap;
	struct passage *passage; /* the best by now, and others */
	size_t passage_count, passage_cap, most;
};

static bool
is_lower(char c)
{
	return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

/* Takes the next word off the text: of HTTPResponse2, "HTTP", "Response" and "2". */
static bool
take_word(struct str *text, struct str *word)
{
	const char *p = text->ptr, *end = p + text->len, *start;

	while (p < end && !is_lower(*p) && !byte_is_upper(*p) && !byte_is_digit(*p))
		p++;
	start = p;
	while (p < end && byte_is_digit(*p))
		p++;
	if (p == start) {
		while (p < end && byte_is_upper(*p))
			p++;
		if (p - start > 1 && p < end && is_lower(*p))
			p--;
		else if (p - start <= 1)
			while (p < end && is_lower(*p))
				p++;
	}
	*word = str_of(start, (size_t)(p - start));
	*text = str_of(p, (size_t)(end - p));
	return word->len > 0;
}

/* The hash of a word without case and endings. */
static struct hash
word_hash(struct str word)
{
	static const struct str endings[] = {STR_INIT("ing"), STR_INIT("ies"), STR_INIT("ed"),
	    STR_INIT("es"), STR_INIT("s"), STR_INIT("e"), STR_INIT("y")};
	enum { STEM = 3 };
	char lower[WORD_MOST];
	struct str stem = str_of(lower, word.len < WORD_MOST ? word.len : WORD_MOST);

	for (size_t i = 0; i < stem.len; i++)
		lower[i] = byte_lower(word.ptr[i]);
	for (size_t i = 0; i < ARRAY_COUNT(endings); i++)
		if (stem.len >= endings[i].len + STEM && str_has_suffix(stem, endings[i])) {
			stem.len -= endings[i].len;
			break;
		}
	/* "committed" is of "commit", and "called" of "call". */
	if (stem.len > STEM && stem.ptr[stem.len - 1] == stem.ptr[stem.len - 2])
		stem.len--;
	return hash_label(stem);
}

/* Whether the word only forms sentences, as in "which one was it": such a word is rare in a session
 * of code, and no search term. */
static bool
is_function_word(struct str word)
{
	static const struct str words[] = {STR_INIT("a"), STR_INIT("an"), STR_INIT("and"),
	    STR_INIT("are"), STR_INIT("as"), STR_INIT("at"), STR_INIT("be"), STR_INIT("been"),
	    STR_INIT("by"), STR_INIT("can"), STR_INIT("could"), STR_INIT("did"), STR_INIT("do"),
	    STR_INIT("does"), STR_INIT("for"), STR_INIT("from"), STR_INIT("had"), STR_INIT("has"),
	    STR_INIT("have"), STR_INIT("how"), STR_INIT("in"), STR_INIT("is"), STR_INIT("it"),
	    STR_INIT("its"), STR_INIT("may"), STR_INIT("of"), STR_INIT("on"), STR_INIT("or"),
	    STR_INIT("should"), STR_INIT("that"), STR_INIT("the"), STR_INIT("there"),
	    STR_INIT("this"), STR_INIT("to"), STR_INIT("was"), STR_INIT("were"), STR_INIT("what"),
	    STR_INIT("when"), STR_INIT("where"), STR_INIT("which"), STR_INIT("who"),
	    STR_INIT("why"), STR_INIT("will"), STR_INIT("with"), STR_INIT("would")};
	char lower[8];

	if (word.len > sizeof lower)
		return false;
	for (size_t i = 0; i < word.len; i++)
		lower[i] = byte_lower(word.ptr[i]);
	return STR_IS_ONE_OF(str_of(lower, word.len), words);
}

/* Notes the words to look for: those that only make a sentence where there is no other. */
static void
read_words(struct ranking *r, struct str text)
{
	for (int all = 0; all < 2 && r->word_count == 0; all++) {
		struct str rest = text, word;

		while (r->word_count < WORDS && take_word(&rest, &word)) {
			struct hash key = word_hash(word);

			if ((all || !is_function_word(word)) && map_get(&r->words, key) == MAP_NONE)
				map_set(&r->words, key, r->word_count++);
		}
	}
}

/* The words that are in the text, as bits. */
static uint64_t
words_of(const struct ranking *r, struct str text)
{
	uint64_t words = 0;
	struct str word;

	while (take_word(&text, &word)) {
		uint64_t number = map_get(&r->words, word_hash(word));

		if (number != MAP_NONE)
			words |= UINT64_C(1) << number;
	}
	return words;
}

/* LOG_ONE times log2 of 1 + entries / holders. */
static uint64_t
value_of(uint32_t entries, uint32_t holders)
{
	uint64_t ratio = (((uint64_t)entries + holders) << 20) / holders;
	unsigned log = 63 - (unsigned)__builtin_clzll(ratio);

	return (uint64_t)(log - 20) * LOG_ONE + ((ratio >> (log - 8)) & (LOG_ONE - 1));
}

static void
count_words(struct ranking *r)
{
	struct buf text = BUF_INIT, whose = BUF_INIT;

	for (uint32_t i = 0; i < r->recall->index.count; i++) {
		uint64_t words;

		if (!look_up_text(r->recall, i, &text, &whose))
			continue;
		r->entries++;
		words = words_of(r, buf_str(&text)) | words_of(r, buf_str(&whose));
		for (; words != 0; words &= words - 1)
			r->holders[__builtin_ctzll(words)]++;
	}
	for (unsigned i = 0; i < r->word_count; i++)
		r->value[i] = r->holders[i] > 0 ? value_of(r->entries, r->holders[i]) : 0;
	buf_free(&text);
	buf_free(&whose);
}

static void
find_places(struct ranking *r, struct str text)
{
	const char *start = text.ptr;
	struct str word;

	r->place_count = 0;
	while (take_word(&text, &word)) {
		uint64_t number = map_get(&r->words, word_hash(word));
		size_t from = (size_t)(word.ptr - start);

		if (number == MAP_NONE)
			continue;
		LIST_ADD(r->place, r->place_count, r->place_cap,
		    (struct word_place){from, from + word.len, (unsigned)number});
	}
}

/* What the words of the heading add to a passage that does not have them. */
static uint64_t
heading_value(const struct ranking *r, uint64_t words, const uint32_t *count)
{
	uint64_t value = 0;

	for (; words != 0; words &= words - 1) {
		int word = __builtin_ctzll(words);

		value += count[word] == 0 ? r->value[word] / 2 : 0;
	}
	return value;
}

/* Sets the window from each place: the words in it, each once, are its value. */
static void
weigh_windows(struct ranking *r, uint64_t heading)
{
	uint32_t count[WORDS] = {0};
	uint64_t value = 0;
	size_t end = 0;

	if (r->window_cap < r->place_cap) {
		r->window_cap = r->place_cap;
		r->window = mem_realloc(r->window, r->window_cap, sizeof *r->window);
	}
	for (size_t i = 0; i < r->place_count; i++) {
		const struct word_place *place = &r->place[i];
		size_t len;

		for (;
		     end < r->place_count && (end == i || r->place[end].to - place->from <= WINDOW);
		     end++)
			if (count[r->place[end].word]++ == 0)
				value += r->value[r->place[end].word];
		len = r->place[end - 1].to - place->from;
		r->window[i] = (struct passage){.from = place->from,
		    .to = place->from + len,
		    .value = value + heading_value(r, heading, count) + WINDOW -
			(len < WINDOW ? len : WINDOW)};
		if (--count[place->word] == 0)
			value -= r->value[place->word];
	}
}

static bool
is_near(const struct passage *a, const struct passage *b)
{
	return a->from < b->to + GAP && b->from < a->to + GAP;
}

/* The best window that is not near one of count passages, or NULL. */
static const struct passage *
best_window(const struct ranking *r, const struct passage *taken, size_t count)
{
	const struct passage *best = NULL;

	for (size_t i = 0; i < r->place_count; i++) {
		const struct passage *window = &r->window[i];
		size_t k = 0;

		if (best != NULL && best->value >= window->value)
			continue;
		while (k < count && !is_near(window, &taken[k]))
			k++;
		if (k == count)
			best = window;
	}
	return best;
}

/* The better one first; of equal ones, the one of the newer entry, then the first in its entry. */
static int
compare(const void *left, const void *right)
{
	const struct passage *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? 1 : -1;
	if (a->item != b->item)
		return a->item < b->item ? 1 : -1;
	return (a->from > b->from) - (a->from < b->from);
}

/* Leaves the best passages, in order, each text once. */
static void
sort_out(struct ranking *r)
{
	struct map texts = MAP_INIT;
	size_t count = 0;

	if (r->passage_count > 0)
		qsort(r->passage, r->passage_count, sizeof *r->passage, compare);
	for (size_t i = 0; i < r->passage_count; i++) {
		const struct passage *passage = &r->passage[i];
		uint64_t number = map_get(&texts, passage->text);

		if (number != MAP_NONE) {
			r->passage[number].keys += passage->keys;
			continue;
		}
		map_set(&texts, passage->text, count);
		r->passage[count++] = *passage;
	}
	r->passage_count = count < r->most ? count : r->most;
	r->recall->has_more |= count > r->most;
	map_free(&texts);
}

static bool
has_text(const struct passage *passage, size_t count, struct hash text)
{
	for (size_t i = 0; i < count; i++)
		if (hash_eq(passage[i].text, text))
			return true;
	return false;
}

/* The hash of the lines of the passage; of long lines, only the part that is shown. */
static struct hash
lines_hash(struct str text, const struct passage *passage)
{
	size_t before = passage->from < WINDOW ? passage->from : WINDOW;
	size_t after = text.len - passage->to < WINDOW ? text.len - passage->to : WINDOW;
	const char *start = text.ptr + passage->from - before, *end = text.ptr + passage->to;

	start = str_behind_last(str_of(start, before), '\n').ptr;
	end += str_first_line(str_of(end, after)).len;
	return hash_label(str_of(start, (size_t)(end - start)));
}

static void
add_passages(struct ranking *r, uint32_t item, struct str text)
{
	struct passage taken[PASSAGES];

	for (size_t n = 0; n < PASSAGES; n++) {
		const struct passage *best = best_window(r, taken, n);

		if (best == NULL)
			return;
		taken[n] = *best;
		taken[n].item = item;
		taken[n].keys = 1;
		taken[n].text = lines_hash(text, best);
		if (has_text(taken, n, taken[n].text))
			continue;
		if (r->passage_count == 2 * r->most)
			sort_out(r);
		LIST_ADD(r->passage, r->passage_count, r->passage_cap, taken[n]);
	}
}

static void
find_passages(struct ranking *r)
{
	struct buf text = BUF_INIT, whose = BUF_INIT;

	for (uint32_t i = 0; i < r->recall->index.count; i++) {
		if (!look_up_text(r->recall, i, &text, &whose))
			continue;
		find_places(r, buf_str(&text));
		weigh_windows(r, words_of(r, buf_str(&whose)));
		add_passages(r, i, buf_str(&text));
	}
	sort_out(r);
	buf_free(&text);
	buf_free(&whose);
}

/* How many passages are held: at least as many as an answer can have. */
static size_t
most_passages(const struct look_up_options *options)
{
	enum { TOKENS = 8, LEAST = 16, MOST = 1 << 20 };
	uint64_t skip = options->skip < MOST ? options->skip : MOST;
	uint64_t count = options->tokens / TOKENS < MOST ? options->tokens / TOKENS : MOST;

	return (size_t)(skip + count + LEAST);
}

size_t
passages_find(struct look_up *recall, struct passage **list)
{
	struct ranking ranking = {.recall = recall, .most = most_passages(recall->options)};

	read_words(&ranking, str_from(recall->options->words));
	count_words(&ranking);
	find_passages(&ranking);
	map_free(&ranking.words);
	free(ranking.place);
	free(ranking.window);
	*list = ranking.passage;
	return ranking.passage_count;
}
