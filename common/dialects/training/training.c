/*
 * Lines of data sets for training, each a conversation and a session of its own; this file reads
 * them.
 *
 *     {"prompt":…,"completion":…}                      texts, or lists of messages
 *     {"prompt":…,"chosen":…,"rejected":…}             the chosen answer is the conversation
 *     {"input":{"messages":[…]},"preferred_output":[…],"non_preferred_output":[…]}
 *     {"instruction":…,"input":…,"output":…,"history":[[…,…],…]}       Alpaca
 *
 * A shape is a row. Members beside the turns, such as the rejected answer, become a context record
 * and a system message, as of a request.
 */

#include "dialects/request/chat.h"
#include "dialects/rows/conditions.h"
#include "json/write.h"

/* A piece of the conversation: a text, or a list of messages. */
struct turn {
	const char *at; /* a path; NULL: no turn */
	/* Of a text; NULL: a list of pairs of texts, of the user and the assistant. */
	const char *role;
	const char *more; /* a path: a text that follows on the next line */
};

enum { TURNS = 3 };

#define OTHER "!role !messages "
#define ALPACA \
	{"history"}, \
	{ \
		"instruction", "user", "input" \
	}
/* The first shape that a line has counts. */
static const struct shape {
	const char *when;  /* conditions: rows/conditions.h */
	const char *known; /* members that turns are made of */
	/* one of the paths, whose members except messages are also beside the turns */
	const char *inner;
	struct turn turn[TURNS];
} shapes[] = {
    {OTHER "instruction:string chosen:text rejected", "instruction input history chosen", NULL,
	{ALPACA, {"chosen", "assistant"}}},
    {OTHER "instruction:string output:text", "instruction input history output", NULL,
	{ALPACA, {"output", "assistant"}}},
    {"input.messages:array preferred_output:text", "input preferred_output", "input",
	{{"input.messages", "user"}, {"preferred_output", "assistant"}}},
    /* The prompt is in the answers, too. */
    {OTHER "chosen[].role=system|developer|user rejected", "chosen", NULL,
	{{"chosen", "assistant"}}},
    {OTHER "prompt:text chosen:text rejected", "prompt chosen", NULL,
	{{"prompt", "user"}, {"chosen", "assistant"}}},
    {OTHER "question:string chosen:text rejected", "question chosen", NULL,
	{{"question", "user"}, {"chosen", "assistant"}}},
    {OTHER "chosen:text rejected:text", "chosen", NULL, {{"chosen", "assistant"}}},
    {OTHER "prompt:text completion:text", "prompt completion", NULL,
	{{"prompt", "user"}, {"completion", "assistant"}}},
    {OTHER "prompt[].role:string", "prompt", NULL, {{"prompt", "user"}}},
};

static struct conditions_table table = CONDITIONS_TABLE(shapes);

/* The shape of the line, or NULL. */
static const struct shape *
find_shape(struct json_value record)
{
	size_t i = conditions_table_find(&table, record);

	return i < table.count ? &shapes[i] : NULL;
}

static enum dialect_sign
sign(struct json_value record)
{
	if (record.type == JSON_ARRAY)
		record = json_first(record);
	return find_shape(record) != NULL ? DIALECT_SIGN_CLEAR : DIALECT_SIGN_NONE;
}

/* Emits the members of the line beside its turns. */
static void
read_beside(
    struct chat *chat, const struct line *line, struct json_value record, const struct shape *shape)
{
	struct json_value inner = json_absent;
	struct buf beside = BUF_INIT;
	struct json_writer w;

	if (shape->inner != NULL)
		inner = json_find(record, str_from(shape->inner));
	json_begin(&w, &beside, '{');
	for (struct json_walk walk = json_walk_members(inner); json_walk_next(&walk);)
		json_put_member(&w, walk.name, walk.value);
	for (struct json_walk walk = json_walk_of(record); json_walk_next(&walk);)
		if (!str_is_word_of(json_inner(walk.name), shape->known, ' '))
			json_put_member(&w, walk.name, walk.value);
	json_close(&w);
	chat_read_frame(chat, line, json_written_whole(&beside), STR("messages"));
	buf_free(&beside);
}

/* Emits the text, a string, as a message; more may be absent. */
static void
put_text(struct chat *chat, const struct line *line, const char *role, struct json_value text,
    struct json_value more)
{
	struct buf *made = &chat->text;

	buf_reset(made);
	buf_add_fmt(made, "{\"role\":\"%s\",\"content\":\"", role);
	buf_add_str(made, json_inner(text));
	if (more.type == JSON_STRING && more.len > 2) {
		buf_add_str(made, STR("\\n"));
		buf_add_str(made, json_inner(more));
	}
	buf_add_str(made, STR("\"}"));
	chat_put(chat, line);
}

/* Emits the element of a list: a message, or a record unchanged. */
static void
put_element(struct chat *chat, const struct line *line, struct json_value element)
{
	chat->odd_turns += json_find(element, STR("role")).type != JSON_STRING;
	chat_read_element(chat, line, element);
}

/* Emits a pair of the history. */
static void
put_pair(struct chat *chat, const struct line *line, struct json_value pair)
{
	bool answers = false;

	if (!json_is_list_of(pair, JSON_STRING))
		put_element(chat, line, pair);
	else
		for (struct json_walk walk = json_walk_of(pair); json_walk_next(&walk);) {
			put_text(
			    chat, line, answers ? "assistant" : "user", walk.value, json_absent);
			answers = !answers;
		}
}

static void
read_turn(
    struct chat *chat, const struct line *line, struct json_value record, const struct turn *turn)
{
	struct json_value value = member_path_find(record, str_from(turn->at));
	struct json_value more = json_absent;

	if (turn->more != NULL)
		more = json_find(record, str_from(turn->more));
	if (value.type == JSON_STRING && turn->role != NULL)
		put_text(chat, line, turn->role, value, more);
	for (struct json_walk walk = json_walk_list(value); json_walk_next(&walk);)
		if (turn->role != NULL)
			put_element(chat, line, walk.value);
		else
			put_pair(chat, line, walk.value);
}

static bool
read_record(struct chat *chat, const struct line *line, struct json_value record)
{
	const struct shape *shape = find_shape(record);

	if (shape == NULL)
		return false;
	chat_begin_session(chat, record);
	read_beside(chat, line, record, shape);
	for (size_t i = 0; i < TURNS && shape->turn[i].at != NULL; i++)
		read_turn(chat, line, record, &shape->turn[i]);
	return true;
}

const struct dialect training_dialect = {
    .name = "training", .sign = sign, .read_record = read_record, .is_chat = true};
