#ifndef REDACT_ASSIGNMENT_H
#define REDACT_ASSIGNMENT_H

/*
 * Secrets that are told by what stands in front of them: a name and "=" or ":", an Authorization
 * header, the user in a URL. What is found is the value alone.
 *
 *     GITHUB_TOKEN=...   "client_secret": "..."   password: ...   Authorization: Bearer ...
 *     postgres://admin:...@db
 *
 * Hints as in policy/redact/token.h.
 */

#include "policy/redact/search.h"

/* The words that names end with, or that stand in front of the word "key". */
struct assignment_word {
	struct str word; /* small letters */
	enum rule rule;
};

enum { ASSIGNMENT_WORDS_MAX = 64 };

extern const struct assignment_word assignment_words[];
extern const unsigned assignment_word_count;

bool assignment_hint_word(const struct assignment_word *word, const char *p);
bool assignment_match_word(struct search *text, const char *p, const struct assignment_word *word,
    struct search_found *found);

/* Whether the value of a member of that name is a secret, or has one behind the scheme of an
 * Authorization header. Both are decoded texts. */
bool assignment_match_member(struct str name, struct str value, struct search_found *found);

bool assignment_hint_bearer(const char *p);
bool assignment_match_bearer(struct search *text, const char *p, struct search_found *found);

/* p is at "://". */
bool assignment_hint_url(const char *p);
bool assignment_match_url(struct search *text, const char *p, struct search_found *found);

#endif
