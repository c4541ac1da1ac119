#ifndef INSTRUCTOR_INSTRUCTOR_STORE_H
#define INSTRUCTOR_INSTRUCTOR_STORE_H

/*
 * The lists of messages of an AgentContext, one for each section, which the writer puts into the
 * messageStore. The store owns the lists. A zeroed store is empty.
 */

#include "base/hash/map.h"
#include "json/edit.h"

struct instructor_store {
	struct instructor_section *section;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
};

/* The name of the section of messages that name no section, as a JSON string. */
struct json_value instructor_store_messages(void);

/* The list of messages of the section of that name, a JSON string; absent: messages. The caller
 * appends a message, or takes a comma off its end. Valid until the next call. */
struct buf *instructor_store_section(struct instructor_store *store, struct json_value name);

/* Adds edits that put the lists into the sections of value, a messageStore in the text of edit, and
 * that append the sections which value does not have. Each list is put there once. */
void instructor_store_fill(
    struct instructor_store *store, struct json_edit *edit, struct json_value value);

void instructor_store_clear(struct instructor_store *store);

void instructor_store_free(struct instructor_store *store);

#endif
