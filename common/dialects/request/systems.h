#ifndef REQUEST_SYSTEMS_H
#define REQUEST_SYSTEMS_H

/*
 * A stage that puts system and developer messages where an API takes them, with their texts and in
 * their order. Those before all other messages stay. A later one is
 *
 *   - lifted to the others at the start: all other messages are then held until the stream ends;
 *   - kept in its place; or
 *   - made a message of the user, in its place.
 */

#include "data/queue.h"

enum systems_place { SYSTEMS_LIFT, SYSTEMS_KEEP, SYSTEMS_USER };

struct systems {
	struct stage stage;
	enum systems_place place;
	bool is_midst; /* a message of another role came */
	struct queue held;
	struct buf text;
};

void systems_init(struct systems *systems, enum systems_place place);
void systems_free(struct systems *systems);

#endif
