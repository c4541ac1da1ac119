#include "policy/secret/link.h"

/* Where the value ends, besides at its own end. */
enum ending {
	ENDING_ANY,
	ENDING_ARGUMENT, /* so too; another option is none */
	ENDING_TAG,      /* before a tag or at the end of a line */
	ENDING_CLOSING,  /* before the closing tag of the name */
};

/*
 * The forms. Between a name and its value may be these, each of which may be missing unless said
 * otherwise:
 *
 *     -   the name is that of an option, and is not missing
 *     "   a quote
 *     ]   itself, after a quote
 *     *   asterisks, which end an emphasis
 *     _   blanks
 *     =   a sign, which is not missing
 *     ?   a sign
 *     g   words from a preposition on, if a copula or a sign follows them
 *     w   copulas
 *     n   blanks; line ends and the beginning of a block of code, after a sign or a copula.
 *         One of these is not missing.
 *     >   itself, and is not missing
 *     <   the tags about the name and the value; one ">" is not missing
 *     v   the name "value", and is not missing
 *     |   the beginning of a block in YAML and a line end, and is not missing
 *     ,   a comma, after a quote and before one, and is not missing
 */
static const struct row {
	const char *form;
	enum ending ending;
	enum secret_style style;
} rows[LINK_ROWS] = {
    [LINK_SIGN] = {"\"]*_=*_", ENDING_ANY, SECRET_PLAIN},
    {"\"_=_|_", ENDING_ANY, SECRET_PLAIN},
    [LINK_OPTION] = {"-n", ENDING_ARGUMENT, SECRET_ARGUMENT},
    {">", ENDING_CLOSING, SECRET_QUOTED},
    {"\"v_=_", ENDING_ANY, SECRET_PLAIN},
    {"\"?<", ENDING_TAG, SECRET_PROSE},
    {"\",", ENDING_ANY, SECRET_PROSE},
    {"\"*gw_?*n", ENDING_ANY, SECRET_PROSE},
};

static const struct str copulas[] = {STR_INIT("is"), STR_INIT("are"), STR_INIT("was"),
    STR_INIT("were"), STR_INIT("be"), STR_INIT("been"), STR_INIT("to"), STR_INIT("now"),
    STR_INIT("set"), STR_INIT("has"), STR_INIT("should"), STR_INIT("will"), STR_INIT("must"),
    STR_INIT("changed"), STR_INIT("reset"), STR_INIT("equals"), STR_INIT("as"), STR_INIT("still"),
    STR_INIT("follows"), STR_INIT("|"), STR_INIT("-"), STR_INIT("->"), STR_INIT("\xe2\x80\x93"),
    STR_INIT("\xe2\x80\x94"), STR_INIT("\xe2\x86\x92")};

static const struct str prepositions[] = {STR_INIT("for"), STR_INIT("of"), STR_INIT("in"),
    STR_INIT("on"), STR_INIT("at"), STR_INIT("from")};

enum { WORDS_MAX = 6, TAG_MAX = 64, OPTION_MAX = 48 };

/* What is passed: the text, the name, and what was passed so far. */
struct link {
	const struct search *text;
	const struct link_name *name;
	char quote, sign;
	bool is_linked; /* by a sign or a copula */
	bool is_code;   /* by "=" or ":=" with a blank before it */
};

/* The length of the word at p that is one of these; 0 when there is none. */
static size_t
word_len(const struct search *text, const char *p, const struct str *words, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *end = p + words[i].len;

		if (search_is_word(text, p, words[i]) &&
		    (end == text->end || strchr(" \t\r\n\\:=*", *end) != NULL))
			return words[i].len;
	}
	return 0;
}

static size_t
copula_len(const struct search *text, const char *p)
{
	return word_len(text, p, copulas, ARRAY_COUNT(copulas));
}

static size_t
preposition_len(const struct search *text, const char *p)
{
	return word_len(text, p, prepositions, ARRAY_COUNT(prepositions));
}

/* Behind the sign that a value follows; NULL when there is none. */
static const char *
pass_sign(const struct search *text, const char *p)
{
	char next = text->end - p > 1 ? p[1] : '\0';

	if (p >= text->end)
		return NULL;
	if (*p == '=' && next != '=' && next != '~')
		return p + 1 + (next == '>');
	if (*p == ':' && next != ':')
		return p + 1 + (next == '=');
	return NULL;
}

/* Behind the asterisks at p, if they end something. */
static const char *
pass_emphasis(const struct search *text, const char *p)
{
	const char *end = p;

	while (end < text->end && end - p < 3 && *end == '*')
		end++;
	return end == text->end || strchr(" \t\r\n\\:=", *end) != NULL ? end : p;
}

/* Behind a preposition and the words of a name: "for the tides of ann". p when no copula and no
 * sign follows them. */
static const char *
pass_gap(const struct search *text, const char *p)
{
	const char *at = secret_pass_blanks(text, p), *end, *next;
	char quote;

	if (at == p || preposition_len(text, at) == 0)
		return p;
	for (unsigned i = 0; i < WORDS_MAX; i++) {
		at = secret_pass_quote(text, at, &quote);
		for (end = at; end < text->end && end - at < TAG_MAX &&
		     (alphabet_has(ALPHABET_DOTTED, *end) || *end == '@');)
			end++;
		if (end == at || end[-1] == '.')
			return p;
		end = secret_pass_quote(text, end, &quote);
		at = secret_pass_blanks(text, end);
		next = pass_sign(text, at);
		if ((next != NULL && next < text->end && strchr(" \t\r\n\\*", *next) != NULL) ||
		    (at > end && copula_len(text, at) > 0))
			return end;
		if (at == end)
			return p;
	}
	return p;
}

static const char *
pass_copulas(struct link *link, const char *p)
{
	for (unsigned i = 0; i < WORDS_MAX; i++) {
		const char *at = secret_pass_blanks(link->text, p);
		size_t len = at > p ? copula_len(link->text, at) : 0;

		if (len == 0)
			break;
		p = at + len;
		link->is_linked = true;
	}
	return p;
}

/* The place after the beginning of a block of code at p and its line end. */
static const char *
pass_fence(const struct search *text, const char *p)
{
	const char *end = p + 3, *next;

	if (text->end - p < 3 || memcmp(p, "```", 3) != 0)
		return p;
	while (end < text->end && end - p < TAG_MAX && alphabet_has(ALPHABET_DASH, *end))
		end++;
	next = search_pass_line_end(text, end);
	return next != NULL ? next : p;
}

static const char *
pass_lines(const struct link *link, const char *p)
{
	enum { LINES_MAX = 3 };
	const char *at = secret_pass_blanks(link->text, p), *next;

	for (unsigned i = 0; link->is_linked && i < LINES_MAX; i++) {
		next = search_pass_line_end(link->text, at);
		if (next == NULL)
			break;
		at = pass_fence(link->text, secret_pass_blanks(link->text, next));
		at = secret_pass_blanks(link->text, at);
	}
	return at;
}

/* The place after the tags at p, from within the tag of the name on, and what separates them. */
static const char *
pass_tags(const struct search *text, const char *p)
{
	const char *last = NULL, *at = p, *next;
	bool is_open = *p != '<';

	while (at < text->end && at - p < TAG_MAX) {
		if (is_open && *at == '>') {
			is_open = false;
			last = at + 1;
		} else if (!is_open && *at == '<') {
			is_open = true;
		} else if (!is_open || at == p) {
			next = search_pass_line_end(text, at);
			if (next == NULL && !secret_is_blank(*at))
				break;
			at = next != NULL ? next - 1 : at;
		}
		at++;
	}
	return is_open ? NULL : last != NULL ? at : NULL;
}

/* Behind the name of a value, with a comma, a line end and quotes before and after it. */
static const char *
pass_value_name(struct link *link, const char *p)
{
	static const struct str value = STR_INIT("value");
	const struct search *text = link->text;
	char quote;

	p += p < text->end && *p == ',';
	link->is_linked = true;
	p = secret_pass_quote(text, pass_lines(link, p), &quote);
	return search_is_word(text, p, value) ? secret_pass_quote(text, p + value.len, &quote) :
						NULL;
}

/* Behind the indicators of a block in YAML, such as ">-", and its line end. */
static const char *
pass_block(const struct search *text, const char *p)
{
	const char *end = p + 1;

	if (p >= text->end || (*p != '|' && *p != '>'))
		return NULL;
	while (end < text->end && end - p < 3 && strchr("+-123456789", *end) != NULL)
		end++;
	return search_pass_line_end(text, end);
}

/* Whether the name is that of an option: -NAME, --a-NAME. */
static bool
is_option(const struct link *link)
{
	const char *p = link->name->start, *free = link->text->free;
	const char *least = p - free > OPTION_MAX ? p - OPTION_MAX : free;

	while (p > least && alphabet_has(ALPHABET_DASH, p[-1]))
		p--;
	return *p == '-' && (p == free || !alphabet_has(ALPHABET_DOTTED, p[-1]));
}

/* The place after the text that the byte of a form means; NULL if the text is missing, but may not
 * be. */
static const char *
pass_one(struct link *link, char what, const char *p)
{
	const struct search *text = link->text;
	const char *at;

	switch (what) {
	case '-':
		return is_option(link) && p < text->end && secret_is_blank(*p) ? p : NULL;
	case '"':
		return secret_pass_quote(text, p, &link->quote);
	case ']':
		return p + (link->quote != '\0' && p < text->end && *p == ']');
	case '*':
		return pass_emphasis(text, p);
	case '_':
		return secret_pass_blanks(text, p);
	case '=':
	case '?':
		at = pass_sign(text, p);
		if (at == NULL)
			return what == '=' ? NULL : p;
		link->sign = *p;
		link->is_linked = true;
		link->is_code = secret_is_blank(p[-1]) && (*p == '=' || at[-1] == '=');
		return at;
	case 'g':
		return pass_gap(text, p);
	case 'w':
		return pass_copulas(link, p);
	case 'n':
		at = pass_lines(link, p);
		return link->is_linked || secret_is_blank(at[-1]) ? at : NULL;
	case '>':
		return p < text->end && *p == '>' ? p + 1 : NULL;
	case '<':
		return p < text->end ? pass_tags(text, p) : NULL;
	case 'v':
		return pass_value_name(link, p);
	case '|':
		return pass_block(text, p);
	default:
		if (link->quote == '\0' || text->end - p < 2 || *p != what)
			return NULL;
		at = secret_pass_blanks(text, p + 1);
		return secret_pass_quote(text, at, &link->quote) > at ? at : NULL;
	}
}

const char *
link_pass(const struct search *text, const struct link_name *name, unsigned row, char *sign,
    enum secret_style *style)
{
	struct link link = {text, name, '\0', ':', false, false};
	const char *p = name->end;

	for (const char *form = rows[row].form; *form != '\0' && p != NULL; form++)
		p = pass_one(&link, *form, p);
	*sign = rows[row].ending >= ENDING_TAG ? '>' : link.sign;
	*style = rows[row].style;
	if (row == LINK_SIGN && name->is_capital && p == name->end + 1 && *name->end == '=')
		*style = SECRET_SHELL;
	else if (p != NULL && *style == SECRET_PLAIN && is_option(&link))
		*style = SECRET_ARGUMENT;
	else if (p != NULL && *style == SECRET_PLAIN && link.is_code && secret_is_blank(p[-1]))
		*style = SECRET_CODE;
	return p;
}

/* Whether the value of an element ends at p as the row says. */
static bool
ends_value(
    const struct search *text, const struct link_name *name, enum ending ending, const char *p)
{
	size_t len = (size_t)(name->end - name->start);
	const char *most = text->end - p > TAG_MAX ? p + TAG_MAX : text->end, *end;

	if (ending < ENDING_TAG)
		return true;
	p = secret_pass_blanks(text, p);
	if (ending == ENDING_TAG)
		return p == text->end || *p == '<' || search_pass_line_end(text, p) != NULL;
	if (most - p < 2 || p[0] != '<' || p[1] != '/')
		return false;
	end = memchr(p, '>', (size_t)(most - p));
	return end != NULL && (size_t)(end - p) > len && memcmp(end - len, name->start, len) == 0;
}

bool
link_take(struct search *text, const struct link_name *name, unsigned row, enum secret_style *style,
    struct str *value)
{
	char sign;
	const char *p = link_pass(text, name, row, &sign, style);

	if (p == NULL || p >= text->end || (rows[row].ending == ENDING_ARGUMENT && *p == '-'))
		return false;
	while (*style == SECRET_PROSE && p < text->end && *p == '*')
		p++;
	if (!secret_take(text, p, sign, style, value))
		return false;
	if (rows[row].style == SECRET_PROSE) {
		*style = SECRET_PROSE;
		while (value->len > 0 && strchr("*.:", value->ptr[value->len - 1]) != NULL)
			value->len--;
	}
	return ends_value(text, name, rows[row].ending, value->ptr + value->len);
}

bool
link_hint(const char *p)
{
	enum { LOOK = 32 };
	struct search text;
	const char *end = p;

	if (!secret_is_blank(*p))
		return strchr("=:%\"'`\\>*<", *p) != NULL;
	search_open(&text, p, p + LOOK);
	p = secret_pass_blanks(&text, p);
	for (end = p; end < text.end && *end >= 'a' && *end <= 'z'; end++)
		;
	if (text.end - end > 1 && *end == '.' && alphabet_has(ALPHABET_ALNUM, end[1]))
		return true;
	/* a word of small letters alone is no value */
	return end == text.end || strchr(" ,;.)\\\"'", *end) == NULL || end == p ||
	    copula_len(&text, p) > 0 || preposition_len(&text, p) > 0;
}
