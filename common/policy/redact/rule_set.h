#ifndef REDACT_RULE_SET_H
#define REDACT_RULE_SET_H

/*
 * The rules of a run, those built in and the user's patterns: their names, their marks, and their
 * finds in a text. The text is split at marks that it already has. In each part the patterns search
 * first, each in the text that the earlier ones left; the built-in rules search the rest.
 */

#include "policy/redact/finder.h"
#include "policy/redact/pattern.h"
#include "policy/redact/rules.h"

/*
 * The form of a text that is searched: escapes of URLs are decoded, and characters without width
 * are left out, which pages and chats add to copied text.
 *
 *     sig=a%2Bb...     sig=a+b...
 *
 * Escapes of control characters and of bytes that are not ASCII stay: they part words either way.
 */
struct rule_set_folded {
	struct str text; /* JSON_PADDING readable bytes follow */
	struct buf buf;  /* owns the text, if it differs from the given text */
	/* The byte of the given text from which the byte of text at offset at was made. */
	const char *from, *end;
	size_t at;
};

struct rule_set {
	struct finder finder;
	struct pattern *pattern;
	unsigned pattern_count, pattern_cap;
	struct rule_set_folded folded; /* the part of the text that is searched */
	struct buf mark;
	void (*found)(void *context, const struct search_found *found); /* of rule_set_find */
	void *context;
};

/* kinds are bits of enum rule_kind: the rules built in. */
void rule_set_init(struct rule_set *set, unsigned kinds);

/* Adds a pattern of the user's, NAME=ERE, which must live as long as set. Returns false, with a
 * phrase in message, when it is malformed. */
bool rule_set_add(struct rule_set *set, const char *text, struct buf *message);

/* The name of a rule, also of a pattern. */
struct str rule_set_name(const struct rule_set *set, unsigned rule);

/* The mark of the rule, valid until the next one. */
struct str rule_set_mark(struct rule_set *set, unsigned rule);

/* Calls found for each find in the text, in their order. */
void rule_set_find(struct rule_set *set, struct str text,
    void (*found)(void *context, const struct search_found *found), void *context);

void rule_set_free(struct rule_set *set);

#endif
