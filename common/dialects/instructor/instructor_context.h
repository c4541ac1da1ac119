#ifndef INSTRUCTOR_INSTRUCTOR_CONTEXT_H
#define INSTRUCTOR_INSTRUCTOR_CONTEXT_H

/*
 * The context of an agent of instructor (AgentContext), and its context record:
 *
 *     {"metadata":M,"systemPrompt":S,"responseFormat":R,"messageStore":
 *         {"sections":[{"name":N,"messages":[...]},...],"parameters":P}}
 *
 *     {"type":"context","system_prompt":S,"response_format":R,"metadata":{M,"x_instructor":X}}
 *
 * X is the AgentContext itself, with empty lists of messages, and with null for each value that the
 * record itself has. So X keeps unknown members, and values that are empty or of another type, such
 * as [], which is PHP's empty object. A store may also be a list of messages, all of the section
 * messages.
 */

#include "base/hash/map.h"
#include "dialects/instructor/instructor_store.h"
#include "json/members.h"

/* Whether the value is an AgentContext: it has a store. */
bool instructor_context_is(struct json_value value);

/* Appends the context record of an AgentContext, as JSON. */
void instructor_context_read(struct json_value value, struct buf *buf);

/* Appends the context record of the first line of a storage file, as JSON. */
void instructor_context_read_header(struct json_value header, struct buf *buf);

/* The sections of the store of an AgentContext, in their order. */
struct instructor_context_sections {
	struct json_walk walk;
	struct json_value list; /* the sections; or the messages, when the store is their list */
	bool is_list;           /* the store is a list of messages */
	bool many;              /* there are other sections than messages */
	bool is_sound;          /* the section has a name, and its messages are a list */
	bool is_repeated;       /* an earlier section of that name also has messages */
	struct json_value name;
	struct json_value messages;
	struct map names; /* of the sound sections so far */
};

void instructor_context_open(struct instructor_context_sections *sections, struct json_value value);
bool instructor_context_next(struct instructor_context_sections *sections);
void instructor_context_close(struct instructor_context_sections *sections);

/* An AgentContext that is made of records: of messages, and of a context record if there is one. */
struct instructor_context {
	struct buf record; /* the last context record */
	struct buf origin; /* the last context record made of an AgentContext or a storage file */
	struct instructor_store store;
};

void instructor_context_set(struct instructor_context *context, struct json_value record);

/* Appends the AgentContext to buf, and empties context. */
void instructor_context_write(struct instructor_context *context, struct buf *buf);

void instructor_context_free(struct instructor_context *context);

#endif
