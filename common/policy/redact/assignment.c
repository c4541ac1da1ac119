#include "policy/redact/assignment.h"

#include "policy/redact/secret.h"
#include "policy/redact/token.h"

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

enum { LOOK_BACK = 48, SUFFIXES_MAX = 4 };

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
	for (unsigned i = 0; i < SECRET_BLANKS_MAX && secret_is_blank(*end); i++)
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
	if (end > p && end < text->end && secret_is_blank(*end))
		p = secret_pass_blanks(text, end);
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
	enum secret_style style = SECRET_PLAIN;
	struct str value;
	char quote;
	const char *name = p, *end = p + word->word.len, *sign;

	if (!search_is_word(text, p, word->word) || !look_back(text, p, &is_capital))
		return false;
	end = pass_suffix(text, end, &has_key);
	if (word->rule == RULE_KEY_VALUE && !has_key)
		return false;
	end = secret_pass_quote(text, end, &quote);
	end += quote != '\0' && end < text->end && *end == ']';
	sign = secret_pass_blanks(text, end);
	p = pass_sign(text, sign);
	if (p == NULL)
		return false;
	if (is_capital && quote == '\0' && sign == end && *sign == '=' && !secret_is_blank(*p))
		style = SECRET_SHELL;
	p = secret_pass_blanks(text, p);
	if (word->rule == RULE_BASIC_AUTH) {
		p = secret_pass_quote(text, p, &quote);
		return match_header(text, p, found);
	}
	if (!secret_take(text, p, *sign, &style, &value) || !secret_is(value, word->rule, style) ||
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
			return secret_is(
				   value, word->rule, is_capital ? SECRET_SHELL : SECRET_QUOTED) ||
			    (word->rule == RULE_PASSWORD && secret_is_passphrase(value));
		}
	return false;
}

bool
assignment_hint_bearer(const char *p)
{
	struct search text;

	search_open(&text, p, p + 16);
	return search_is_word(&text, p, STR("bearer")) &&
	    (secret_is_blank(p[6]) || p[6] == '%' || p[6] == '\\' || p[6] == ':' || p[6] == '=');
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
	p = secret_pass_blanks(text, p);
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
	    c == '>' || c == '\\' || secret_is_quote(c);
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
	if (secret.len == 0 || str_find(secret, STR("${")) != NULL ||
	    str_find(secret, STR("{{")) != NULL || *p == '$' || *p == '{' || *p == '*' ||
	    is_token(text, secret))
		return false;
	if (colon == NULL && (secret.len < ALONE_MIN || !token_is_random(secret, true)))
		return false;
	*found = (struct search_found){p, at, rule_coded(RULE_URL_PASSWORD)};
	return true;
}
