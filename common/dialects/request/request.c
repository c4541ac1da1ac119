#include "dialects/request/request.h"

#include "dialects/dialect.h"
#include "json/write.h"

enum { LEFT_OUT_MAX = 200 }; /* bytes of names that are said */

static void
take(struct stage *stage, struct record *record)
{
	struct request *request = (struct request *)stage;
	struct message read;
	const struct message *message;
	bool is_system;

	if (record->state == RECORD_ASIDE) {
		stage_emit(stage, record);
		return;
	}
	message = record_message(record, &read);
	/* An item of an API may have no role. */
	is_system = message->kind == RECORD_MESSAGE && message->role == ROLE_SYSTEM;
	if (request->form == REQUEST_BODY && request->api->system.len > 0 && request->count == 0 &&
	    is_system && request->api->add_system(message->value, &request->system))
		return;
	request->systems += is_system;
	if (request->count++ > 0)
		buf_add_char(&request->messages, ',');
	buf_add_str(&request->messages, json_span(message->value));
}

static void
leave_out(struct request *request, struct str name)
{
	struct buf *names = &request->left_out;

	if (names->len > LEFT_OUT_MAX)
		return;
	buf_add_str(names, names->len > 0 ? STR(", '") : STR("'"));
	buf_add_str(names, name);
	buf_add_char(names, '\'');
}

/* The index of the name among the members of the API, or -1. */
static int
find_known(const struct request_api *api, struct str name)
{
	for (unsigned i = 0; i < api->count; i++)
		if (str_eq(name, api->member[i]))
			return (int)i;
	return -1;
}

static struct str
own_name(const struct request_api *api, struct str name)
{
	for (unsigned i = 0; i < api->alias_count; i++)
		if (str_eq(name, api->alias[i].other))
			return api->alias[i].own;
	return name;
}

/* Whether the member has a place outside metadata.request. Under such a name, metadata.request has
 * only values of a type that is not read. */
static bool
has_place(const struct request_api *api, struct str name)
{
	return str_eq(name, api->messages) || str_eq(name, STR("tools")) ||
	    str_eq(name, api->system) || str_eq(name, STR("response_format"));
}

/* Whether the member says which tools are called, and how. */
static bool
is_of_choice(struct str name)
{
	return str_eq(name, STR("tool_choice")) || str_eq(name, STR("parallel_tool_calls")) ||
	    str_eq(name, STR("function_call"));
}

/* Puts which tools the answer may call, and whether it may call several at a time. An API refuses
 * that beside no tools. */
static void
put_choice(struct request *request, struct json_value kept, struct json_writer *w)
{
	struct json_value said = json_find(kept, STR("tool_choice"));
	struct json_value parallel = json_find(kept, STR("parallel_tool_calls"));
	const struct request_api *api = request->api;
	bool has_choice = json_has(request->given, api->choice) ||
	    (!str_eq(api->choice, STR("tool_choice")) && json_has(kept, api->choice));
	struct definition_choice choice;

	if (request->tools.len == 0 && !json_has(request->given, STR("tools")))
		return;
	if (said.type == JSON_ABSENT)
		said = json_find(kept, STR("function_call"));
	if (!definition_read_choice(said, &choice)) {
		leave_out(request, STR("tool_choice"));
		choice.kind = DEFINITION_CHOICE_ABSENT;
	}
	choice.is_serial |= parallel.type == JSON_FALSE;
	if (!has_choice && !api->put_choice(&choice, w))
		leave_out(request, STR("tool_choice"));
	if (json_has(request->given, STR("parallel_tool_calls")))
		return;
	if (api->has_parallel && (choice.is_serial || parallel.type == JSON_TRUE))
		json_member_bool(w, STR("parallel_tool_calls"), !choice.is_serial);
	else if (!api->has_parallel && choice.is_serial && (has_choice || !api->says_serial))
		leave_out(request, STR("parallel_tool_calls"));
}

/* Puts the members of metadata.request that the API has and the user did not give, each once. */
static void
put_kept(struct request *request, struct json_value kept, struct json_writer *w)
{
	uint64_t seen = 0;

	for (struct json_walk walk = json_walk_of(kept); json_walk_next(&walk);) {
		struct str name = own_name(request->api, json_inner(walk.name));
		int known = find_known(request->api, name);

		/* Where no body needs it, the URL names the model. */
		if (is_of_choice(name) ||
		    (!request->api->needs_model && str_eq(name, STR("model"))))
			continue;
		if (known < 0 || has_place(request->api, name)) {
			leave_out(request, json_inner(walk.name));
			continue;
		}
		if (json_has(request->given, name) || str_eq(name, request->api->format) ||
		    (seen >> known & 1) != 0)
			continue;
		seen |= UINT64_C(1) << known;
		if (request->api->put_member == NULL ||
		    !request->api->put_member(name, walk.value, w))
			json_member_value(w, name, walk.value);
	}
}

/* Spells the tools in request->tools as the API has them. */
static void
read_tools(struct request *request, struct json_value tools)
{
	struct arena arena = ARENA_INIT;
	struct buf tool = BUF_INIT;

	tools = definition_tools(tools, &arena);
	for (struct json_walk walk = json_walk_list(tools); json_walk_next(&walk);) {
		struct json_value name = json_find(walk.value, STR("name"));
		struct definition_tool read;
		bool is_served = request->api->functions.len > 0 &&
		    (!definition_read_tool(walk.value, &read) || read.kind == DEFINITION_SERVER);
		struct buf *to = is_served ? &request->served : &request->tools;

		buf_reset(&tool);
		if (request->api->write_tool(walk.value, &tool)) {
			buf_add_str(to, to->len > 0 ? STR(",") : STR(""));
			buf_add_str(to, buf_str(&tool));
		} else {
			leave_out(
			    request, name.type == JSON_STRING ? json_inner(name) : STR("tools"));
		}
	}
	buf_free(&tool);
	arena_free(&arena);
}

static void
put_tools(struct request *request, struct json_writer *w)
{
	struct str functions = request->api->functions;

	if (request->tools.len + request->served.len == 0)
		return;
	json_member_open(w, STR("tools"), '[');
	if (functions.len > 0 && request->tools.len > 0) {
		json_open(w, '{');
		json_member_open(w, functions, '[');
	}
	if (request->tools.len > 0)
		json_put_raw(w, buf_str(&request->tools));
	if (functions.len > 0 && request->tools.len > 0) {
		json_close(w);
		json_close(w);
	}
	if (request->served.len > 0)
		json_put_raw(w, buf_str(&request->served));
	json_close(w);
}

/* Puts the format of the answer, unless the user gave the member. */
static void
put_format(struct request *request, struct json_value format, struct json_value kept,
    struct json_writer *w)
{
	if (json_has(request->given, request->api->format))
		return;
	if (json_has(request->given, STR("response_format")))
		format.type = JSON_ABSENT;
	if (!request->api->put_format(format, kept, w))
		leave_out(request, STR("response_format"));
}

/* Writes the body into request->text. */
static void
write_body(struct request *request, struct json_value context)
{
	struct json_value kept = json_find(json_find(context, STR("metadata")), STR("request"));
	const struct request_api *api = request->api;
	struct json_writer w;

	json_begin(&w, &request->text, '{');
	for (struct json_walk walk = json_walk_of(request->given); json_walk_next(&walk);)
		json_put_member(&w, walk.name, walk.value);
	if (!json_has(request->given, STR("tools")))
		read_tools(request, json_find(context, STR("tools")));
	put_kept(request, kept, &w);
	put_choice(request, kept, &w);
	if (request->system.len > 0 && !json_has(request->given, api->system)) {
		buf_add_str(&request->system, api->system_tail);
		json_member_raw(&w, api->system, buf_str(&request->system));
	}
	json_member_open(&w, api->messages, '[');
	json_put_raw(&w, buf_str(&request->messages));
	json_close(&w);
	put_tools(request, &w);
	put_format(request, json_find(context, STR("response_format")), kept, &w);
	json_close(&w);
}

/* Sets a fault, with the line to type, when the body lacks a member that the API needs. An empty
 * object from the user means messages and tools alone, as in lines for fine-tuning. */
static bool
is_complete(struct request *request)
{
	struct json_value body = json_written(&request->text, 0);
	struct json_value model = json_find(body, STR("model"));
	struct json_value max_tokens = json_find(body, STR("max_tokens"));
	struct buf line = BUF_INIT;
	struct str given = STR("");
	bool lacks_model, lacks_max;

	lacks_model = request->api->needs_model && (model.type != JSON_STRING || model.len <= 2);
	lacks_max = request->api->needs_max_tokens && max_tokens.type != JSON_NUMBER;
	if (request->given.type == JSON_OBJECT && !json_has_elements(request->given) &&
	    !request->api->needs_max_tokens)
		return true;
	if (!lacks_model && !lacks_max)
		return true;
	if (request->given.len > 2)
		given = str_of(request->given.ptr + 1, request->given.len - 2);
	buf_add_str(&line, STR("--request='{"));
	buf_add_str(&line, lacks_model ? STR("\"model\":\"NAME\"") : STR(""));
	buf_add_str(&line, lacks_model && lacks_max ? STR(",") : STR(""));
	buf_add_str(&line, lacks_max ? STR("\"max_tokens\":4096") : STR(""));
	buf_add_str(&line, given.len > 0 ? STR(",") : STR(""));
	buf_add_str(&line, given);
	buf_add_str(&line, STR("}'"));
	fault_set(request->stage.fault, STATUS_USAGE, "the request has no '%s', type %.*s",
	    lacks_model ? "model" : "max_tokens", STR_ARG(buf_str(&line)));
	buf_free(&line);
	return false;
}

/* A first system message is no message of the body. */
static void
put_marks(struct request *request)
{
	struct cache_marks_place place = *request->cached;

	if (request->system.len > 0 && place.messages-- == 0)
		place = (struct cache_marks_place){0, 0};
	cache_marks_put(&request->text, place);
}

static void
end(struct stage *stage)
{
	struct request *request = (struct request *)stage;
	const struct prompt *prompt = request->prompt;
	struct json_value context = json_absent;
	bool is_none;

	if (request->count == 0 && request->may_be_none)
		return;
	is_none = request->form == REQUEST_BODY ? request->count == 0 :
						  request->api->system.len > 0 &&
		request->count > 0 && request->count == request->systems;
	if (is_none) {
		request->is_none = true;
		fault_set(stage->fault, STATUS_DATA, "no messages for a request");
		return;
	}
	if (request->form == REQUEST_ARRAY) {
		buf_add_char(&request->text, '[');
		buf_add_str(&request->text, buf_str(&request->messages));
		buf_add_char(&request->text, ']');
		dialect_emit(stage, &prompt->line, &request->text);
		return;
	}
	if (prompt->has_context)
		context = json_value_at(prompt->context.ptr);
	write_body(request, context);
	if (!is_complete(request))
		return;
	if (request->cached != NULL && request->api->has_marks)
		put_marks(request);
	dialect_emit(stage, &prompt->line, &request->text);
}

void
request_init(struct request *request, enum request_form form, const struct request_api *api,
    const struct prompt *prompt, struct json_value given)
{
	*request = (struct request){.stage = {.take = take, .end = end},
	    .form = form,
	    .api = api,
	    .prompt = prompt,
	    .given = given};
}

void
request_free(struct request *request)
{
	buf_free(&request->messages);
	buf_free(&request->system);
	buf_free(&request->tools);
	buf_free(&request->served);
	buf_free(&request->text);
	buf_free(&request->left_out);
}
