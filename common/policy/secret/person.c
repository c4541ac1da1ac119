#include "policy/secret/person.h"

#include "policy/secret/checks.h"

/* The number of digits at p, at most most. */
static unsigned
count_digits(const char *p, const char *end, unsigned most)
{
	unsigned count = 0;

	while (count < most && p + count < end && byte_is_digit(p[count]))
		count++;
	return count;
}

bool
person_hint_email(const char *p)
{
	return p[0] == '@' && alphabet_has(ALPHABET_ALNUM, p[1]);
}

/* Endings of file names that have an "@", such as icon@2x.png: these are not domains. */
static bool
is_file(struct str label)
{
	static const struct str endings[] = {STR_INIT("png"), STR_INIT("jpg"), STR_INIT("jpeg"),
	    STR_INIT("gif"), STR_INIT("svg"), STR_INIT("webp"), STR_INIT("js"), STR_INIT("mjs"),
	    STR_INIT("cjs"), STR_INIT("ts"), STR_INIT("tsx"), STR_INIT("json"), STR_INIT("tgz"),
	    STR_INIT("gz"), STR_INIT("css"), STR_INIT("html"), STR_INIT("yml"), STR_INIT("yaml"),
	    STR_INIT("service"), STR_INIT("patch"), STR_INIT("plist"), STR_INIT("local"),
	    STR_INIT("localhost")};

	return STR_IS_ONE_OF(label, endings);
}

/* The end of the domain at p: labels parted by dots, the last one of letters; NULL when it is no
 * domain. */
static const char *
pass_domain(const struct search *text, const char *p)
{
	enum { DOMAIN_MAX = 253 };
	const char *most = text->end - p > DOMAIN_MAX ? p + DOMAIN_MAX : text->end, *end = NULL;

	for (unsigned labels = 0;; labels++) {
		const char *label = p;
		bool has_digit = false;

		while (p < most && alphabet_has(ALPHABET_ALNUM, *p))
			has_digit |= byte_is_digit(*p++);
		if (p == label)
			return end;
		if (labels > 0 && !has_digit && p - label >= 2 && p - label <= 24)
			end = is_file(str_of(label, (size_t)(p - label))) ? NULL : p;
		while (p < most && *p == '-') { /* a label goes on after a hyphen */
			p++;
			while (p < most && alphabet_has(ALPHABET_ALNUM, *p))
				p++;
		}
		if (p == most || *p != '.')
			return end;
		p++;
	}
}

/* The start of the local part that ends at p. The letters of an escape in front of it are none of
 * it: a line end in source code (\n), a colour (ESC [ 31 m). */
static const char *
find_local(const struct search *text, const char *p)
{
	const char *start = p, *least = text->free;

	while (start > least && alphabet_has(ALPHABET_LOCAL, start[-1]))
		start--;
	if (start > least && start < p && start[-1] == '\\')
		start++;
	if (start - least >= 2 && start[-1] == '[' && start[-2] == '\x1b') {
		while (start < p && !byte_is_letter(*start))
			start++;
		start += start < p;
	}
	while (start < p && !alphabet_has(ALPHABET_ALNUM, *start))
		start++;
	return start;
}

bool
person_match_email(struct search *text, const char *p, struct search_found *found)
{
	const char *start = find_local(text, p), *end;

	if (start == p)
		return false;
	end = pass_domain(text, p + 1);
	if (end == NULL)
		return false;
	/* git@host:path is where a repository is */
	if (str_eq(str_of(start, (size_t)(p - start)), STR("git")))
		return false;
	*found = (struct search_found){start, end, rule_coded(RULE_EMAIL)};
	return true;
}

/* Whether the shape is at p: '#' is a digit, '-' one of "-. ", all else itself. Sets *end. */
static bool
is_shape(const struct search *text, const char *p, const char *shape, const char **end)
{
	for (; *shape != '\0'; shape++, p++) {
		if (p >= text->end)
			return false;
		if (*shape == '#'     ? !byte_is_digit(*p) :
			*shape == '-' ? *p != '-' && *p != '.' && *p != ' ' :
					*p != *shape)
			return false;
	}
	*end = p;
	return p == text->end || !alphabet_has(ALPHABET_WORD, *p);
}

bool
person_hint_phone(const char *p)
{
	struct search text;
	unsigned digits = 0;
	const char *end;

	search_open(&text, p, p + 24);
	if (*p != '+')
		return is_shape(&text, p, *p == '(' ? "(###) ###-####" : "###-###-####", &end) &&
		    (*p == '(' || p[3] == p[7]);
	for (unsigned i = 1; i < 20; i++)
		digits += byte_is_digit(p[i]);
	return byte_is_digit(p[1]) && digits >= 7;
}

/* Whether the digits after a "+", perhaps with one dot, are a number of North America. */
static bool
is_north_american(const struct search *text, const char *p)
{
	bool is_dotted = text->end - p > 1 && p[1] == '.';
	const char *area = p + 1 + is_dotted;

	return *p == '1' && count_digits(area, text->end, 11) == 10 && area[0] >= '2' &&
	    area[3] >= '2';
}

/* An international number: groups of digits, parted by one blank, hyphen or dot. */
static bool
match_international(struct search *text, const char *p, struct search_found *found)
{
	enum { DIGITS_MIN = 8, DIGITS_MAX = 15, GROUPS_MAX = 7, CODE_MAX = 3 };
	unsigned digits = 0, groups = 0, count;
	const char *end = p + 1;

	for (const char *at = end; groups < GROUPS_MAX; groups++) {
		unsigned bracket = at < text->end && *at == '(';

		count = count_digits(at + bracket, text->end, DIGITS_MAX + 1);
		at += bracket + count;
		if (count == 0 || (bracket != 0 && (at == text->end || *at != ')')))
			break;
		digits += count;
		at += bracket;
		end = at;
		at += at < text->end && (*at == ' ' || *at == '-' || *at == '.');
		if (at < text->end && bracket == 1 && *at == ' ' && at > end)
			at++;
	}
	*found = (struct search_found){p, end, rule_coded(RULE_PHONE)};
	if (digits < DIGITS_MIN || digits > DIGITS_MAX || p[1] == '0')
		return false;
	if (end < text->end && alphabet_has(ALPHABET_WORD, *end))
		return false;
	count = count_digits(p + 1, text->end, CODE_MAX + 1);
	/* a signed number, or one in a line that was added, is no phone number */
	if ((groups == 1 && p[1] == '1') || (groups == 2 && p[1 + count] == '.'))
		return is_north_american(text, p + 1);
	return groups == 1 ? digits >= 10 : count <= CODE_MAX;
}

bool
person_match_phone(struct search *text, const char *p, struct search_found *found)
{
	const char *end;

	if (!search_begins(text, p) || (p > text->free && strchr("_-.+/", p[-1]) != NULL))
		return false;
	if (*p == '+')
		return match_international(text, p, found);
	if (!is_shape(text, p, *p == '(' ? "(###) ###-####" : "###-###-####", &end))
		return false;
	/* neither a date nor a row of numbers: area and exchange begin with 2 to 9 */
	if (*p == '(' ? p[1] < '2' || p[6] < '2' : p[0] < '2' || p[4] < '2' || p[3] != p[7])
		return false;
	*found = (struct search_found){p, end, rule_coded(RULE_PHONE)};
	return *p == '(' || p[3] != ' ';
}

bool
person_hint_card(const char *p)
{
	if (p[0] < '2' || p[0] > '6')
		return false;
	for (unsigned i = 0; i < 14; i++)
		if (!byte_is_digit(p[i]) && ((p[i] != ' ' && p[i] != '-') || i < 4))
			return false;
	return true;
}

/* Whether the digits are in groups as on a card, all parted by the same blank or hyphen. */
static bool
is_grouped(const struct search *text, const char *p, const char **end)
{
	static const char *const shapes[] = {
	    "####-####-####-####", "####-######-#####", "####-######-####"};

	for (unsigned i = 0; i < ARRAY_COUNT(shapes); i++) {
		bool is_same = true;

		if (!is_shape(text, p, shapes[i], end) || p[4] == '.')
			continue;
		for (const char *at = p; at < *end; at++)
			is_same &= byte_is_digit(*at) || *at == p[4];
		if (is_same)
			return true;
	}
	return false;
}

/* Whether the number goes on at end: with a letter, a fraction, or another group. */
static bool
goes_on(const struct search *text, const char *end)
{
	if (end == text->end)
		return false;
	if (alphabet_has(ALPHABET_WORD, *end))
		return true;
	return (*end == '-' || *end == '.') && text->end - end > 1 &&
	    alphabet_has(ALPHABET_ALNUM, end[1]);
}

bool
person_match_card(struct search *text, const char *p, struct search_found *found)
{
	char digits[20];
	size_t count = 0;
	const char *end;

	if (!search_begins(text, p) || (p > text->free && strchr(".-_", p[-1]) != NULL))
		return false;
	end = p + count_digits(p, text->end, sizeof digits);
	if (end - p == 4 && !is_grouped(text, p, &end))
		return false;
	for (const char *at = p; at < end; at++)
		if (byte_is_digit(*at))
			digits[count++] = *at;
	*found = (struct search_found){p, end, rule_coded(RULE_CARD)};
	return !goes_on(text, end) && check_card(str_of(digits, count));
}

bool
person_hint_iban(const char *p)
{
	for (unsigned i = 4; i < 15; i++)
		if (!alphabet_has(ALPHABET_UPPER, p[i]) && p[i] != ' ')
			return false;
	return true;
}

bool
person_match_iban(struct search *text, const char *p, struct search_found *found)
{
	enum { LONGEST = 34 };
	char iban[LONGEST];
	size_t len = 0;
	const char *at = p;
	bool is_grouped = text->end - p > 4 && p[4] == ' ';

	if (!search_begins(text, p) || alphabet_has(ALPHABET_DIGIT, p[0]) || byte_is_digit(p[1]))
		return false;
	while (at < text->end && len < LONGEST) {
		if (is_grouped && len % 4 == 0 && len > 0 && at[-1] != ' ') {
			if (*at != ' ')
				break;
			at++;
		} else if (alphabet_has(ALPHABET_UPPER, *at)) {
			iban[len++] = *at++;
		} else {
			break;
		}
		if (len >= 15 && (at == text->end || !alphabet_has(ALPHABET_WORD, *at)) &&
		    check_iban(str_of(iban, len))) {
			*found = (struct search_found){p, at, rule_coded(RULE_IBAN)};
			return true;
		}
	}
	return false;
}
