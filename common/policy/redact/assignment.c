#include "policy/redact/assignment.h"

#include "base/number.h"
#include "policy/redact/checks.h"
#include "policy/redact/token.h"
#include "policy/redact/words.h"

const struct assignment_word assignment_words[] = {
    {STR_INIT("token"), RULE_TOKEN_VALUE},
    {STR_INIT("secret"), RULE_SECRET_VALUE},
    {STR_INIT("password"), RULE_PASSWORD},
    {STR_INIT("passwd"), RULE_PASSWORD},
    {STR_INIT("passphrase"), RULE_PASSWORD},
    {STR_INIT("pwd"), RULE_PASSWORD},
    {STR_INIT("api"), RULE_KEY_VALUE},
    {STR_INIT("access"), RULE_KEY_VALUE},
    {STR_INIT("private"), RULE_KEY_VALUE},
    {STR_INIT("encryption"), RULE_KEY_VALUE},
    {STR_INIT("signing"), RULE_KEY_VALUE},
    {STR_INIT("auth"), RULE_KEY_VALUE},
    {STR_INIT("account"), RULE_KEY_VALUE},
    {STR_INIT("master"), RULE_KEY_VALUE},
    {STR_INIT("authorization"), RULE_BASIC_AUTH},
};

const unsigned assignment_word_count = sizeof assignment_words / sizeof assignment_words[0];

_Static_assert(sizeof assignment_words / sizeof assignment_words[0] <= ASSIGNMENT_WORDS_MAX,
    "a finder has room for all");

enum { BLANKS_MAX = 8, QUOTED_MAX = 2048, LOOK_BACK = 48, SUFFIXES_MAX = 4, HEAD_MAX = 256 };

/* How a value is written. */
enum style {
	STYLE_PLAIN,
	STYLE_QUOTED,
	STYLE_SHELL, /* NAME=value */
};

static bool
is_quote(char c)
{
	return c == '"' || c == '\'' || c == '`';
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_separator(char c)
{
	return c == '_' || c == '-';
}

/* Whether a name may go on at p. */
static bool
hint_suffix(const char *p)
{
	return strchr("kabv", *p | 0x20) != NULL;
}

bool
assignment_hint_word(const struct assignment_word *word, const char *p)
{
	struct search text;
	const char *end = p + word->word.len;

	search_open(&text, p, p + 32);
	if (!search_is_word(&text, p, word->word))
		return false;
	if (word->rule == RULE_KEY_VALUE)
		return search_is_word(&text, end + is_separator(*end), STR("key"));
	if (is_separator(*end))
		return hint_suffix(end + 1);
	for (unsigned i = 0; i < BLANKS_MAX && is_blank(*end); i++)
		end++;
	return strchr("=:%\"'`\\", *end) != NULL || (end == p + word->word.len && hint_suffix(end));
}

/* Behind the words that a name may go on with: secret_access_key, SECRET_KEY_BASE. Sets *has_key
 * when one of them is "key". */
static const char *
pass_suffix(const struct search *text, const char *p, bool *has_key)
{
	static const struct str words[] = {
	    STR_INIT("key"), STR_INIT("access"), STR_INIT("base"), STR_INIT("value")};

	*has_key = false;
	for (unsigned i = 0, taken = 0;
	     taken < SUFFIXES_MAX && i < sizeof words / sizeof words[0];) {
		const char *at = p + (p < text->end && is_separator(*p));

		if (!search_is_word(text, at, words[i])) {
			i++;
			continue;
		}
		*has_key |= i == 0;
		p = at + words[i].len;
		taken++;
		i = 0;
	}
	return p;
}

static const char *
pass_blanks(const struct search *text, const char *p)
{
	for (unsigned i = 0; i < BLANKS_MAX && p < text->end && is_blank(*p); i++)
		p++;
	return p;
}

/* Behind a quote with the backslashes before it, when there is one at p. Sets *quote to the
 * quote, or to 0. */
static const char *
pass_quote(const struct search *text, const char *p, char *quote)
{
	const char *at = p;

	while (at < text->end && at - p < BLANKS_MAX && *at == '\\')
		at++;
	*quote = at < text->end && is_quote(*at) ? *at : '\0';
	return *quote != '\0' ? at + 1 : p;
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

static bool
ends_plain(char c, char sign)
{
	return (unsigned char)c <= ' ' || c == 0x7f || is_quote(c) ||
	    strchr(",;<>(){}[]|\\", c) != NULL || (sign == '=' && c == '&');
}

/* The end of the value at p that stands without quotes. A long one is walked once. */
static const char *
plain_end(struct search *text, const char *p, char sign)
{
	struct search_run *run = &text->plain[sign == ':'];

	if (run->from != NULL && p >= run->from && p <= run->end)
		return run->end;
	run->from = p;
	while (p < text->end && !ends_plain(*p, sign) && !search_is_block(text, p))
		p++;
	run->end = p;
	return p;
}

/* The value at p. Returns false where an expression stands, or no end of a quoted value. */
static bool
take_value(struct search *text, const char *p, char sign, enum style *style, struct str *value)
{
	char quote;
	const char *start = pass_quote(text, p, &quote), *end = start;

	if (quote != '\0') {
		*style = STYLE_QUOTED;
		while (end < text->end && end - start < QUOTED_MAX && *end != quote && *end != '\n')
			end++;
		if (end == text->end || *end != quote)
			return false;
		while (end > start && end[-1] == '\\')
			end--;
		*value = str_of(start, (size_t)(end - start));
		return true;
	}
	end = plain_end(text, start, sign);
	if (end < text->end && (*end == '(' || *end == '[' || *end == '{' || *end == '<'))
		return false;
	while (end > start && end[-1] == '.') /* that of a sentence */
		end--;
	*value = str_of(start, (size_t)(end - start));
	return true;
}

static bool
has(struct str value, const char *what)
{
	return str_find(value, str_from(what)) != NULL;
}

static bool
is_one_of(struct str value, const struct str *words, size_t count)
{
	struct search text;

	search_open(&text, value.ptr, value.ptr + value.len);
	for (size_t i = 0; i < count; i++)
		if (words[i].len == value.len && search_is_word(&text, value.ptr, words[i]))
			return true;
	return false;
}

/* Whether a value that begins with a slash is no base64. */
static bool
is_path(struct str value)
{
	return token_changes(value) < number_least(value.len, 64) / 3;
}

/* Whether the value may be a name in a program: words, perhaps with numbers. */
static bool
is_name(struct str value)
{
	const unsigned all = CHECK_HAS_DIGIT | CHECK_HAS_LOWER | CHECK_HAS_UPPER;

	return !words_are_hash(value) && (check_kinds(value) & all) != all && words_are(value);
}

/* Whether it says whose value belongs there: your_api_key. */
static bool
begins_with_your(struct str value)
{
	struct search text;

	search_open(&text, value.ptr, value.ptr + value.len);
	return search_is_word(&text, value.ptr, STR("your")) && is_name(value);
}

/* Whether the value stands for another one, or for none. */
static bool
is_placeholder(struct str value)
{
	static const struct str words[] = {STR_INIT("null"), STR_INIT("none"), STR_INIT("true"),
	    STR_INIT("false"), STR_INIT("undefined"), STR_INIT("string"), STR_INIT("required"),
	    STR_INIT("optional"), STR_INIT("password"), STR_INIT("passwd"), STR_INIT("secret"),
	    STR_INIT("token"), STR_INIT("text"), STR_INIT("boolean"), STR_INIT("object"),
	    STR_INIT("hidden"), STR_INIT("redacted"), STR_INIT("masked"), STR_INIT("empty"),
	    STR_INIT("str | none"), STR_INIT("optional[str]"), STR_INIT("bytes")};
	char first = value.ptr[0];

	if (check_variety(value) < 3 || begins_with_your(value) ||
	    is_one_of(value, words, sizeof words / sizeof words[0]))
		return true;
	if (first == '<' || (first == '/' && is_path(value)) || has(value, "${") ||
	    has(value, "$(") || has(value, ";base64,") || has(value, "{{") || has(value, "://") ||
	    has(value, "[REDACTED:"))
		return true;
	if (value.len > 1 && (first == '$' || first == '%') &&
	    (alphabet_is_letter(value.ptr[1]) || value.ptr[1] == '('))
		return true;
	return value.len > 1 && (first == '.' || first == '~') &&
	    (value.ptr[1] == '/' || value.ptr[1] == '.');
}

static bool
is_password(struct str value, enum style style)
{
	unsigned kinds = check_kinds(value);
	size_t least = style == STYLE_PLAIN ? 6 : 4;

	if (value.len < least)
		return false;
	if (style != STYLE_PLAIN)
		return true;
	if (memchr(value.ptr, '.', value.len) != NULL || memchr(value.ptr, '_', value.len) != NULL)
		return !is_name(value);
	return (kinds & CHECK_HAS_DIGIT) != 0 || !is_name(value) ||
	    ((kinds & CHECK_HAS_OTHER) != 0 && memchr(value.ptr, '-', value.len) == NULL &&
		(unsigned char)value.ptr[0] < 0x80);
}

static bool
is_secret(struct str value, enum style style)
{
	unsigned kinds = check_kinds(value);

	if (value.len < 8 || (kinds & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) == 0)
		return value.len >= 16 && style == STYLE_SHELL;
	if (style == STYLE_SHELL)
		return kinds != CHECK_HAS_UPPER && kinds != (CHECK_HAS_UPPER | CHECK_HAS_OTHER);
	return value.len >= (style == STYLE_QUOTED ? 8 : 12) && !is_name(value);
}

static bool
is_value(struct str value, enum rule rule, enum style style)
{
	if (value.len > HEAD_MAX)
		value.len = HEAD_MAX;
	if (value.len == 0 || memchr(value.ptr, ' ', value.len) != NULL || is_placeholder(value))
		return false;
	return rule == RULE_PASSWORD ? is_password(value, style) : is_secret(value, style);
}

/* Whether a value with spaces is a password: prose about one seldom has a digit. */
static bool
is_passphrase(struct str value)
{
	unsigned kinds = check_kinds(value);

	return value.len <= HEAD_MAX && (kinds & CHECK_HAS_DIGIT) != 0 &&
	    (kinds & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) != 0 &&
	    memchr(value.ptr, ' ', value.len) != NULL && !is_placeholder(value);
}

/* Whether the name that goes on at p is one of an environment, or another one that is no secret: a
 * place in a list of pages. */
static bool
look_back(const struct search *text, const char *p, bool *is_capital)
{
	static const struct str pages[] = {
	    STR_INIT("page"), STR_INIT("next"), STR_INIT("continuation"), STR_INIT("cancellation")};
	const char *least = p - text->free > LOOK_BACK ? p - LOOK_BACK : text->free;
	const char *end = p > least && is_separator(p[-1]) ? p - 1 : p;

	for (unsigned i = 0; i < sizeof pages / sizeof pages[0]; i++)
		if ((size_t)(end - least) >= pages[i].len &&
		    search_is_word(text, end - pages[i].len, pages[i]))
			return false;
	*is_capital = *p <= 'Z';
	while (*is_capital && p > least && alphabet_has(ALPHABET_WORD, p[-1]) &&
	    (p[-1] == '_' || !search_begins(text, p)))
		*is_capital = *--p <= 'Z' || *p == '_';
	return true;
}

/* The value behind the scheme of an Authorization header. */
static bool
match_header(struct search *text, const char *p, struct search_found *found)
{
	enum { SCHEME_MAX = 12, VALUE_MIN = 8 };
	const char *end = p;
	bool is_bearer = search_is_word(text, p, STR("bearer"));

	while (end < text->end && end - p < SCHEME_MAX && alphabet_is_letter(*end))
		end++;
	if (end > p && end < text->end && is_blank(*end))
		p = pass_blanks(text, end);
	end = search_run_end(text, p, ALPHABET_TOKEN);
	while (end > p && end[-1] == '.')
		end--;
	*found =
	    (struct search_found){p, end, rule_coded(is_bearer ? RULE_BEARER : RULE_BASIC_AUTH)};
	return end - p >= VALUE_MIN &&
	    token_is_random(str_of(p, (size_t)(end - p)), end - p < 16) && search_ends(text, end);
}

/* A token that is the whole value is named by its own rule. */
static bool
is_token(struct search *text, struct str value)
{
	struct search_found found;

	return (token_match_any(text, value.ptr, &found) ||
		   token_match_jwt(text, value.ptr, &found)) &&
	    found.end == value.ptr + value.len;
}

bool
assignment_match_word(struct search *text, const char *p, const struct assignment_word *word,
    struct search_found *found)
{
	bool is_capital, has_key;
	enum style style = STYLE_PLAIN;
	struct str value;
	char quote;
	const char *name = p, *end = p + word->word.len, *sign;

	if (!search_is_word(text, p, word->word) || !look_back(text, p, &is_capital))
		return false;
	end = pass_suffix(text, end, &has_key);
	if (word->rule == RULE_KEY_VALUE && !has_key)
		return false;
	end = pass_quote(text, end, &quote);
	end += quote != '\0' && end < text->end && *end == ']';
	sign = pass_blanks(text, end);
	p = pass_sign(text, sign);
	if (p == NULL)
		return false;
	if (is_capital && quote == '\0' && sign == end && *sign == '=' && !is_blank(*p))
		style = STYLE_SHELL;
	p = pass_blanks(text, p);
	if (word->rule == RULE_BASIC_AUTH) {
		p = pass_quote(text, p, &quote);
		return match_header(text, p, found);
	}
	if (!take_value(text, p, *sign, &style, &value) || !is_value(value, word->rule, style) ||
	    is_token(text, value) || name < text->free || value.ptr < text->free)
		return false;
	*found = (struct search_found){value.ptr, value.ptr + value.len, rule_coded(word->rule)};
	return true;
}

/* Whether the name ends with the word and what it may go on with, at p. */
static bool
ends_name(
    const struct search *name, const char *p, const struct assignment_word *word, bool *is_capital)
{
	bool has_key;

	return search_is_word(name, p, word->word) &&
	    pass_suffix(name, p + word->word.len, &has_key) == name->end &&
	    (word->rule != RULE_KEY_VALUE || has_key) && look_back(name, p, is_capital);
}

bool
assignment_match_member(struct str name, struct str value, struct search_found *found)
{
	struct search text, whole;
	bool is_capital;

	if (name.len > 2 * LOOK_BACK)
		return false;
	search_open(&text, name.ptr, name.ptr + name.len);
	search_open(&whole, value.ptr, value.ptr + value.len);
	*found = (struct search_found){whole.start, whole.end, 0};
	for (unsigned i = 0; i < assignment_word_count; i++)
		for (const char *p = text.start; p < text.end; p++) {
			const struct assignment_word *word = &assignment_words[i];

			if (!ends_name(&text, p, word, &is_capital))
				continue;
			if (word->rule == RULE_BASIC_AUTH)
				return match_header(&whole, value.ptr, found) &&
				    !is_token(&whole,
					str_of(found->start, (size_t)(found->end - found->start)));
			found->rule = rule_coded(word->rule);
			return is_value(
				   value, word->rule, is_capital ? STYLE_SHELL : STYLE_QUOTED) ||
			    (word->rule == RULE_PASSWORD && is_passphrase(value));
		}
	return false;
}

bool
assignment_hint_bearer(const char *p)
{
	struct search text;

	search_open(&text, p, p + 16);
	return search_is_word(&text, p, STR("bearer")) &&
	    (is_blank(p[6]) || p[6] == '%' || p[6] == '\\' || p[6] == ':' || p[6] == '=');
}

bool
assignment_match_bearer(struct search *text, const char *p, struct search_found *found)
{
	enum { VALUE_MIN = 16 };
	const char *end;

	if (!search_is_word(text, p, STR("bearer")) || !search_begins(text, p))
		return false;
	p += sizeof "bearer" - 1;
	p += p < text->end && (*p == ':' || *p == '=');
	p = pass_blanks(text, p);
	end = search_run_end(text, p, ALPHABET_TOKEN);
	while (end > p && end[-1] == '.')
		end--;
	*found = (struct search_found){p, end, rule_coded(RULE_BEARER)};
	return end - p >= VALUE_MIN && token_is_random(str_of(p, (size_t)(end - p)), true) &&
	    !is_token(text, str_of(p, (size_t)(end - p))) && search_ends(text, end);
}

bool
assignment_hint_url(const char *p)
{
	return p[0] == ':' && (p[1] == '/' || p[1] == '\\');
}

static bool
ends_user(char c)
{
	return (unsigned char)c <= ' ' || c == '/' || c == '?' || c == '#' || c == '<' ||
	    c == '>' || c == '\\' || is_quote(c);
}

bool
assignment_match_url(struct search *text, const char *p, struct search_found *found)
{
	enum { USER_MAX = 1024, ALONE_MIN = 16 };
	const char *user = p + 3, *end = user, *at = NULL, *colon;
	struct str secret;

	if (text->end - p < 4 || memcmp(p, "://", 3) != 0)
		return false;
	for (; end < text->end && end - user < USER_MAX && !ends_user(*end); end++)
		at = *end == '@' ? end : at;
	if (at == NULL)
		return false;
	colon = memchr(user, ':', (size_t)(at - user));
	p = colon != NULL ? colon + 1 : user;
	secret = str_of(p, (size_t)(at - p));
	if (secret.len == 0 || has(secret, "${") || has(secret, "{{") || *p == '$' || *p == '{' ||
	    *p == '*' || is_token(text, secret))
		return false;
	if (colon == NULL && (secret.len < ALONE_MIN || !token_is_random(secret, true)))
		return false;
	*found = (struct search_found){p, at, rule_coded(RULE_URL_PASSWORD)};
	return true;
}
