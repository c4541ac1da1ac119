/*
 * Expressions: the first and longest match is that of regexec(3), for expressions and texts that are
 * made up; what is malformed or too large is refused; and no text costs more than its length times
 * the size of the expression.
 */

#include "base/expression/expression.h"

#include <regex.h>
#include <stdlib.h>
#include <time.h>

#include "unit.h"

/* Where the match is, as START-END; "no" or a phrase. */
static const char *
find(const char *ere, struct str text, unsigned flags, char *answer)
{
	struct buf message = BUF_INIT;
	struct expression expression;
	const char *start, *end;

	if (!expression_init(&expression, ere, &message)) {
		snprintf(answer, 100, "%.*s", (int)message.len, message.ptr);
		buf_free(&message);
		return answer;
	}
	strcpy(answer, "no");
	if (expression_find(&expression, text, flags, &start, &end))
		snprintf(answer, 100, "%td-%td", start - text.ptr, end - text.ptr);
	expression_free(&expression);
	return answer;
}

/* The same by the C library. */
static const char *
find_other(const char *ere, const char *text, unsigned flags, char *answer)
{
	int other = ((flags & EXPRESSION_NOT_BEGIN) != 0 ? REG_NOTBOL : 0) |
	    ((flags & EXPRESSION_NOT_END) != 0 ? REG_NOTEOL : 0);
	regmatch_t match;
	regex_t regex;

	if (regcomp(&regex, ere, REG_EXTENDED) != 0)
		return "malformed";
	strcpy(answer, "no");
	if (regexec(&regex, text, 1, &match, other) == 0)
		snprintf(answer, 100, "%d-%d", (int)match.rm_so, (int)match.rm_eo);
	regfree(&regex);
	return answer;
}

static void
check(const char *ere, const char *text, const char *want)
{
	char answer[100];

	if (!CHECK(strcmp(find(ere, str_from(text), 0, answer), want) == 0))
		printf("    '%s' in '%s': %s, expected %s\n", ere, text, answer, want);
}

static void
test_refused(void)
{
	static const char *const cases[][2] = {{"*a", "nothing to repeat"},
	    {"a|*b", "nothing to repeat"}, {"(+)", "nothing to repeat"},
	    {"^*", "nothing to repeat"}, {"(a", "unmatched ("},
	    {"a)", "unmatched ), which is spelled \\)"}, {"[a", "unmatched ["},
	    {"[]", "unmatched ["}, {"[[:alpha:", "unmatched ["},
	    {"[[:letter:]]", "an unknown class of characters"},
	    {"[[.ab.]]", "a character that is none"},
	    {"[b-a]", "a range that ends before it begins"},
	    {"a{2,1}", "a range that ends before it begins"}, {"a{x}", "expected a number after {"},
	    {"a{1", "unmatched {"}, {"a\\", "a backslash at the end"},
	    {"(a)\\1", "back-references are not taken"},
	    {"a{32768}", "the expression is too large"},
	    {"a{99999999999999}", "the expression is too large"},
	    {"(a|b)*{9999}", "the expression is too large"},
	    {"((a{1000}){1000}){1000}", "the expression is too large"},
	    {"((((((((((((((((a+)+b)+b)+){9}){9}){9}){9})+)+)+)+)+)+)+)+",
		"the expression is too large"}};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i][0], "aaa", cases[i][1]);
}

static void
test_found(void)
{
	static const char *const cases[][3] = {{"", "ab", "0-0"}, {"b|", "ab", "0-0"},
	    {"abcd|bc", "xabcd", "1-5"}, {"abcd|bc", "abcx", "1-3"}, {"a|ab|abc", "abcd", "0-3"},
	    {"(a|ab)(c|bcd)", "abcd", "0-4"}, {"x*", "aaa", "0-0"}, {"a{2,3}", "aaaa", "0-3"},
	    {"a{0}b", "ab", "1-2"}, {"(a{0})*b", "ab", "1-2"}, {"a{,2}b", "aaab", "1-4"},
	    {"^a|b$", "cab", "2-3"}, {"a$|^b", "ab", "no"}, {"(^|x)b", "abxb", "2-4"},
	    {"[]a]+", "x]a]", "1-4"}, {"[^]a]", "]ab", "2-3"}, {"[a-]+", "b-a", "1-3"},
	    {"[[:digit:][:upper:]_]+", "ab_1Zc", "2-5"}, {"[[.a.]-[=c=]]+", "xabcd", "1-4"},
	    {"\\bab\\B", "ab abc", "3-5"}, {"\\<a\\>", "ba a", "3-4"},
	    {"\\w+\\W\\s\\S", "a-\tb", "0-4"}, {"\\`a\\'", "a", "0-1"},
	    {"\\.\\(\\[", "x.([", "1-4"}, {"a.c", "a\nc", "0-3"}, {"(a*)*b", "aab", "0-3"},
	    {"(a*)+$", "aab", "3-3"}, {"a{3,}", "aaaaa", "0-5"}, {"\xc3.", "a\xc3\xa9", "1-3"}};
	char answer[100];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		check(cases[i][0], cases[i][1], cases[i][2]);
	CHECK(strcmp(find("a.b", str_of("a\0b", 3), 0, answer), "0-3") == 0);
	CHECK(strcmp(find("a$", STR("a"), EXPRESSION_NOT_END, answer), "no") == 0);
	CHECK(strcmp(find("^a", STR("a"), EXPRESSION_NOT_BEGIN, answer), "no") == 0);
}

/* Numbers that look drawn at random, the same in each run. */
static unsigned
draw(unsigned below)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % below;
}

/* Expressions of pieces; many are malformed, for both or for neither. */
static void
test_as_the_library(void)
{
	static const char *const pieces[] = {"a", "b", "c", ".", "[ab]", "[^a]", "(", ")", "|", "*",
	    "+", "?", "{2}", "{1,2}", "{0,1}", "{2,}", "^", "$", "(a|b)", "\\b", "\\w"};
	unsigned compared = 0;

	for (unsigned i = 0; i < 60000; i++) {
		char ere[100] = "", text[20] = "", ours[100], other[100];
		const char *theirs;
		unsigned flags = draw(4);

		for (unsigned n = 1 + draw(8); n > 0; n--)
			strcat(ere, pieces[draw(sizeof pieces / sizeof pieces[0])]);
		for (unsigned n = draw(10), at = 0; at < n; at++)
			text[at] = "abc "[draw(4)];
		find(ere, str_from(text), flags, ours);
		theirs = find_other(ere, text, flags, other);
		if (strcmp(ours, "no") != 0 && strchr("0123456789", *ours) == NULL)
			continue; /* refused: the library takes more */
		compared++;
		if (!CHECK(strcmp(ours, theirs) == 0))
			printf("    '%s' in '%s' %u: %s, expected %s\n", ere, text, flags, ours,
			    theirs);
	}
	CHECK(compared > 15000);
}

/* Texts of an attacker's: a matcher that begins again at each place takes minutes for each, and one
 * that keeps a state for each place gigabytes. */
static void
test_linear(void)
{
	static const char *const cases[] = {"a.*a.*a.*c", "(a|b)*a(a|b){20}c", "(a*)*c", "(a+a+)+c",
	    "a[ab]{0,200}c", "(a|b|ab)*c", "a.{200}c$"};
	enum { LEN = 200000 };
	char *bytes = malloc(LEN), answer[100];
	clock_t begin = clock();

	for (size_t i = 0; i < LEN; i++)
		bytes[i] = "ab"[draw(2)];
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		CHECK(strcmp(find(cases[i], str_of(bytes, LEN), 0, answer), "no") == 0);
	CHECK((clock() - begin) / CLOCKS_PER_SEC < 60);
	free(bytes);
}

int
main(void)
{
	test_refused();
	test_found();
	test_as_the_library();
	test_linear();
	return unit_end();
}
