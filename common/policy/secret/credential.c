#include "policy/secret/credential.h"

#include "policy/secret/secret.h"
#include "policy/secret/token.h"

bool
credential_match_header(struct search *text, const char *p, struct search_found *found)
{
	enum { SCHEME_MAX = 12, VALUE_MIN = 8 };
	const char *end = p;
	bool is_bearer = search_is_word(text, p, STR("bearer"));

	while (end < text->end && end - p < SCHEME_MAX && byte_is_letter(*end))
		end++;
	if (end > p && end < text->end && secret_is_blank(*end))
		p = secret_pass_blanks(text, end);
	end = search_run_end(text, p, ALPHABET_TOKEN);
	if (end < text->end && (*end == '(' || *end == '[')) /* an expression */
		return false;
	while (end > p && end[-1] == '.')
		end--;
	*found =
	    (struct search_found){p, end, rule_coded(is_bearer ? RULE_BEARER : RULE_BASIC_AUTH)};
	return end - p >= VALUE_MIN &&
	    token_is_random(str_of(p, (size_t)(end - p)), end - p < 16) && search_ends(text, end);
}

bool
credential_match_cookies(struct search *text, const char *p, struct search_found *found)
{
	struct search_run *run = &text->cookies;
	char quote;

	*found = (struct search_found){NULL, NULL, rule_coded(RULE_COOKIE)};
	if (run->from != NULL && p >= run->from && p < run->end)
		return false;
	for (run->from = p;; p = secret_pass_blanks(text, p + 1)) {
		struct str value = {p, 0};

		while (p < text->end && alphabet_has(ALPHABET_DOTTED, *p))
			p++;
		if (p == value.ptr || p == text->end || *p != '=')
			break;
		value.ptr = secret_pass_quote(text, p + 1, &quote);
		p = secret_plain_end(text, value.ptr, ':');
		value.len = (size_t)(p - value.ptr);
		if (secret_is(value, RULE_COOKIE, SECRET_QUOTED)) {
			found->start = found->start != NULL ? found->start : value.ptr;
			found->end = p;
		}
		p = secret_pass_quote(text, p, &quote);
		if (p == text->end || *p != ';')
			break;
	}
	run->end = p;
	return found->start != NULL;
}

bool
credential_is_pair(struct str value)
{
	enum { PAIR_MIN = 8 };
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, count = 0, byte;
	bool has_colon = false;

	while (value.len > 0 && value.ptr[value.len - 1] == '=')
		value.len--;
	for (size_t i = 0; i < value.len; i++) {
		const char *digit = memchr(digits, value.ptr[i], sizeof digits - 1);

		if (digit == NULL)
			return false;
		bits = (bits << 6 | (unsigned)(digit - digits)) & 0xffff;
		count += 6;
		if (count < 8)
			continue;
		count -= 8;
		byte = bits >> count & 0xff;
		if (byte < ' ' || byte >= 0x7f)
			return false;
		has_colon |= byte == ':';
	}
	return has_colon && value.len >= PAIR_MIN;
}

bool
credential_hint_bearer(const char *p)
{
	struct search text;

	search_open(&text, p, p + 16);
	return search_is_word(&text, p, STR("bearer")) &&
	    (secret_is_blank(p[6]) || p[6] == '%' || p[6] == '\\' || p[6] == ':' || p[6] == '=');
}

bool
credential_match_bearer(struct search *text, const char *p, struct search_found *found)
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
	    !token_is_whole(text, str_of(p, (size_t)(end - p))) && search_ends(text, end);
}

bool
credential_hint_url(const char *p)
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
credential_match_url(struct search *text, const char *p, struct search_found *found)
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
	    token_is_whole(text, secret))
		return false;
	if (colon == NULL && (secret.len < ALONE_MIN || !token_is_random(secret, true)))
		return false;
	*found = (struct search_found){p, at, rule_coded(RULE_URL_PASSWORD)};
	return true;
}
