#ifndef POLICY_CALL_KEYS_H
#define POLICY_CALL_KEYS_H

/*
 * The digests of the calls of a message, by which later attempts of the same calls are known though
 * the arguments are shortened: the value of metadata.call_keys (data/session/call_digest.h).
 */

#include "data/session/session.h"
#include "json/edit.h"

/* The digests of the group's calls, as an array of JSON that lives as long as edit. */
struct str call_keys_of(
    const struct session *session, const struct group *group, struct json_edit *edit);

#endif
