#ifndef DATA_SELECTOR_H
#define DATA_SELECTOR_H

/*
 * Selectors: a comma-separated list of terms that must all hold of a message of a held session; a
 * "!" negates a term.
 *
 *     role=R origin=O kind=K section=S session=ID agent=ID id=ID    what it says or is derived as
 *     tool=GLOB           the tool of a call or result
 *     execution=ID|last   its execution
 *     pinned trace error unresolved compacted final                 flags
 *     tokens>N bytes>N    larger than that (also < and =)
 *     turn>N              newer than that turn; -3 counts from the end
 *     meta.NAME=VALUE     a member of metadata, by its text or its JSON
 *     text~ERE            the text of the content, by a POSIX extended regular expression
 */

#include "data/session.h"

struct selector;

/* Compiles text; NULL with a phrase in message when it is malformed. Free with selector_free. */
struct selector *selector_parse(const char *text, struct buf *message);

/* Whether a message entry is selected. Entries must have their tokens
 * where a term asks for them. */
bool selector_matches(const struct selector *selector, struct session *session,
    const struct entry *entry);

void selector_free(struct selector *selector);

#endif
