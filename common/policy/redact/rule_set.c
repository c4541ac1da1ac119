#include "policy/redact/rule_set.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/bytes.h"

/* U+00AD, U+200B to U+200D, U+2060 and U+FEFF. */
static const struct str widthless[] = {STR_INIT("\xc2\xad"), STR_INIT("\xe2\x80\x8b"),
    STR_INIT("\xe2\x80\x8c"), STR_INIT("\xe2\x80\x8d"), STR_INIT("\xe2\x81\xa0"),
    STR_INIT("\xef\xbb\xbf")};

/* The length of the character without width at p; 0 when there is none. */
static size_t
widthless_len(const char *p, const char *end)
{
	if (*p != '\xc2' && *p != '\xe2' && *p != '\xef')
		return 0;
	for (size_t i = 0; i < ARRAY_COUNT(widthless); i++)
		if (str_has_prefix(str_of(p, (size_t)(end - p)), widthless[i]))
			return widthless[i].len;
	return 0;
}

/* The byte that the escape at p means; '\0' when there is no escape that is decoded. */
static char
escaped_byte(const char *p, const char *end)
{
	unsigned byte;

	if (*p != '%' || end - p < 3 || !alphabet_has(ALPHABET_HEX, p[1]) ||
	    !alphabet_has(ALPHABET_HEX, p[2]))
		return '\0';
	byte = 16 * json_byte_hex(p[1]) + json_byte_hex(p[2]);
	return byte >= ' ' && byte < 0x7f ? (char)byte : '\0';
}

static const char *
pass_widthless(const char *p, const char *end)
{
	for (size_t len; p < end && (len = widthless_len(p, end)) > 0;)
		p += len;
	return p;
}

static bool
has_any(struct str bytes)
{
	const char *end = bytes.ptr + bytes.len;

	for (const char *p = bytes.ptr; p < end; p++)
		if ((unsigned char)*p >= 0x80 ? widthless_len(p, end) > 0 :
						*p == '%' && escaped_byte(p, end) != '\0')
			return true;
	return false;
}

/* Folds the bytes, which have JSON_PADDING readable ones after them and stay as long as the folded
 * text is asked for. folded is zeroed, or was opened before. */
static void
folded_open(struct rule_set_folded *folded, struct str bytes)
{
	const char *end = bytes.ptr + bytes.len;

	folded->text = bytes;
	folded->from = bytes.ptr;
	folded->end = end;
	folded->at = 0;
	buf_reset(&folded->buf);
	if (!has_any(bytes))
		return;
	for (const char *p = pass_widthless(bytes.ptr, end); p < end; p = pass_widthless(p, end)) {
		char byte = escaped_byte(p, end);

		buf_add_char(&folded->buf, byte != '\0' ? byte : *p);
		p += byte != '\0' ? 3 : 1;
	}
	buf_pad(&folded->buf);
	folded->text = buf_str(&folded->buf);
}

/* Goes on to a place of the text. */
static void
move(struct rule_set_folded *folded, const char *p)
{
	size_t at = (size_t)(p - folded->text.ptr);

	while (folded->at < at) {
		folded->from = pass_widthless(folded->from, folded->end);
		folded->from += escaped_byte(folded->from, folded->end) != '\0' ? 3 : 1;
		folded->at++;
	}
}

/* Where the bytes from start to end of the text come from. No call may ask for a place before one
 * that an earlier one asked for. */
static struct str
folded_origin(struct rule_set_folded *folded, const char *start, const char *end)
{
	const char *from;

	if (folded->buf.len == 0)
		return str_of(start, (size_t)(end - start));
	move(folded, start);
	from = pass_widthless(folded->from, folded->end);
	move(folded, end);
	return str_of(from, (size_t)(folded->from - from));
}

/* The text before a find is searched again, and the text before that find, so many times. */
enum { AGAIN = 8 };

static const struct str mark_head = STR_INIT("[REDACTED:");

void
rule_set_init(struct rule_set *set, unsigned kinds)
{
	*set = (struct rule_set){.pattern_count = 0};
	finder_init(&set->finder, kinds);
}

bool
rule_set_add(struct rule_set *set, const char *text, struct buf *message)
{
	struct pattern pattern;

	if (!pattern_parse(&pattern, text, message))
		return false;
	for (unsigned i = 0; i < set->pattern_count; i++)
		if (str_eq(set->pattern[i].name, pattern.name))
			buf_add_str(message, STR("the name is taken"));
	if (message->len > 0 || set->pattern_count == RULE_PATTERNS_MAX) {
		pattern_free(&pattern);
		return false;
	}
	LIST_ADD(set->pattern, set->pattern_count, set->pattern_cap, pattern);
	return true;
}

struct str
rule_set_name(const struct rule_set *set, unsigned rule)
{
	unsigned built_in = rules_built_in();

	return rule < built_in ? rule_name(rule) : set->pattern[rule - built_in].name;
}

struct str
rule_set_mark(struct rule_set *set, unsigned rule)
{
	buf_set(&set->mark, mark_head);
	buf_add_str(&set->mark, rule_set_name(set, rule));
	buf_add_char(&set->mark, ']');
	return buf_str(&set->mark);
}

/* The end of the mark that begins at p; NULL when it is of no rule of this run. */
static const char *
mark_end(const struct rule_set *set, const char *p, const char *end)
{
	struct str name;

	name.ptr = p += mark_head.len;
	while (p < end && alphabet_has(ALPHABET_DOTTED, *p))
		p++;
	name.len = (size_t)(p - name.ptr);
	if (p == end || *p != ']')
		return NULL;
	for (unsigned rule = 0; rule < rules_built_in() + set->pattern_count; rule++)
		if (str_eq(name, rule_set_name(set, rule)))
			return p + 1;
	return NULL;
}

/* Finds by the rules built in, in a part of the string that has no mark and no match. The
 * text before a find is searched again as a text that ends there, as a second run does: so
 * "+49 30 1234567 (415) 555-0132" is two numbers, though it is none by itself. */
static void
find_again(struct rule_set *set, const char *start, const char *end, unsigned again)
{
	struct rule_set_folded *folded = &set->folded;
	struct search text;
	struct search_found found;
	struct str origin;

	search_open(&text, start, end);
	while (finder_next(&set->finder, &text, &found)) {
		if (again > 0)
			find_again(set, start, found.start, again - 1);
		start = found.end;
		origin = folded_origin(folded, found.start, found.end);
		found.start = origin.ptr;
		found.end = origin.ptr + origin.len;
		set->found(set->context, &found);
	}
}

/* A part of the string: whether a line begins and ends with it. */
struct piece {
	const char *start, *end;
	bool before, behind;
};

/* Finds by the patterns from number on, each in what the ones before it left. */
static void
find_patterns(struct rule_set *set, unsigned number, struct piece piece)
{
	struct search_found found;
	struct piece left = piece;
	struct str text;

	if (number == set->pattern_count) {
		folded_open(&set->folded, str_of(piece.start, (size_t)(piece.end - piece.start)));
		text = set->folded.text;
		find_again(set, text.ptr, text.ptr + text.len, AGAIN);
		return;
	}
	found.rule = rules_built_in() + number;
	while (pattern_next(
	    &set->pattern[number], &found, left.start, left.end, left.before, left.behind)) {
		struct piece first = {left.start, found.start, left.before, false};

		find_patterns(set, number + 1, first);
		set->found(set->context, &found);
		left.start = found.end;
		left.before = false;
	}
	find_patterns(set, number + 1, left);
}

void
rule_set_find(struct rule_set *set, struct str text,
    void (*found)(void *context, const struct search_found *found), void *context)
{
	struct piece piece = {text.ptr, text.ptr + text.len, true, true};
	const char *end = piece.end;

	set->found = found;
	set->context = context;
	for (const char *p = piece.start;;) {
		const char *mark = str_find(str_of(p, (size_t)(end - p)), mark_head);
		const char *behind = mark != NULL ? mark_end(set, mark, end) : NULL;

		if (mark != NULL && behind == NULL) {
			p = mark + 1;
			continue;
		}
		if (mark == NULL) {
			find_patterns(set, 0, piece);
			return;
		}
		piece.end = mark;
		piece.behind = false;
		find_patterns(set, 0, piece);
		piece = (struct piece){behind, end, false, true};
		p = behind;
	}
}

void
rule_set_free(struct rule_set *set)
{
	for (unsigned i = 0; i < set->pattern_count; i++)
		pattern_free(&set->pattern[i]);
	free(set->pattern);
	buf_free(&set->folded.buf);
	buf_free(&set->mark);
}
