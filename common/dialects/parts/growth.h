#ifndef PARTS_GROWTH_H
#define PARTS_GROWTH_H

/*
 * Sends the messages of a growing session, takes them back, and sends them again. At any time, the
 * output without the messages that its tombstones forget (metadata.forgets) equals the result of
 * reading the records so far:
 *
 *     sent  a b c d        now a, b, e:      {"forgets":["c","d"]} e
 *     sent  a b c d        now s, d:         {"forgets":["a","b","c","d"]} s d
 *
 * A message can be taken back only by its id. A message without one gets the id of its session with
 * a number.
 */

#include "dialects/parts/joiner.h"

/* Messages in order. The caller owns list, and frees it with free. */
struct growth_list {
	struct joined **list;
	size_t count, cap;
};

/* Whether earlier records may be visited again. The number of visits, which compared counts, is
 * limited to a constant for each record of the session, plus a constant. */
bool growth_may_compare(uint64_t compared, uint64_t records);

/* Gives the message, whose draft is about to be closed, an id unless it has one. session is a JSON
 * string; otherwise the name of the format is used instead. */
void growth_name(
    struct joiner *joiner, struct draft *draft, struct str session, const char *format);

/* Writes a tombstone for the messages that were taken back, if there are any. It has the name
 * session, or else the name of joiner->taken_of. line is the newest line. */
void growth_bury(struct joiner *joiner, const struct line *line, struct str session);

/* Makes the output equal to the messages of sent, in their order. left has the messages that were
 * sent and are not in sent: these are taken back. So are sent messages that follow, in sent, a
 * message that was not sent. If a call or a result is taken back, so is the other of the pair; if a
 * message with an id is, so is any other with that id; and so are all messages after these. A
 * message that is still being gathered and not shown is held back, with all after it. The messages
 * of each session get a tombstone of their own. */
void growth_turn(struct joiner *joiner, const struct growth_list *sent,
    const struct growth_list *left, const struct line *line, struct str session);

#endif
