#ifndef REQUEST_REQUEST_H
#define REQUEST_REQUEST_H

/*
 * Requests of an API: {"model":…,"messages":[…],…}. dialects/request/request_reader.h reads them.
 *
 * The stage behind a writer of messages makes one array or one request body of them, on one line:
 *
 *     members given by the user, which win; known members of metadata.request; system, messages,
 *     tools, response format
 */

#include "data/stage.h"
#include "dialects/anthropic/cache_marks.h"
#include "dialects/request/definition.h"
#include "dialects/request/prompt.h"
#include "json/write.h"

/* How an API spells a request. */
struct request_api {
	const struct str *member; /* names that the API knows */
	unsigned count;
	/* Names of other APIs for members of this one. */
	const struct request_alias {
		struct str other;
		struct str own;
	} * alias;
	unsigned alias_count;
	struct str messages; /* the member that has the messages */
	struct str system;   /* the member of the system prompt; empty: messages are all */
	struct str choice;   /* the member of the choice of tools */
	struct str format;   /* what put_format puts; or what the format stands in */
	/* Adds the system message, as the writer made it, to the value of the member. Returns false
	 * when it has no place there. */
	bool (*add_system)(struct json_value message, struct buf *system);
	struct str system_tail; /* behind what was added */
	bool has_text_system;   /* the member is a string */
	/* The member of one tool that has the definitions of functions; empty: each is a tool. */
	struct str functions;
	bool needs_model; /* in the body */
	bool needs_max_tokens;
	bool has_marks; /* of the provider's cache: see cache_marks.h */
	/* Appends the definition of a tool as the API spells it. Returns false when the API has no
	 * such tool. */
	bool (*write_tool)(struct json_value tool, struct buf *buf);
	/* Puts the member for the format of the answer; format may be absent. kept are the members
	 * of metadata.request, of which some stand in the same member. Returns false when the API
	 * has no such format. */
	bool (*put_format)(struct json_value format, struct json_value kept, struct json_writer *w);
	/* Puts the choice of tools; an absent one says nothing but whether calls are serial. What
	 * is said of that beside the choice is the caller's affair. Returns false when the API has
	 * no such choice. */
	bool (*put_choice)(const struct definition_choice *choice, struct json_writer *w);
	bool has_parallel; /* parallel_tool_calls is a member of its own */
	bool says_serial;  /* the choice says that calls are serial */
	/* Puts a member of the API, by its name, whose value another API spells otherwise. Returns
	 * false when the value is as this API has it. NULL: all are. */
	bool (*put_member)(struct str name, struct json_value value, struct json_writer *w);
};

enum request_form { REQUEST_ARRAY, REQUEST_BODY };

struct request {
	struct stage stage;
	enum request_form form;
	const struct request_api *api;
	const struct prompt *prompt; /* has the context record */
	/* Where the messages end that are in the provider's cache, counted with a first system
	 * message; NULL: nothing is known of a cache. */
	const struct cache_marks_place *cached;
	struct json_value given; /* what the user gave: an object, or absent */
	struct buf messages;     /* with commas between */
	uint64_t count;
	uint64_t systems;  /* of these, system messages */
	struct buf system; /* what add_system has added */
	struct buf tools;  /* as the API spells them, with commas between */
	struct buf served; /* the same of those that the provider runs, where functions have a place
			      of their own */
	struct buf text;
	struct buf left_out; /* names of members that the API does not have: 'n', 'user' */
	bool may_be_none;    /* without messages nothing is written, and no fault is set */
	bool is_none;        /* a fault is set, since there are no messages for the API */
};

void request_init(struct request *request, enum request_form form, const struct request_api *api,
    const struct prompt *prompt, struct json_value given);
void request_free(struct request *request);

#endif
