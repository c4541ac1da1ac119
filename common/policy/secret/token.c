#include "policy/secret/token.h"

#include "policy/secret/checks.h"

enum { VARIETY_MIN = 6, BODY_HINT = 16 };

size_t
token_changes(struct str value)
{
	unsigned last = 0;
	size_t changes = 0;

	for (size_t i = 0; i < value.len && i < 64; i++) {
		unsigned kind = check_kinds(str_of(value.ptr + i, 1));

		if (kind == CHECK_HAS_OTHER)
			continue;
		changes += last != 0 && kind != last;
		last = kind;
	}
	return changes;
}

bool
token_is_random(struct str value, bool is_mixed)
{
	unsigned kinds = check_kinds(value) & ~(unsigned)CHECK_HAS_OTHER;
	size_t len = value.len < 64 ? value.len : 64;

	if (!is_mixed)
		return (kinds & (kinds - 1)) != 0;
	return kinds == (CHECK_HAS_DIGIT | CHECK_HAS_LOWER | CHECK_HAS_UPPER) ||
	    token_changes(value) >= len / 3;
}

/* A slash may be escaped. */
bool
token_hint_shape(const struct shape *shape, const char *p)
{
	unsigned len = shape->min < BODY_HINT ? shape->min : BODY_HINT;

	for (size_t i = 0; i < shape->prefix.len; i++, p++)
		if (*p != shape->prefix.ptr[i])
			return *p == '\\' && shape->prefix.ptr[i] == '/';
	for (unsigned i = 0; i < len; i++)
		if (!alphabet_has(shape->alphabet, p[i]))
			return p[i] == '\\' && alphabet_has(shape->alphabet, '/');
	return true;
}

static bool
check_body(const struct shape *shape, struct str body)
{
	if (check_variety(body) < VARIETY_MIN)
		return false;
	switch (shape->check) {
	case SHAPE_ANY:
		return true;
	case SHAPE_TWO:
		return token_is_random(body, false);
	case SHAPE_MIXED:
		return token_is_random(body, true);
	case SHAPE_CRC62:
		return check_base62(body) || token_is_random(body, true);
	}
	return false;
}

/* Where the token whose prefix is at p begins; NULL when it begins nowhere. A lead may begin inside
 * of a word, after a byte that is not in the lead's alphabet: bot1234567890:AA... */
static const char *
lead_start(const struct search *text, const char *p, const struct shape *shape)
{
	const char *start = p;

	while (start > text->free && (size_t)(p - start) < shape->lead_most &&
	    alphabet_has(shape->lead, start[-1]))
		start--;
	if ((size_t)(p - start) < shape->lead_least)
		return NULL;
	return search_begins(text, start) || (start < p && !alphabet_has(shape->lead, start[-1])) ?
	    start :
	    NULL;
}

bool
token_match_shape(
    struct search *text, const char *p, const struct shape *shape, struct search_found *found)
{
	const char *body = p + shape->prefix.len, *end, *start;
	size_t len;

	if ((size_t)(text->end - p) < shape->prefix.len + shape->min ||
	    memcmp(p, shape->prefix.ptr, shape->prefix.len) != 0)
		return false;
	end = search_run_end(text, body, shape->alphabet);
	while (end > body && end[-1] == '.') /* that of a sentence */
		end--;
	len = (size_t)(end - body);
	if (len < shape->min || (shape->max > 0 && len > shape->max))
		return false;
	start = lead_start(text, p, shape);
	if (start == NULL || !search_ends(text, end))
		return false;
	if (shape->lead_least > shape->min) /* the part after the prefix is the smaller one */
		body = start;
	if (!check_body(shape, str_of(body, (size_t)(end - body))))
		return false;
	*found = (struct search_found){start, end, (unsigned)(shape - shapes)};
	return true;
}

/* The longest token of the table that begins at p. */
static bool
match_any(struct search *text, const char *p, struct search_found *found)
{
	struct search_found other;
	bool is_found = false;

	for (unsigned i = 0; i < shape_count; i++)
		if (*p == shapes[i].prefix.ptr[0] && shapes[i].lead_most == 0 &&
		    token_match_shape(text, p, &shapes[i], &other) &&
		    (!is_found || other.end > found->end)) {
			*found = other;
			is_found = true;
		}
	return is_found;
}

bool
token_hint_jwt(const char *p)
{
	for (unsigned i = 3; i < 12; i++)
		if (!alphabet_has(ALPHABET_DASH, p[i]))
			return false;
	return memcmp(p, "eyJ", 3) == 0;
}

/* Header, payload and signature, or the five parts of an encrypted one, parted by dots. */
bool
token_match_jwt(struct search *text, const char *p, struct search_found *found)
{
	enum { PART_MIN = 12, PARTS = 5 };
	const char *start, *end;

	if (text->end - p < 2 * PART_MIN || memcmp(p, "eyJ", 3) != 0 || !search_begins(text, p))
		return false;
	end = search_run_end(text, p, ALPHABET_DASH);
	if (end - p < PART_MIN || end == text->end || *end != '.')
		return false;
	start = end + 1;
	end = search_run_noted(text, &text->jwt[0], start, ALPHABET_DASH);
	if (end - start < PART_MIN)
		return false;
	for (unsigned part = 2; part < PARTS && end < text->end && *end == '.'; part++)
		end = search_run_noted(text, &text->jwt[1], end + 1, ALPHABET_DASH);
	while (end[-1] == '.') /* that of a sentence */
		end--;
	*found = (struct search_found){p, end, rule_coded(RULE_JWT)};
	return search_ends(text, end);
}

bool
token_is_whole(struct search *text, struct str value)
{
	struct search_found found;

	return (match_any(text, value.ptr, &found) || token_match_jwt(text, value.ptr, &found)) &&
	    found.end == value.ptr + value.len;
}

static const char *
find(const char *p, const char *end, struct str what)
{
	const char *place = str_find(str_of(p, (size_t)(end - p)), what);

	return place != NULL ? place : end;
}

bool
token_hint_pem(const char *p)
{
	return memcmp(p, "-----BEGIN ", 11) == 0;
}

/* The end of the BEGIN line at p; NULL when it is not that of a private key. */
static const char *
pass_begin(const struct search *text, const char *p)
{
	enum { LABEL_MAX = 48 };
	static const struct str dashes = STR_INIT("-----"), what = STR_INIT("PRIVATE KEY");
	const char *label = p + 11, *most;

	if ((size_t)(text->end - p) < 11 || !token_hint_pem(p))
		return NULL;
	most = text->end - label > LABEL_MAX ? label + LABEL_MAX : text->end;
	p = find(label, most, dashes);
	if (p == most || find(label, p, what) == p)
		return NULL;
	return p + dashes.len;
}

/* The next "-----END " from p on, or the end of the text; noted, so that it is looked for once. */
static const char *
next_end(struct search *text, const char *p)
{
	struct search_run *run = &text->pem;

	if (run->from == NULL || p < run->from || p > run->end)
		*run = (struct search_run){p, find(p, text->end, STR("-----END "))};
	return run->end;
}

/* The end of the block whose BEGIN line ends at body; NULL when no END line of a private key is
 * near, or another block begins in front of it. */
static const char *
pass_block(struct search *text, const char *body)
{
	enum { BODY_MIN = 40, BODY_MAX = 65536, LABEL_MAX = 64 };
	static const struct str end_mark = STR_INIT("-----END ");
	const char *end = next_end(text, body), *label, *most, *dashes;

	if (end == text->end || end - body < BODY_MIN || end - body > BODY_MAX ||
	    find(body, end, STR("-----BEGIN ")) != end)
		return NULL;
	label = end + end_mark.len;
	most = text->end - label > LABEL_MAX ? label + LABEL_MAX : text->end;
	dashes = find(label, most, STR("-----"));
	if (dashes == text->end) /* the text ends in the END line */
		return dashes;
	if (dashes == most || find(label, dashes, STR("PRIVATE KEY")) == dashes)
		return NULL;
	return dashes + 5;
}

/* Behind the last, short line of a key, whose line before has the word at word to end: a word at
 * the same place of the next line and up to its end. Returns end when there is none. */
static const char *
pass_short_line(struct search *text, const char *word, const char *end)
{
	enum { COLUMN_MAX = 128 };
	const char *next = search_pass_line_end(text, end), *last;
	size_t column = 0;

	while (column < COLUMN_MAX && word > text->free && word[-1] != '\n' &&
	    !(word[-1] == 'n' && word - text->free > 1 && word[-2] == '\\')) {
		word--;
		column++;
	}
	if (next == NULL || (size_t)(text->end - next) <= column ||
	    find(next, next + column, STR("\n")) != next + column)
		return end;
	next += column;
	last = search_run_end(text, next, ALPHABET_BASE64);
	return last > next && (last == text->end || strchr("\r\n\\\"'`", *last) != NULL) ? last :
											   end;
}

/* Whether the word is long enough for one of a key, or so by its bytes too. */
static bool
is_key_word(struct str word)
{
	enum { SURE = 40, LEAST = 24 };

	return word.len >= SURE || (word.len >= LEAST && token_is_random(word, true));
}

/* The end of the lines of a key that has no END line, from p on: words of base64. Headers, names of
 * files, line numbers and blanks may precede them. */
static const char *
pass_lines(struct search *text, const char *p)
{
	enum { HEADERS_MAX = 160, BETWEEN_MAX = 64 };
	const char *end = p, *last = NULL;

	for (const char *at = p;
	     at < text->end && at - end <= (last == NULL ? HEADERS_MAX : BETWEEN_MAX);) {
		const char *next = search_pass_line_end(text, at), *word;

		at = next != NULL ? next : at;
		word = search_run_end(text, at, ALPHABET_BASE64);
		if (is_key_word(str_of(at, (size_t)(word - at)))) {
			last = at;
			end = word;
		}
		at = word > at ? word : at + 1;
	}
	return last != NULL ? pass_short_line(text, last, end) : p;
}

bool
token_match_pem(struct search *text, const char *p, struct search_found *found)
{
	const char *body = pass_begin(text, p), *end;

	if (body == NULL)
		return false;
	end = pass_block(text, body);
	if (end == NULL)
		end = pass_lines(text, body);
	*found = (struct search_found){p, end, rule_coded(RULE_PRIVATE_KEY)};
	return end > body;
}

/* The end of the line at p, if a word of base64 of that many bytes ends it; else NULL. */
static const char *
key_line_end(const struct search *text, const char *p, size_t least)
{
	enum { LINE_MAX = 256 };
	const char *end = p, *word;

	while (end < text->end && end - p < LINE_MAX && strchr("\r\n\\\"'`", *end) == NULL)
		end++;
	for (word = end; word > p && alphabet_has(ALPHABET_BASE64, word[-1]); word--)
		;
	return end > word && (size_t)(end - word) >= least ? end : NULL;
}

bool
token_match_lines(struct search *text, const char *p, struct search_found *found)
{
	enum { LINES_MAX = 256, FIRST_MIN = 24 };
	const char *end = p, *line;
	unsigned count = 0, lines = 0;

	for (; end < text->end && alphabet_has(ALPHABET_DIGIT, *end) && count < LINES_MAX; end++)
		count = 10 * count + (unsigned)(*end - '0');
	for (; lines < count; lines++) {
		line = search_pass_line_end(text, end);
		line = line != NULL ? key_line_end(text, line, lines == 0 ? FIRST_MIN : 1) : NULL;
		if (line == NULL)
			break;
		end = line;
	}
	*found = (struct search_found){p, end, rule_coded(RULE_PRIVATE_KEY)};
	return lines > 0;
}
