#ifndef SELECT_SELECTOR_H
#define SELECT_SELECTOR_H

/*
 * A selector picks messages. It is a list of terms, separated by commas; a message is selected when
 * all terms hold. A "!" in front of a term negates it. Some terms look at the message alone; others
 * look at what is derived, and need a held session.
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

/* What is wrong with the text of a selector. */
struct selector_error {
	struct buf message; /* a phrase; owned by the caller, and empty before */
	size_t at;          /* the byte of the text that it is about */
};

/* Compiles text; free the selector with selector_free. Returns NULL, with the error set, when text
 * is malformed. */
struct selector *selector_parse(const char *text, struct selector_error *error);

/* Whether a term of the text, which need not be a selector, is matched by a regular expression. */
bool selector_has_pattern(const char *text);

/* Whether the entry is selected, as far as is known by now. Records that are no messages are not.
 * For terms on tokens, the tokens of the entry must have been counted before. */
enum term_answer selector_ask(
    const struct selector *selector, struct session *session, const struct entry *entry);

/* The same when the session has ended, or nothing that comes is of interest. */
bool selector_matches(
    const struct selector *selector, struct session *session, const struct entry *entry);

/* Whether a term of the selector looks at more than the message. */
bool selector_needs_session(const struct selector *selector);

/* Whether a term looks at the tokens of the entry. */
bool selector_needs_tokens(const struct selector *selector);

/* Whether a message is selected by a selector that needs no session. */
bool selector_matches_message(const struct selector *selector, const struct message *message);

/* Appends what was meant by values that are almost one that messages mostly have: "; did you mean
 * role=assistant?", or nothing. For a selector that nothing was selected by. */
void selector_write_slips(const struct selector *selector, struct buf *text);

void selector_free(struct selector *selector);

#endif
