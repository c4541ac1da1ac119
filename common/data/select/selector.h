#ifndef SELECT_SELECTOR_H
#define SELECT_SELECTOR_H

/*
 * A selector picks messages. It is a list of terms, separated by commas; a message is selected when
 * all terms hold. A "!" before a term negates the term. Some terms depend on the message alone;
 * others depend on derived values, and need a held session.
 *
 *     role=R origin=O kind=K section=S session=ID agent=ID id=ID    as given or derived
 *     tool=GLOB           the tool of a call or result
 *     target=GLOB         the path or the command of a call or result (data/tool/tools.h)
 *     path=GLOB           a file that a call reads or writes, by a shell command, too
 *     execution=ID|last   the execution
 *     pinned trace error unresolved compacted final                 flags
 *     tokens>N bytes>N    larger than N (also < and =)
 *     turn>N              newer than turn N; -3 counts from the end
 *     meta.NAME=VALUE     a member of metadata, by its text or its JSON
 *     arg~ERE             a value in the arguments of a call, as text~ matches
 *     text~ERE            the text of the content, by a POSIX extended regular expression
 */

#include "data/select/term.h"

struct selector;

/* The error in the text of a selector. */
struct selector_error {
	struct buf message; /* a phrase; owned by the caller, who passes an empty buffer */
	size_t at;          /* the offset of the error in the text */
};

/* Compiles text; free the selector with selector_free. Returns NULL, with the error set, when text
 * is malformed. */
struct selector *selector_parse(const char *text, struct selector_error *error);

/* Whether a term in the text has a regular expression. The text may be malformed. */
bool selector_has_pattern(const char *text);

/* Whether the entry is selected; TERM_UNKNOWN when later records decide. Records that are no
 * messages are never selected. For terms on tokens, the tokens of the entry must have been counted
 * before. */
enum term_answer selector_ask(
    const struct selector *selector, struct session *session, const struct entry *entry);

/* The same for a session that has ended, or when later records must not count. */
bool selector_matches(
    const struct selector *selector, struct session *session, const struct entry *entry);

/* Whether a term of the selector depends on more than the message. */
bool selector_needs_session(const struct selector *selector);

/* Whether a term depends on the tokens of the entry. */
bool selector_needs_tokens(const struct selector *selector);

/* Whether a message is selected by a selector that needs no session. */
bool selector_matches_message(const struct selector *selector, const struct message *message);

/* For a selector that selected nothing. When a value in it looks like a misspelled common value,
 * appends a hint: "; did you mean role=assistant?". */
void selector_write_slips(const struct selector *selector, struct buf *text);

void selector_free(struct selector *selector);

#endif
