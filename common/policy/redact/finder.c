#include "policy/redact/finder.h"

#include "json/bytes.h"
#include "policy/secret/credential.h"
#include "policy/secret/person.h"
#include "policy/secret/token.h"

/* A rule, or a table of them: row is that of the table. start is that of the text. */
struct finder_trigger {
	unsigned kind; /* enum rule_kind */
	/* The first bytes, each a list of bytes and of ranges such as "a-z"; "" is any byte. */
	const char *set[FINDER_DEPTH];
	bool (*hint)(const char *start, const char *p, unsigned row);
	/* NULL: nothing is found, but the text after the escape is to be searched. */
	bool (*match)(struct search *text, const char *p, unsigned row, struct search_found *found);
};

/* Makes the two functions of a rule that is no table. */
#define RULE(module, name) \
	static bool hint_##name(const char *start, const char *p, unsigned row) \
	{ \
		(void)start; \
		(void)row; \
		return module##_hint_##name(p); \
	} \
	static bool match_##name( \
	    struct search *text, const char *p, unsigned row, struct search_found *found) \
	{ \
		(void)row; \
		return module##_match_##name(text, p, found); \
	}

RULE(token, pem)
RULE(token, jwt)
RULE(credential, bearer)
RULE(credential, url)
RULE(person, email)
RULE(person, phone)
RULE(person, card)
RULE(person, iban)

static bool
hint_shape(const char *start, const char *p, unsigned row)
{
	(void)start;
	return token_hint_shape(&shapes[row], p);
}

static bool
match_shape(struct search *text, const char *p, unsigned row, struct search_found *found)
{
	return token_match_shape(text, p, &shapes[row], found);
}

static bool
hint_word(const char *start, const char *p, unsigned row)
{
	(void)start;
	return assignment_hint_word(&assignment_words[row], p);
}

static bool
match_word(struct search *text, const char *p, unsigned row, struct search_found *found)
{
	return assignment_match_word(text, p, &assignment_words[row], found);
}

/* An address has something in front of its "@", and no escape. */
static bool
hint_address(const char *start, const char *p, unsigned row)
{
	if (p == start || !alphabet_has(ALPHABET_LOCAL, p[-1]) || (p - start > 1 && p[-2] == '\\'))
		return p - start > 1 && p[-1] == '\\'; /* \/@ and the like */
	return hint_email(start, p, row);
}

/* An escape of a printable byte, which may be in any secret. */
static bool
hint_escape(const char *start, const char *p, unsigned row)
{
	(void)start;
	(void)row;
	return p[4] >= '2' && p[4] <= '7';
}

/* An escape of a character without width. */
static bool
hint_widthless(const char *start, const char *p, unsigned row)
{
	unsigned code = json_hex4(p + 2);

	(void)start;
	(void)row;
	return code == 0xad || (code >= 0x200b && code <= 0x200d) || code == 0x2060 ||
	    code == 0xfeff;
}

/* What a folded text has not (policy/redact/rule_set.h). */
static bool
hint_folded(const char *start, const char *p, unsigned row)
{
	(void)start;
	(void)row;
	return p[0] != '\0';
}

static const struct finder_trigger shape_trigger = {RULE_SECRETS, {NULL}, hint_shape, match_shape};
static const struct finder_trigger word_trigger = {RULE_SECRETS, {NULL}, hint_word, match_word};

static const struct finder_trigger coded[] = {
    {RULE_SECRETS, {"---", "---", "---", "---"}, hint_pem, match_pem},
    {RULE_SECRETS, {"e", "y", "J", "---0-9A-Za-z_"}, hint_jwt, match_jwt},
    {RULE_SECRETS, {"Bb", "Ee", "Aa", "Rr"}, hint_bearer, match_bearer},
    {RULE_SECRETS, {":", "/\\", "/\\", ""}, hint_url, match_url},
    {RULE_PII, {"@", "0-9A-Za-z", "", ""}, hint_address, match_email},
    {RULE_PII, {"+", "1-9", "0-9 .(---", "0-9 .()---"}, hint_phone, match_phone},
    {RULE_PII, {"(", "2-9", "0-9", "0-9"}, hint_phone, match_phone},
    {RULE_PII, {"2-9", "0-9", "0-9", ".---"}, hint_phone, match_phone},
    {RULE_PII, {"2-6", "0-9", "0-9", "0-9"}, hint_card, match_card},
    {RULE_PII, {"A-Z", "A-Z", "0-9", "0-9"}, hint_iban, match_iban},
    {RULE_SECRETS | RULE_PII, {"\\", "u", "0", "0"}, hint_escape, NULL},
    {RULE_SECRETS | RULE_PII, {"\\", "u", "0", "0"}, hint_widthless, NULL},
    {RULE_SECRETS | RULE_PII, {"%", "2-7", "0-9A-Fa-f", ""}, hint_folded, NULL},
    {RULE_SECRETS | RULE_PII, {"\xc2", "\xad", "", ""}, hint_folded, NULL},
    {RULE_SECRETS | RULE_PII, {"\xe2", "\x80\x81", "\x8b-\x8d\xa0", ""}, hint_folded, NULL},
    {RULE_SECRETS | RULE_PII, {"\xef", "\xbb", "\xbf", ""}, hint_folded, NULL},
    {RULE_SECRETS | RULE_PII, {"\\", "u", "2", "0"}, hint_widthless, NULL},
    {RULE_SECRETS | RULE_PII, {"\\", "u", "Ff", "Ee"}, hint_widthless, NULL},
};

enum { CODED = ARRAY_COUNT(coded), SHARED = FINDER_BUCKETS - CODED };

_Static_assert((int)CODED <= FINDER_BUCKETS / 2, "each has a bucket, and most are shared");

static void
add_byte(struct finder *finder, unsigned depth, unsigned char byte, unsigned bucket)
{
	finder->set[depth][byte] |= UINT64_C(1) << bucket;
}

static void
add_set(struct finder *finder, unsigned depth, const char *set, unsigned bucket)
{
	if (*set == '\0')
		for (unsigned byte = 0; byte < 256; byte++)
			add_byte(finder, depth, (unsigned char)byte, bucket);
	for (; *set != '\0'; set++) {
		unsigned char from = (unsigned char)*set, to = from;

		if (set[1] == '-' && set[2] != '\0') {
			to = (unsigned char)set[2];
			set += 2;
		}
		for (unsigned byte = from; byte <= to; byte++)
			add_byte(finder, depth, (unsigned char)byte, bucket);
	}
}

static void
add_rule(struct finder *finder, unsigned bucket, const struct finder_trigger *trigger, unsigned row)
{
	uint16_t at = ++finder->count;

	finder->rule[at] = (struct finder_rule){trigger, (uint16_t)row, 0};
	if (finder->first[bucket] == 0)
		finder->first[bucket] = at;
	else
		finder->rule[finder->last[bucket]].next = at;
	finder->last[bucket] = at;
}

static void
add_shape(struct finder *finder, unsigned row)
{
	const struct shape *shape = &shapes[row];
	const char *prefix = shape->prefix.ptr;
	/* of the small factors the one that asks the fewest rules of a session's text */
	unsigned bucket = ((unsigned char)prefix[0] * 47u + (unsigned char)prefix[1]) % SHARED;
	bool is_open = false; /* after a slash, which may be escaped, any byte may follow */

	for (unsigned depth = 0; depth < FINDER_DEPTH; depth++) {
		bool is_prefix = depth < shape->prefix.len;

		for (unsigned byte = 0; byte < 256; byte++)
			if (is_open ||
			    (is_prefix ? byte == (unsigned char)prefix[depth] :
					 alphabet_has(shape->alphabet, (char)byte)))
				add_byte(finder, depth, (unsigned char)byte, bucket);
		if (is_prefix && prefix[depth] == '/') {
			add_byte(finder, depth, '\\', bucket);
			is_open = true;
		}
	}
	add_rule(finder, bucket, &shape_trigger, row);
}

static void
add_word(struct finder *finder, unsigned row)
{
	struct str word = assignment_words[row].word;
	unsigned bucket = row * 3 % SHARED;

	for (unsigned depth = 0; depth < FINDER_DEPTH; depth++) {
		if (depth < word.len) {
			add_byte(finder, depth, (unsigned char)word.ptr[depth], bucket);
			add_byte(finder, depth, (unsigned char)(word.ptr[depth] & ~0x20), bucket);
		} else {
			add_set(finder, depth, "", bucket);
		}
	}
	add_rule(finder, bucket, &word_trigger, row);
}

void
finder_init(struct finder *finder, unsigned kinds)
{
	memset(finder, 0, sizeof *finder);
	for (unsigned i = 0; i < CODED; i++) {
		if ((coded[i].kind & kinds) == 0)
			continue;
		for (unsigned depth = 0; depth < FINDER_DEPTH; depth++)
			add_set(finder, depth, coded[i].set[depth], SHARED + i);
		add_rule(finder, SHARED + i, &coded[i], 0);
	}
	if ((kinds & RULE_SECRETS) == 0)
		return;
	for (unsigned row = 0; row < shape_count; row++)
		add_shape(finder, row);
	for (unsigned row = 0; row < assignment_word_count; row++)
		add_word(finder, row);
}

static inline uint64_t
buckets_at(const struct finder *finder, const char *p)
{
	return finder->set[0][(unsigned char)p[0]] & finder->set[1][(unsigned char)p[1]] &
	    finder->set[2][(unsigned char)p[2]] & finder->set[3][(unsigned char)p[3]];
}

static bool
hints_at(const struct finder *finder, uint64_t buckets, const char *start, const char *p)
{
	for (; buckets != 0; buckets &= buckets - 1) {
		unsigned bucket = (unsigned)__builtin_ctzll(buckets);

		for (unsigned i = finder->first[bucket]; i != 0; i = finder->rule[i].next)
			if (finder->rule[i].trigger->hint(start, p, finder->rule[i].row))
				return true;
	}
	return false;
}

bool
finder_hints(const struct finder *finder, struct str bytes)
{
	const char *p = bytes.ptr, *end = p + bytes.len;

	for (; end - p >= 4; p += 4) {
		uint64_t a = buckets_at(finder, p), b = buckets_at(finder, p + 1);
		uint64_t c = buckets_at(finder, p + 2), d = buckets_at(finder, p + 3);

		if ((a | b | c | d) == 0)
			continue;
		if ((a != 0 && hints_at(finder, a, bytes.ptr, p)) ||
		    (b != 0 && hints_at(finder, b, bytes.ptr, p + 1)) ||
		    (c != 0 && hints_at(finder, c, bytes.ptr, p + 2)) ||
		    (d != 0 && hints_at(finder, d, bytes.ptr, p + 3)))
			return true;
	}
	for (; p < end; p++) {
		uint64_t buckets = buckets_at(finder, p);

		if (buckets != 0 && hints_at(finder, buckets, bytes.ptr, p))
			return true;
	}
	return false;
}

/* The longest find of the rules in the buckets that is free. */
static bool
match_at(const struct finder *finder, uint64_t buckets, struct search *text, const char *p,
    struct search_found *found)
{
	struct search_found other;
	bool is_found = false;

	for (; buckets != 0; buckets &= buckets - 1) {
		unsigned bucket = (unsigned)__builtin_ctzll(buckets);

		for (unsigned i = finder->first[bucket]; i != 0; i = finder->rule[i].next) {
			const struct finder_rule *rule = &finder->rule[i];

			if (rule->trigger->match == NULL ||
			    !rule->trigger->match(text, p, rule->row, &other) ||
			    other.start < text->free || other.end == other.start ||
			    search_in_payload(text, other.start) ||
			    (is_found && other.end <= found->end))
				continue;
			*found = other;
			is_found = true;
		}
	}
	return is_found;
}

bool
finder_next(const struct finder *finder, struct search *text, struct search_found *found)
{
	while (text->at < (text->has_ahead ? text->ahead.start + 1 : text->end)) {
		const char *p = text->at++;
		uint64_t buckets = buckets_at(finder, p);

		if (buckets == 0 || !match_at(finder, buckets, text, p, found))
			continue;
		if (text->has_ahead && found->end > text->ahead.start) {
			if (found->start > p || found->end <= text->ahead.end)
				continue;
			text->has_ahead = false; /* the longer one covers it */
		}
		if (!text->has_ahead && found->start > p) {
			text->ahead = *found;
			text->has_ahead = true;
			continue;
		}
		text->at = text->free = found->end;
		return true;
	}
	if (!text->has_ahead)
		return false;
	*found = text->ahead;
	text->has_ahead = false;
	text->at = text->free = found->end;
	return true;
}
