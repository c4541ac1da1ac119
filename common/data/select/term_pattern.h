#ifndef SELECT_TERM_PATTERN_H
#define SELECT_TERM_PATTERN_H

/*
 * Matches the patterns of terms: globs match names of tools and files, regular expressions match
 * texts. A pattern for calls is tried on all calls of a call message; for a result, on its call.
 */

#include "base/expression/expression.h"
#include "data/session/session.h"

/* Whether the glob matches the whole name of a tool. For a message without a call, the name of the
 * tool is taken from metadata. */
bool term_pattern_is_tool(struct session *session, const struct entry *entry, const char *glob);

/* Whether the glob matches the whole target of a call. */
bool term_pattern_is_target(struct session *session, const struct entry *entry, const char *glob);

/* Whether the glob matches the path of a file that a call reads or writes. */
bool term_pattern_is_path(struct session *session, const struct entry *entry, const char *glob);

/* Whether the expression matches in an argument of a call. */
bool term_pattern_in_arguments(
    struct session *session, const struct entry *entry, struct expression *expression);

/* Whether the expression matches in a text of the message. */
bool term_pattern_in_text(const struct message *message, struct expression *expression);

#endif
