#ifndef REQUEST_REQUEST_H
#define REQUEST_REQUEST_H

/*
 * Requests of an API: {"model":…,"messages":[…],…}. dialects/request/request_reader.h reads them.
 *
 * The stage after a writer of messages makes one array or one request body of them, on one line:
 *
 *     members given by the user, which take precedence; known members of metadata.request;
 *     system, messages, tools, response format
 */

#include "data/stage.h"
#include "dialects/anthropic/cache_marks.h"
#include "dialects/request/definition.h"
#include "dialects/request/prompt.h"
#include "json/write.h"

/* How an API spells a request. */
struct request_api {
	const struct str *member; /* names of members that the API knows */
	unsigned count;
	/* Names of other APIs for members of this one. */
	const struct request_alias {
		struct str other;
		struct str own;
	} * alias;
	unsigned alias_count;
	struct str messages; /* the member that has the messages */
	struct str system;   /* the member of the system prompt; empty: it is in the messages */
	struct str choice;   /* the member of the choice of tools */
	/* the member that put_format puts, or the member that contains the format */
	struct str format;
	/* Adds the system message, as the writer made it, to the value of the member. Returns false
	 * when the member has no place for it. */
	bool (*add_system)(struct json_value message, struct buf *system);
	struct str system_tail; /* the text after the added messages */
	bool has_text_system;   /* the member is a string */
	/* The member of a tool that lists the definitions of functions; empty: each function is a
	 * tool. */
	struct str functions;
	bool needs_model; /* in the body */
	bool needs_max_tokens;
	bool has_marks; /* of the provider's cache: see cache_marks.h */
	/* Appends the definition of a tool as the API spells it. Returns false when the API has no
	 * such tool. */
	bool (*write_tool)(struct json_value tool, struct buf *buf);
	/* Puts the member for the format of the answer; format may be absent. kept are the members
	 * of metadata.request, some of which go into the same member. Returns false when the API
	 * has no such format. */
	bool (*put_format)(struct json_value format, struct json_value kept, struct json_writer *w);
	/* Puts the choice of tools; an absent choice says only whether calls are serial. The caller
	 * puts members about serial calls that are outside the choice. Returns false when the API
	 * has no such choice. */
	bool (*put_choice)(const struct definition_choice *choice, struct json_writer *w);
	bool has_parallel; /* parallel_tool_calls is a member of its own */
	bool says_serial;  /* the choice says that calls are serial */
	/* Puts a member of the API, by its name, if its value is spelled as in another API. Returns
	 * false when the value is already spelled as in this API. NULL: there are no such
	 * members. */
	bool (*put_member)(struct str name, struct json_value value, struct json_writer *w);
};

enum request_form { REQUEST_ARRAY, REQUEST_BODY };

struct request {
	struct stage stage;
	enum request_form form;
	const struct request_api *api;
	const struct prompt *prompt; /* has the context record */
	/* The end of the messages in the provider's cache, counted with a first system message;
	 * NULL: no cache is known. */
	const struct cache_marks_place *cached;
	struct json_value given; /* members given by the user: an object, or absent */
	struct buf messages;     /* with commas between */
	uint64_t count;
	uint64_t systems;  /* the system messages among them */
	struct buf system; /* the system messages that add_system added */
	struct buf tools;  /* as the API spells them, with commas between */
	/* the same for tools that the provider runs, if functions have a place of their own */
	struct buf served;
	struct buf text;
	struct buf left_out; /* names of members that the API does not have: 'n', 'user' */
	bool may_be_none;    /* an empty session writes nothing, and sets no fault */
	bool is_none;        /* a fault was set, since there are no messages for the API */
};

void request_init(struct request *request, enum request_form form, const struct request_api *api,
    const struct prompt *prompt, struct json_value given);
void request_free(struct request *request);

#endif
