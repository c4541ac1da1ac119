#ifndef PARTS_GROWTH_H
#define PARTS_GROWTH_H

/*
 * What a session that grows takes back, and sends again. The output without what its tombstones
 * forget (metadata.forgets) is what the records so far make:
 *
 *     left  a b c d        a, b, e are sent now:      {"forgets":["c","d"]} e
 *     left  a b c d        s, d are sent now:         {"forgets":["a","b","c","d"]} s d
 *
 * A message needs an id, by which it can be taken back. One without gets that of its session with a
 * number.
 */

#include "dialects/parts/joiner.h"

/* Messages in an order. The caller owns the list, which is freed with free. */
struct growth_list {
	struct joined **list;
	size_t count, cap;
};

/* Whether records that came before may be looked at again: so many in all, for each that the
 * session has, and for so many more. compared counts those that were. */
bool growth_may_compare(uint64_t compared, uint64_t records);

/* Gives the message, whose draft is about to be closed, an id unless it has one. session is a
 * string, JSON; where it is none, the name of the format takes its place. */
void growth_name(
    struct joiner *joiner, struct draft *draft, struct str session, const char *format);

/* Writes a tombstone for what was taken back, if anything was. It has the name of the session, or
 * else that of joiner->taken_of; line is the newest one. */
void growth_bury(struct joiner *joiner, const struct line *line, struct str session);

/* Sends the messages of sent, in their order: what left and is none of them is in left, and is
 * taken back, and so is what left but comes after a message that did not, or after the call of a
 * result that is taken back, or the copy with the id of one. A message that is being gathered and
 * not shown waits, and the rest with it. Messages of each session get a tombstone of their own. */
void growth_turn(struct joiner *joiner, const struct growth_list *sent,
    const struct growth_list *left, const struct line *line, struct str session);

#endif
