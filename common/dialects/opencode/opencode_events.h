#ifndef OPENCODE_OPENCODE_EVENTS_H
#define OPENCODE_OPENCODE_EVENTS_H

/*
 * Rebuilds sessions from a stream of events of opencode's server. An event of a message or of a
 * part replaces the earlier state of that message or part:
 *
 *     {"type":"message.updated","properties":{"info":{"id":M,…}}}
 *     {"type":"message.part.updated","properties":{"part":{"id":P,"messageID":M,…}}}
 *     {"type":"message.part.delta","properties":{"partID":P,"messageID":M,"delta":"…",…}}
 *     {"type":"message.removed","properties":{"messageID":M}}          message.part.removed: partID
 *     {"type":"session.updated","properties":{"info":{"revert":{…},…}}}
 */

#include "base/buf.h"
#include "dialects/tally.h"

struct opencode_events;

/* Reads the events, an array, which must live as long as the result. Other events are counted in
 * skipped, by type. */
struct opencode_events *opencode_events_read(struct json_value events, struct tally *skipped);

/* Writes the next session into text, with JSON_PADDING readable bytes after it:
 * {"info":{…},"messages":[{"info":…,"parts":[…]},…]}. The sessions after the first are of
 * sub-agents, and have a member caller beside info: the id of the first session. Returns false when
 * there are no more sessions. */
bool opencode_events_next(struct opencode_events *events, struct buf *text);

void opencode_events_free(struct opencode_events *events);

#endif
