#include "policy/secret/secret.h"

#include "base/number.h"
#include "policy/secret/checks.h"
#include "policy/secret/prose.h"
#include "policy/secret/token.h"

enum { QUOTED_MAX = 2048, HEAD_MAX = 256 };

const char *
secret_pass_blanks(const struct search *text, const char *p)
{
	for (unsigned i = 0; i < SECRET_BLANKS_MAX && p < text->end && secret_is_blank(*p); i++)
		p++;
	return p;
}

const char *
secret_pass_quote(const struct search *text, const char *p, char *quote)
{
	const char *at = p;

	while (at < text->end && at - p < SECRET_BLANKS_MAX && *at == '\\')
		at++;
	*quote = at < text->end && secret_is_quote(*at) ? *at : '\0';
	return *quote != '\0' ? at + 1 : p;
}

static bool
ends_plain(char c, char sign)
{
	return (unsigned char)c <= ' ' || c == 0x7f || secret_is_quote(c) ||
	    strchr(",;<>(){}[]|\\", c) != NULL || (sign == '=' && c == '&');
}

const char *
secret_plain_end(struct search *text, const char *p, char sign)
{
	struct search_run *run = &text->plain[sign != '='];

	if (run->from != NULL && p >= run->from && p <= run->end)
		return run->end;
	run->from = p;
	while (p < text->end && !ends_plain(*p, sign) && !search_is_block(text, p))
		p++;
	run->end = p;
	return p;
}

bool
secret_take(
    struct search *text, const char *p, char sign, enum secret_style *style, struct str *value)
{
	char quote;
	const char *start = secret_pass_quote(text, p, &quote), *end = start;

	if (quote != '\0') {
		*style = SECRET_QUOTED;
		while (end < text->end && end - start < QUOTED_MAX && *end != quote && *end != '\n')
			end++;
		if (end == text->end || *end != quote)
			return false;
		while (end > start && end[-1] == '\\')
			end--;
		*value = str_of(start, (size_t)(end - start));
		return true;
	}
	end = secret_plain_end(text, start, sign);
	if (end < text->end &&
	    (*end == '(' || *end == '[' || *end == '{' || (*end == '<' && sign != '>')))
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

	return !prose_is_hash(value) && (check_kinds(value) & all) != all && prose_is(value);
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
	    is_one_of(value, words, ARRAY_COUNT(words)))
		return true;
	if (first == '<' || (first == '/' && is_path(value)) || has(value, "${") ||
	    has(value, "$(") || has(value, ";base64,") || has(value, "{{") || has(value, "://") ||
	    has(value, "[REDACTED:"))
		return true;
	if (value.len > 1 && (first == '$' || first == '%') &&
	    (byte_is_letter(value.ptr[1]) || value.ptr[1] == '('))
		return true;
	if (value.len > 2 && first == '{' && value.ptr[value.len - 1] == '}')
		return is_name(str_of(value.ptr + 1, value.len - 2));
	return value.len > 1 && (first == '.' || first == '~') &&
	    (value.ptr[1] == '/' || value.ptr[1] == '.');
}

static bool
is_password(struct str value, enum secret_style style)
{
	unsigned kinds = check_kinds(value);
	size_t least = style <= SECRET_ARGUMENT ? 6 : 4;

	if (value.len < least)
		return false;
	if (style > SECRET_ARGUMENT || !is_name(value))
		return true;
	if ((kinds & CHECK_HAS_DIGIT) != 0) /* but a number with a fraction */
		return !has(value, ".") || (kinds & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) != 0;
	return (kinds & CHECK_HAS_OTHER) != 0 && !has(value, "-") && !has(value, "_") &&
	    !has(value, ".") && (unsigned char)value.ptr[0] < 0x80;
}

static bool
is_secret(struct str value, enum secret_style style)
{
	unsigned kinds = check_kinds(value);

	if (value.len < 8 || (kinds & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) == 0)
		return value.len >= 16 && style == SECRET_SHELL;
	if (style == SECRET_SHELL)
		return kinds != CHECK_HAS_UPPER && kinds != (CHECK_HAS_UPPER | CHECK_HAS_OTHER);
	return value.len >= (style == SECRET_QUOTED ? 8 : 12) && !is_name(value);
}

/* Whether the byte at i is none of a text that is drawn at random: it is that of an escape, of a
 * letter that is not ASCII, of a time or an address, or a dot in a version. */
static bool
is_undrawn(struct str value, size_t i)
{
	const char *p = value.ptr + i;

	return (unsigned char)*p >= 0x7f || *p == '\\' || *p == ':' ||
	    (*p == '.' && i > 0 && i + 1 < value.len && byte_is_digit(p[-1]) &&
		byte_is_digit(p[1]));
}

/* Whether the value looks drawn at random, and is no number or path. */
static bool
is_drawn(struct str value, enum rule rule)
{
	enum { LETTERS_MIN = 3, NUMBER_MAX = 24 };
	bool is_short = rule == RULE_PASSWORD && !has(value, "_") && !has(value, ".");
	unsigned letters = 0;

	for (size_t i = 0; i < value.len; i++) {
		letters += byte_is_letter(value.ptr[i]);
		if (is_undrawn(value, i))
			return false;
	}
	if (value.len < (is_short ? 8 : 12) || letters < LETTERS_MIN ||
	    !token_is_random(value, false))
		return false;
	if (value.len <= NUMBER_MAX && str_has_prefix(value, STR("0x")))
		return false;
	if (has(value, "/") && is_path(value))
		return false;
	return prose_is_hash(value) || !prose_is(value);
}

bool
secret_is(struct str value, enum rule rule, enum secret_style style)
{
	if (value.len > HEAD_MAX)
		value.len = HEAD_MAX;
	if (value.len == 0 || memchr(value.ptr, ' ', value.len) != NULL || is_placeholder(value))
		return false;
	if (style == SECRET_PROSE)
		return is_drawn(value, rule);
	return rule == RULE_PASSWORD ? is_password(value, style) : is_secret(value, style);
}

bool
secret_is_passphrase(struct str value)
{
	unsigned kinds = check_kinds(value);

	return value.len <= HEAD_MAX && (kinds & CHECK_HAS_DIGIT) != 0 &&
	    (kinds & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) != 0 &&
	    memchr(value.ptr, ' ', value.len) != NULL && !is_placeholder(value);
}
