#include "policy/secret/login.h"

#include "policy/secret/checks.h"
#include "policy/secret/credential.h"
#include "policy/secret/secret.h"
#include "policy/secret/token.h"

static bool
is_space(const struct search *text, const char *p)
{
	return p < text->end && (secret_is_blank(*p) || *p == '\n' || *p == '\r');
}

/* Whether the command ends at p: at the end of a line that does not go on, which may be spelled as
 * an escape, or where another command begins. */
static bool
ends_command(const struct search *text, const char *p, char quote)
{
	if (*p == '\n')
		return p[-1] != '\\';
	if (*p == '\\' && p + 1 < text->end && p[1] == 'n')
		return p[-1] != '\\' || p[-2] != '\\';
	return quote == '\0' && (*p == '|' || ((*p == ';' || *p == '&') && is_space(text, p + 1)));
}

/* Sets *option to the next option of the command from p on, after its first hyphen. */
static bool
next_option(const struct search *text, const char *p, struct str word, const char **option)
{
	char quote = '\0';

	for (; p < text->end && !search_is_word(text, p, word); p++) {
		if (*p == '-' && (is_space(text, p - 1) || secret_is_quote(p[-1]))) {
			*option = p + 1;
			return true;
		}
		if (secret_is_quote(*p) && (quote == '\0' || quote == *p))
			quote = quote == '\0' ? *p : '\0';
		if (ends_command(text, p, quote))
			return false;
	}
	return false;
}

/* An option with an argument: its letter, in either case, and its long names after one hyphen. */
struct option {
	char letter;
	struct str names[2];
};

/* The argument of the option, at p: -u ann:..., -uann:..., -su ann:..., --user=ann:... NULL when it
 * is another option. */
static const char *
pass_argument(const struct search *text, const char *p, const struct option *option)
{
	enum { LETTERS_MAX = 8, NAMES = ARRAY_COUNT(option->names) };
	const char *end = p;

	for (unsigned i = 0; i < NAMES && option->names[i].len > 0; i++) {
		end = p + option->names[i].len;
		if (search_is_word(text, p, option->names[i]) && end < text->end &&
		    (*end == '=' || secret_is_blank(*end)))
			return secret_pass_blanks(text, end + 1);
	}
	if (p < text->end && (*p | 0x20) == option->letter)
		return secret_pass_blanks(text, p + 1);
	for (end = p; end < text->end && end - p < LETTERS_MAX && byte_is_letter(*end); end++)
		;
	return end > p && (end[-1] | 0x20) == option->letter && is_space(text, end) ?
	    secret_pass_blanks(text, end) :
	    NULL;
}

/* The password in USER:PASSWORD, or the user, if that is a key. */
static bool
split_user(struct str value, struct str *secret)
{
	enum { KEY_MIN = 16 };
	const char *colon = memchr(value.ptr, ':', value.len), *end = value.ptr + value.len;

	if (colon == NULL)
		return false;
	*secret = str_of(colon + 1, (size_t)(end - colon - 1));
	if (secret->len > 0)
		return secret_is(*secret, RULE_PASSWORD, SECRET_SHELL) ||
		    secret_is_passphrase(*secret);
	*secret = str_of(value.ptr, (size_t)(colon - value.ptr));
	return secret->len >= KEY_MIN && token_is_random(*secret, true) &&
	    secret_is(*secret, RULE_PASSWORD, SECRET_PLAIN);
}

bool
login_match_user(struct search *text, const char *p, struct str word, struct str *secret)
{
	static const struct option user = {'u', {STR_INIT("-user"), STR_INIT("-proxy-user")}};
	enum secret_style style = SECRET_SHELL;
	const char *argument;
	struct str value;

	while (next_option(text, p, word, &p)) {
		argument = pass_argument(text, p, &user);
		if (argument != NULL && secret_take(text, argument, '=', &style, &value) &&
		    split_user(value, secret))
			return true;
	}
	return false;
}

bool
login_match_cookies(struct search *text, const char *p, struct str word, struct search_found *found)
{
	static const struct option cookie = {.letter = 'b'};
	const char *argument;
	char quote;

	while (next_option(text, p, word, &p)) {
		argument = pass_argument(text, p, &cookie);
		if (argument != NULL &&
		    credential_match_cookies(
			text, secret_pass_quote(text, argument, &quote), found))
			return true;
	}
	return false;
}

/* Whether the value is a port, perhaps with a host: -p3306:3306 of docker. */
static bool
is_port(struct str value)
{
	return memchr(value.ptr, ':', value.len) != NULL &&
	    (check_kinds(value) & (CHECK_HAS_LOWER | CHECK_HAS_UPPER)) == 0;
}

bool
login_match_option(struct search *text, const char *p, struct str word, struct str *secret)
{
	while (next_option(text, p, word, &p)) {
		enum secret_style style = SECRET_PLAIN;

		if (p < text->end && *p == 'p' && secret_take(text, p + 1, '=', &style, secret) &&
		    secret_is(*secret, RULE_PASSWORD, style) && !is_port(*secret))
			return true;
	}
	return false;
}

/* Returns the word at *p, after spaces. Moves *p to the end of the word. */
static struct str
next_word(const struct search *text, const char **p)
{
	enum { SPACES_MAX = 64, WORD_MAX = 256 };
	const char *start = *p, *end;

	while (start - *p < SPACES_MAX && is_space(text, start))
		start++;
	for (end = start; end < text->end && end - start < WORD_MAX; end++)
		if ((unsigned char)*end <= ' ' || secret_is_quote(*end))
			break;
	*p = end;
	return str_of(start, (size_t)(end - start));
}

bool
login_match_machine(const struct search *text, const char *p, struct str *secret)
{
	enum { MEMBERS = 3 };
	static const struct str password = STR_INIT("password");
	struct str name;

	if (!is_space(text, p))
		return false;
	next_word(text, &p);
	for (unsigned i = 0; i < MEMBERS; i++) {
		name = next_word(text, &p);
		*secret = next_word(text, &p);
		if (str_eq(name, password))
			return secret_is(*secret, RULE_PASSWORD, SECRET_SHELL);
		if (!str_eq(name, STR("login")) && !str_eq(name, STR("account")))
			return false;
	}
	return false;
}
