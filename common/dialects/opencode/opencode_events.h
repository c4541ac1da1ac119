#ifndef OPENCODE_OPENCODE_EVENTS_H
#define OPENCODE_OPENCODE_EVENTS_H

/*
 * A stream of opencode's events, as its server sends them, put together to the session that they
 * tell of. Every event of a message or of a part replaces what was said of it before:
 *
 *     {"type":"message.updated","properties":{"info":{"id":M,…}}}
 *     {"type":"message.part.updated","properties":{"part":{"id":P,"messageID":M,…}}}
 *     {"type":"message.part.delta","properties":{"partID":P,"messageID":M,"delta":"…",…}}
 *     {"type":"message.removed","properties":{"messageID":M}}          message.part.removed: partID
 *     {"type":"session.updated","properties":{"info":{"revert":{…},…}}}
 */

#include "base/buf.h"
#include "dialects/tally.h"
#include "json/members.h"

struct opencode_events;

/* Reads the events, an array, which must live as long as what is returned. Other events are counted
 * in skipped, by type. */
struct opencode_events *opencode_events_read(struct json_value events, struct tally *skipped);

/* Writes the next session into text, with JSON_PADDING readable bytes behind it:
 * {"info":{…},"messages":[{"info":…,"parts":[…]},…]}. Those after the first are of sub-agents, and
 * the member caller stands beside info: the id of the first. Returns false when there is no
 * more. */
bool opencode_events_next(struct opencode_events *events, struct buf *text);

void opencode_events_free(struct opencode_events *events);

#endif
