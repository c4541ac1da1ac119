#ifndef TEXT_REWRITE_H
#define TEXT_REWRITE_H

/*
 * Giving an entry a smaller content. Only content and metadata.compacted change, and
 * metadata.resolved in rewrite_failure; all other bytes of the record stay. Nothing changes unless
 * the whole record gets fewer bytes and no more tokens; with estimator NULL, tokens are not
 * compared.
 *
 * If the session is archived, metadata.archived is set to the key of the original record, and the
 * new text ends in the command that brings back the original (policy/text/recall.h).
 */

#include "json/edit.h"
#include "policy/budget/weigh.h"

/* Replaces the content by text and marks the message compacted. Returns false when that saves
 * nothing. */
bool rewrite_content(struct session *session, uint32_t entry, const struct change_rule *rule,
    struct str text, struct estimator *estimator);

/* The same for a caller that has the parsed message of the entry. */
bool rewrite_message(struct session *session, uint32_t entry, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator);

/* Like rewrite_content, but starts from the record in the input, without earlier changes. estimator
 * may be NULL. */
bool rewrite_original(struct session *session, uint32_t entry, const struct change_rule *rule,
    struct str text, struct estimator *estimator);

/* Like rewrite_content, for a failure that needs no more attention: also marks it as resolved in
 * metadata. */
bool rewrite_failure(struct session *session, uint32_t entry, const struct change_rule *rule,
    const struct message *message, struct str text, struct estimator *estimator);

/* Applies edit, an edit of the entry's text, and marks the message compacted. Returns false when
 * that saves nothing. message is the parsed message of the entry. call_keys, an array of JSON or
 * "", goes into its metadata (data/session/call_digest.h), and must live as long as edit. */
bool rewrite_edit(struct session *session, uint32_t entry, const struct change_rule *rule,
    const struct message *message, struct json_edit *edit, struct str call_keys,
    struct estimator *estimator);

#endif
