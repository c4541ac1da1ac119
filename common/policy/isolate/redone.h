#ifndef POLICY_ISOLATE_REDONE_H
#define POLICY_ISOLATE_REDONE_H

/*
 * Calls whose arguments later work made worthless: the same call was made again and succeeded, or
 * what the call wrote into a file was replaced, since a later call wrote the whole file.
 */

#include "data/session/session.h"

/* Returns whether a call is redone, by call, of a session that has ended; the caller frees the
 * list. Learns all calls. */
uint8_t *redone_find(struct session *session);

#endif
