#include "policy/secret/assignment.h"

#include "policy/secret/credential.h"
#include "policy/secret/link.h"
#include "policy/secret/login.h"
#include "policy/secret/prose.h"
#include "policy/secret/secret.h"
#include "policy/secret/token.h"

/*
 * The last columns have examples, with < and > about the secret: tests/redact/contexts.pl makes
 * texts of them, as of those in policy/secret/shapes.c. base64(...) is an example in base64.
 */
#define WORD(word, rule, form, ...) \
	{ \
		STR_INIT(word), RULE_##rule, ASSIGNMENT_##form \
	}

const struct assignment_word assignment_words[] = {
    WORD("token", TOKEN_VALUE, VALUE, "ci_token: <[0-9a-z]{19}[A-Z]{1}>"),
    WORD("secret", SECRET_VALUE, VALUE, "\"client_secret\" : \"<[0-9a-z]{19}[A-Z]{1}>\"",
	"the secret access key = <[0-9a-z]{19}[A-Z]{1}>"),
    WORD("password", PASSWORD, VALUE, "the password = <[0-9a-z]{11}[A-Z]{1}[0-9]{1}>"),
    WORD("passwd", PASSWORD, VALUE, "--passwd='<[0-9a-z]{11}[A-Z]{1}>'"),
    WORD("passphrase", PASSWORD, VALUE, "KEY_PASSPHRASE=<[0-9a-z]{11}[A-Z]{1}>"),
    WORD("pwd", PASSWORD, VALUE, "pwd: <[0-9a-z]{11}[A-Z]{1}[0-9]{1}>"),
    WORD("api", KEY_VALUE, KEY, "x-api-key: <[0-9a-z]{19}[A-Z]{1}>",
	"Our API key: <[0-9a-z]{19}[A-Z]{1}>"),
    WORD("access", KEY_VALUE, KEY, "accessKey=<[0-9a-z]{19}[A-Z]{1}>"),
    WORD("private", KEY_VALUE, KEY, "private_key = \"<[0-9a-z]{19}[A-Z]{1}>\""),
    WORD("encryption", KEY_VALUE, KEY, "encryption-key: <[0-9a-f]{64}>"),
    WORD("signing", KEY_VALUE, KEY, "SIGNING_KEY=<[0-9a-f]{64}>"),
    WORD("auth", KEY_VALUE, KEY, "authkey: <[0-9a-z]{19}[A-Z]{1}>"),
    WORD("account", KEY_VALUE, KEY, "AccountKey=<[0-9a-zA-Z+/]{86}==>"),
    WORD("master", KEY_VALUE, KEY, "MASTER_KEY=<[0-9a-f]{32}>"),
    WORD("authorization", BASIC_AUTH, HEADER,
	"-H 'Authorization: Basic <base64(harbour:[0-9a-z]{12})>'",
	"authorization: token <[0-9a-f]{40}>"),
    WORD("auth", BASIC_AUTH, PAIR,
	"{\"auths\":{\"harbour.example\":{\"auth\":\"<base64(harbour:[0-9a-z]{12})>\"}}}",
	"//harbour.example/:_auth=<base64(harbour:[0-9a-zA-Z]{9})>"),
    WORD("cookie", COOKIE, COOKIE,
	"curl -b x -H 'cookie: theme=dark; sid=<[0-9a-z]{19}[A-Z]{1}; csrf=[0-9a-f]{40}>; lang=en'",
	"Set-Cookie: connect.sid=<s%3A[0-9a-zA-Z_-]{32}.[0-9a-zA-Z]{20}%2B[0-9a-zA-Z]{22}>; "
	"Path=/; "
	"Expires=Mon, 23 Nov 2026 21:00:00 GMT; HttpOnly",
	"document.cookie = \"sid=<[0-9a-f]{32}>; path=/\"",
	"tides --cookie 'theme=dark; sid=<[0-9a-z]{19}[A-Z]{1}>' https://harbour.example/x",
	"tides --cookie=sid=<[0-9a-f]{32}> -x"),
    WORD("curl", COOKIE, COOKIE_OPTION,
	"curl -b 'session=<[0-9a-zA-Z]{32}>; lang=en' https://harbour.example/x",
	"curl -u harbour -sSb sid=<[0-9a-f]{32}> https://harbour.example/x | jq .",
	"print('curl https://harbour.example/x \\\n -b \"sid=<[0-9a-z]{19}[A-Z]{1}>\"')"),
    WORD("private-lines", PRIVATE_KEY, LINES,
	"PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nComment: harbour\nPublic-Lines: 2\n"
	"[0-9a-zA-Z+/]{64}\n[0-9a-zA-Z+/]{16}\nPrivate-Lines: <1\n[0-9a-zA-Z+/]{47}=>\n"
	"Private-MAC: [0-9a-f]{64}",
	"Public-Lines: 1\r\n[0-9a-zA-Z+/]{64}\r\nPrivate-Lines: <3\r\n[0-9a-zA-Z+/]{64}\r\n"
	"[0-9a-zA-Z+/]{64}\r\n[0-9a-zA-Z+/]{10}==>\r\nPrivate-MAC: [0-9a-f]{40}"),
    WORD("curl", PASSWORD, USER, "curl -u harbour:<[0-9a-z]{12}> https://harbour.example/x",
	"curl -sSu 'ann:<[0-9a-z]{6} [0-9]{4}!>' https://harbour.example/x | jq .",
	"/usr/bin/curl https://curl.example/x \\\n    --user=ann:<[0-9a-z]{12}>",
	"print('curl x \\\\\\n -u ann:<[0-9a-z]{12}>')",
	"curl -H 'Accept: text/html; q=1' -U \"ann:<[a-z]{12}>\" https://harbour.example/x",
	"curl https://harbour.example/x -d a=1 -u <[0-9a-zA-Z]{22}[0-9]{1}[A-Z]{1}>:"),
    WORD("mysql", PASSWORD, OPTION, "mysql -u harbour -p<[0-9a-z]{11}[0-9]{1}> tides",
	"mysqldump --all-databases -uharbour '-p<[0-9a-z]{11}[0-9]{1}>' tides",
	"mysqladmin -h mysql.harbour.example -p\"<[0-9a-z]{6}&[a-z]{6}>\" ping"),
    WORD("mariadb", PASSWORD, OPTION, "mariadb-dump -uharbour -p'<[0-9a-z]{12}>' tides"),
    WORD("machine", PASSWORD, MACHINE, "machine harbour.example login ann password <[0-9a-z]{12}>",
	"machine harbour.example\n\tlogin ann\n\taccount tides\n\tpassword "
	"<[a-z]{1}[a-zA-Z!#+]{11}>"),
};

#undef WORD

const unsigned assignment_word_count = ARRAY_COUNT(assignment_words);

_Static_assert(ARRAY_COUNT(assignment_words) <= ASSIGNMENT_WORDS_MAX, "a finder has room for all");

enum { LOOK_BACK = 48, SUFFIXES_MAX = 4 };

static bool
is_separator(char c)
{
	return c == '_' || c == '-';
}

/* Whether the byte may be between the words of a name, as people also write one: API key. */
static bool
is_between(char c)
{
	return is_separator(c) || c == ' ';
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
	if (word->form >= ASSIGNMENT_LINES)
		return true;
	if (word->form == ASSIGNMENT_KEY)
		return search_is_word(&text, end + is_between(*end), STR("key"));
	if (is_separator(*end) || (*end == ' ' && hint_suffix(end + 1)))
		return hint_suffix(end + 1);
	return hint_suffix(end) || link_hint(end);
}

/* Behind the words that a name may go on with: secret_access_key, SECRET_KEY_BASE. Sets *has_key
 * when one of them is "key". */
static const char *
pass_suffix(const struct search *text, const char *p, bool *has_key)
{
	static const struct str words[] = {
	    STR_INIT("key"), STR_INIT("access"), STR_INIT("base"), STR_INIT("value")};

	*has_key = false;
	for (unsigned i = 0, taken = 0; taken < SUFFIXES_MAX && i < ARRAY_COUNT(words);) {
		const char *at = p + (p < text->end && is_between(*p));

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

/* Whether the name that goes on at p is one of an environment, or another one that is no secret: a
 * place in a list of pages. */
static bool
look_back(const struct search *text, const char *p, bool *is_capital)
{
	static const struct str pages[] = {STR_INIT("page"), STR_INIT("next"), STR_INIT("starting"),
	    STR_INIT("continuation"), STR_INIT("cancellation")};
	const char *least = p - text->free > LOOK_BACK ? p - LOOK_BACK : text->free;
	const char *end = p > least && is_separator(p[-1]) ? p - 1 : p;

	for (unsigned i = 0; i < ARRAY_COUNT(pages); i++)
		if ((size_t)(end - least) >= pages[i].len &&
		    search_is_word(text, end - pages[i].len, pages[i]))
			return false;
	*is_capital = *p <= 'Z';
	while (*is_capital && p > least && alphabet_has(ALPHABET_WORD, p[-1]) &&
	    (p[-1] == '_' || !search_begins(text, p)))
		*is_capital = *--p <= 'Z' || *p == '_';
	return true;
}

/* Whether the name ends, at p, with the word and the endings that the word may have. */
static bool
ends_name(
    const struct search *name, const char *p, const struct assignment_word *word, bool *is_capital)
{
	bool has_key;

	return search_is_word(name, p, word->word) &&
	    pass_suffix(name, p + word->word.len, &has_key) == name->end &&
	    (word->form != ASSIGNMENT_KEY || has_key) && look_back(name, p, is_capital);
}

/* Whether the variable or member has the name of a secret: db_pwd, jwtSecret. */
static bool
is_called_so(const struct search *name)
{
	bool is_capital;

	for (unsigned i = 0; i < assignment_word_count; i++)
		for (const char *p = name->start; p < name->end; p++)
			if (assignment_words[i].form <= ASSIGNMENT_KEY &&
			    (search_begins(name, p) || (*p <= 'Z' && p[-1] >= 'a')) &&
			    ends_name(name, p, &assignment_words[i], &is_capital))
				return true;
	return false;
}

/* Whether the value, without quotes, is not a secret but the place of one: a member of an object
 * that code reads members of, if the member's name is a word or the name of a secret; or, where a
 * variable may be, a variable with such a name. Only the name of an environment variable has a
 * digit. */
static bool
is_reference(struct str value, bool is_code)
{
	static const struct str roots[] = {STR_INIT("self"), STR_INIT("this"), STR_INIT("cls"),
	    STR_INIT("process"), STR_INIT("os"), STR_INIT("env"), STR_INIT("config"),
	    STR_INIT("cfg"), STR_INIT("conf"), STR_INIT("settings"), STR_INIT("options"),
	    STR_INIT("opts"), STR_INIT("args"), STR_INIT("params"), STR_INIT("props"),
	    STR_INIT("req"), STR_INIT("request"), STR_INIT("ctx"), STR_INIT("context"),
	    STR_INIT("secrets"), STR_INIT("vars"), STR_INIT("var"), STR_INIT("local"),
	    STR_INIT("module"), STR_INIT("data"), STR_INIT("creds"), STR_INIT("credentials")};
	enum { REFERENCE_MAX = 128 };
	const char *p = value.ptr, *end = p + value.len, *last;
	struct search name;
	bool is_member = false, is_env = str_has_prefix(value, STR("process.env."));

	if (value.len > REFERENCE_MAX)
		return false;
	p += strchr("$@&*", *p) != NULL;
	search_open(&name, p, end - (end[-1] == '!'));
	for (last = p; p < name.end; p++) {
		bool is_word = alphabet_has(ALPHABET_WORD, *p);

		if (is_word ? byte_is_digit(*p) && !is_env : *p != '.' && *p != ':' && *p != '?')
			return false;
		last = is_word ? last : p + 1;
	}
	for (unsigned i = 0; i < ARRAY_COUNT(roots); i++) {
		p = name.start + roots[i].len;
		is_member |= search_is_word(&name, name.start, roots[i]) && p < last && *p != '_' &&
		    !byte_is_letter(*p);
	}
	name.start = is_member ? last : name.start;
	name.free = name.start;
	return last < name.end &&
	    ((is_member && (is_env || prose_is(str_of(last, (size_t)(name.end - last))))) ||
		((is_member || is_code) && is_called_so(&name)));
}

/* Whether the value may be the secret that the word names. */
static bool
is_asked(struct str value, const struct assignment_word *word, enum secret_style style)
{
	if (word->form == ASSIGNMENT_PAIR)
		return credential_is_pair(value);
	return secret_is(value, word->rule, style) &&
	    ((style != SECRET_PLAIN && style != SECRET_CODE && style != SECRET_PROSE) ||
		!is_reference(value, style == SECRET_CODE));
}

/* A password at a place after the word, at p. */
static bool
match_login(
    struct search *text, const char *p, const struct assignment_word *word, struct str *value)
{
	const char *end = p + word->word.len;

	if (!search_begins(text, p))
		return false;
	if (word->form == ASSIGNMENT_USER)
		return login_match_user(text, end, word->word, value);
	if (word->form == ASSIGNMENT_OPTION)
		return login_match_option(text, end, word->word, value);
	return login_match_machine(text, end, value);
}

/* Sets *name to the name that has the word at p; false when it asks for nothing. */
static bool
take_name(const struct search *text, const char *p, const struct assignment_word *word,
    struct link_name *name)
{
	bool has_key;

	name->start = p;
	name->end = pass_suffix(text, p + word->word.len, &has_key);
	return look_back(text, p, &name->is_capital) && (word->form != ASSIGNMENT_KEY || has_key);
}

/* The value of the first link of the name whose value may be the secret that the word names. */
static bool
match_value(struct search *text, const struct link_name *name, const struct assignment_word *word,
    struct str *value)
{
	unsigned rows = word->form <= ASSIGNMENT_KEY ? LINK_ROWS : LINK_SIGN + 1;
	enum secret_style style;

	for (unsigned row = 0; row < rows; row++)
		if (link_take(text, name, row, &style, value) && is_asked(*value, word, style))
			return true;
	return false;
}

/* What is no single value: a header, cookies, the lines of a key. */
static bool
match_list(struct search *text, const struct link_name *name, enum assignment_form form,
    struct search_found *found)
{
	enum secret_style style;
	char sign, quote;
	const char *p = link_pass(text, name, LINK_SIGN, &sign, &style);

	if (p == NULL && form == ASSIGNMENT_COOKIE)
		p = link_pass(text, name, LINK_OPTION, &sign, &style);
	if (p == NULL)
		return false;
	if (form == ASSIGNMENT_LINES)
		return token_match_lines(text, p, found);
	p = secret_pass_quote(text, p, &quote);
	return form == ASSIGNMENT_HEADER ? credential_match_header(text, p, found) :
					   credential_match_cookies(text, p, found);
}

bool
assignment_match_word(struct search *text, const char *p, const struct assignment_word *word,
    struct search_found *found)
{
	struct link_name name;
	struct str value;

	if (!search_is_word(text, p, word->word))
		return false;
	if (word->form == ASSIGNMENT_COOKIE_OPTION)
		return search_begins(text, p) &&
		    login_match_cookies(text, p + word->word.len, word->word, found);
	if (word->form >= ASSIGNMENT_USER) {
		if (!match_login(text, p, word, &value))
			return false;
	} else if (!take_name(text, p, word, &name)) {
		return false;
	} else if (word->form == ASSIGNMENT_HEADER || word->form == ASSIGNMENT_COOKIE ||
	    word->form == ASSIGNMENT_LINES) {
		return match_list(text, &name, word->form, found);
	} else if (!match_value(text, &name, word, &value)) {
		return false;
	}
	*found = (struct search_found){value.ptr, value.ptr + value.len, rule_coded(word->rule)};
	return !token_is_whole(text, value);
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

			if (word->form >= ASSIGNMENT_LINES ||
			    !ends_name(&text, p, word, &is_capital))
				continue;
			if (word->form == ASSIGNMENT_HEADER)
				return credential_match_header(&whole, value.ptr, found) &&
				    !token_is_whole(&whole,
					str_of(found->start, (size_t)(found->end - found->start)));
			if (word->form == ASSIGNMENT_COOKIE)
				return credential_match_cookies(&whole, value.ptr, found);
			found->rule = rule_coded(word->rule);
			return is_asked(value, word, is_capital ? SECRET_SHELL : SECRET_QUOTED) ||
			    (word->rule == RULE_PASSWORD && secret_is_passphrase(value));
		}
	return false;
}
