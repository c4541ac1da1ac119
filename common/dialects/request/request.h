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
	bool has_system; /* a first system message becomes the member system */
	bool needs_max_tokens;
	bool has_marks; /* of the provider's cache: see cache_marks.h */
	/* Appends the definition of a tool as the API spells it. Returns false when the API has no
	 * such tool. */
	bool (*write_tool)(struct json_value tool, struct buf *buf);
	/* Puts the member for the format of the answer; format may be absent. config is the
	 * output_config that a request of Anthropic had beside it, or absent. Returns false when
	 * the API has no such format. */
	bool (*put_format)(
	    struct json_value format, struct json_value config, struct json_writer *w);
	/* Puts the choice of tools; an absent one says nothing but whether calls are serial. What
	 * is said of that beside the choice is the caller's affair. Returns false when the API has
	 * no such choice. */
	bool (*put_choice)(const struct definition_choice *choice, struct json_writer *w);
	bool has_parallel; /* parallel_tool_calls is a member of its own */
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
	struct buf system; /* the content of a first system message */
	struct buf tools;  /* as the API spells them, with commas between */
	struct buf text;
	struct buf left_out; /* names of members that the API does not have: 'n', 'user' */
	bool may_be_none;    /* without messages nothing is written, and no fault is set */
	bool is_none;        /* a fault is set, since there are no messages for the API */
};

void request_init(struct request *request, enum request_form form, const struct request_api *api,
    const struct prompt *prompt, struct json_value given);
void request_free(struct request *request);

#endif
