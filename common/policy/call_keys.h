#ifndef POLICY_CALL_KEYS_H
#define POLICY_CALL_KEYS_H

/*
 * The value of metadata.call_keys: the digests of the calls of a message
 * (data/session/call_digest.h). By its digest a later attempt of the same call is recognized,
 * although the arguments of the first were shortened.
 */

#include "data/session/session.h"
#include "json/edit.h"

/* The digests of the group's calls, as an array of JSON that lives as long as edit. */
struct str call_keys_of(
    const struct session *session, const struct group *group, struct json_edit *edit);

#endif
