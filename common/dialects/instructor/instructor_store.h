#ifndef INSTRUCTOR_INSTRUCTOR_STORE_H
#define INSTRUCTOR_INSTRUCTOR_STORE_H

/*
 * The lists of messages of the sections of an AgentContext, gathered by the names of the sections,
 * and put into the messageStore of the AgentContext that is written. The store owns the lists; all
 * zeros is an empty store.
 */

#include "base/hash/hash.h"
#include "json/edit.h"

struct instructor_store {
	struct instructor_section *section;
	uint32_t count;
	uint32_t cap;
	struct map by_name;
};

/* The name of the section of messages that say none, as a JSON string. */
struct json_value instructor_store_messages(void);

/* The list of messages of the section of that name, a JSON string; absent: messages. The caller
 * appends a message, or takes a comma off its end. Valid until the next call. */
struct buf *instructor_store_section(struct instructor_store *store, struct json_value name);

/* Notes in edit that the lists become those of the sections in value, a messageStore in the text of
 * edit; sections that it does not have follow. Every list is put there once. */
void instructor_store_fill(
    struct instructor_store *store, struct json_edit *edit, struct json_value value);

void instructor_store_clear(struct instructor_store *store);

void instructor_store_free(struct instructor_store *store);

#endif
