#ifndef POLICY_ISOLATE_RESOLUTIONS_H
#define POLICY_ISOLATE_RESOLUTIONS_H

/*
 * The failures that an artifact resolves. A failure may stay while the group that resolved it
 * becomes an artifact. Then the artifact names the failure in "resolves"; otherwise it would be
 * open again.
 *
 *     call c1  fails        stays, noted: the second group resolves c1
 *     call c2  succeeds     becomes {"kind":"trace","resolves":"c1"}
 *
 * Groups are noted in their order, each before the next one is decided.
 * Memory: the ids of failures that stay although they are resolved.
 */

#include "base/hash/map.h"
#include "data/session/session.h"

struct resolutions {
	struct map newest; /* the number of a group -> its newest item */
	struct map last;   /* an id -> the place in the stream where its last failure is resolved */
	struct resolutions_item {
		struct str id;  /* of the failed call */
		uint32_t older; /* of the same group; NONE at the end */
	} * item;
	uint32_t count, cap;
	struct arena arena;
};

/* Notes that the group stays. It must be judged, and may have been noted. Groups that are pinned or
 * frozen, or are no trace, are not noted: they stay in any case. */
void resolutions_note(struct resolutions *resolutions, struct session *session, uint32_t group);

/* Puts the groups that resolve failures of this one into the map, by resolutions_key. */
void resolutions_list(const struct session *session, uint32_t group, struct map *map);

/* The key of the group, also when a window has forgotten others. */
struct hash resolutions_key(const struct session *session, uint32_t group);

/* Whether an artifact in the place of the group resolves something. */
bool resolutions_has(
    const struct resolutions *resolutions, const struct session *session, uint32_t group);

/* Appends what an artifact in the place of the group resolves, as the JSON of an id or of a list of
 * ids: the ids that its messages resolve, and the noted ones. Appends nothing when there are none.
 * Returns false when no artifact can name the id, because another failure with the id is open
 * there. */
bool resolutions_write(const struct resolutions *resolutions, const struct session *session,
    uint32_t group, struct buf *buf);

void resolutions_free(struct resolutions *resolutions);

#endif
