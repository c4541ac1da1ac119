#include "dialects/ai-sdk/ai_sdk_stream.h"

#include "dialects/rows/row_message.h"

static bool
begin_text(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	reader->is_streamed = false;
	return true;
}

static bool
think(struct row_reader *reader, struct row_place *place)
{
	row_reader_extend(reader, AI_SDK_THOUGHT, json_find(place->value, STR("delta")));
	return true;
}

static bool
end_thought(struct row_reader *reader, struct row_place *place)
{
	(void)place;
	buf_reset(&reader->variable[AI_SDK_THOUGHT]);
	return true;
}

/* The result that the part of a call has. */
const struct row ai_sdk_outcomes[] = {
    {"errorText:string", AI_SDK_ANSWERED, .error = "", AI_SDK_PIECES("errorText")},
    {"state=output-denied", AI_SDK_ANSWERED, .error = "",
	AI_SDK_PIECES("approval.reason|" AI_SDK_DENIED)},
    {"output:any", AI_SDK_ANSWERED, AI_SDK_PIECES("output|''")},
    {"result:any", AI_SDK_ANSWERED, AI_SDK_PIECES("result|''")},
    {NULL, ROW_ALSO},
    {0},
};

/* A call of which only deltas were read. */
static const struct row streamed_call[] = {
    {NULL, ROW_CALL, .id = "%call", .name = "%tool", .arguments = "%input"},
    {0},
};

static bool
send_call(struct row_reader *reader, struct row_place *place)
{
	if (reader->variable[AI_SDK_CALL].len > 0)
		row_reader_read(reader, place, streamed_call, place->value);
	buf_reset(&reader->variable[AI_SDK_CALL]);
	buf_reset(&reader->variable[AI_SDK_INPUT]);
	return true;
}

static bool
begin_call(struct row_reader *reader, struct row_place *place)
{
	send_call(reader, place);
	row_reader_set(reader, AI_SDK_CALL, json_find(place->value, STR("toolCallId")));
	row_reader_set(reader, AI_SDK_TOOL, json_find(place->value, STR("toolName")));
	return true;
}

static bool
is_streamed_call(const struct row_reader *reader, const struct row_place *place)
{
	return str_eq(json_span(json_find(place->value, STR("toolCallId"))),
	    buf_str(&reader->variable[AI_SDK_CALL]));
}

static bool
extend_call(struct row_reader *reader, struct row_place *place)
{
	if (is_streamed_call(reader, place))
		row_reader_extend(
		    reader, AI_SDK_INPUT, json_find(place->value, STR("inputTextDelta")));
	return true;
}

/* The call came as a whole. */
static bool
end_call(struct row_reader *reader, struct row_place *place)
{
	if (is_streamed_call(reader, place)) {
		buf_reset(&reader->variable[AI_SDK_CALL]);
		buf_reset(&reader->variable[AI_SDK_INPUT]);
	}
	return true;
}

/* Ends the texts before, after the call that is being streamed. */
static const struct row send[] = {{NULL, ROW_ALSO, .also = send_call}, {0}};
static const struct row close[] = {{NULL, ROW_SKIP, .record = "none"}, {0}};
static const struct row_piece step[] = {{".", send}, {".", close}, {NULL}};
static const struct row_piece output[] = {{".", send}, {".", ai_sdk_outcomes}, {NULL}};

static const struct row unended[] = {
    {"%thought", ROW_THINKING, .content = "%thought", .also = end_thought},
    {NULL, ROW_ALSO},
    {0},
};

bool
ai_sdk_stream_end(struct row_reader *reader, struct row_place *place)
{
	return row_reader_read(reader, place, unended, place->value);
}

const struct row ai_sdk_chunks[] = {
    {"type=text-start|text-end", ROW_SKIP, .also = begin_text},
    {"type=text-delta delta:string", ROW_TEXT, .content = "delta", .also = row_message_go_on},
    {"type=reasoning-delta delta:string", ROW_SKIP, .also = think},
    {"type=reasoning-end", ROW_THINKING, .content = "%thought", .also = end_thought},
    {"type=tool-input-available", ROW_CALL, .id = "toolCallId", .name = "toolName",
	.arguments = "input", .known = "type toolCallId toolName input", .also = end_call},
    {"type=tool-input-error", ROW_CALL, .id = "toolCallId", .name = "toolName",
	.arguments = "input", .inside = ai_sdk_outcomes,
	.known = "type toolCallId toolName input errorText", .also = end_call},
    {"type=tool-input-start toolCallId:string", ROW_SKIP, .also = begin_call},
    {"type=tool-input-delta", ROW_SKIP, .also = extend_call},
    {"type=tool-output-available preliminary:true", ROW_SKIP},
    {"type=tool-output-available|tool-output-error", ROW_INSIDE, .pieces = output},
    {"type=tool-output-denied", AI_SDK_ANSWERED, .error = "", AI_SDK_PIECES(AI_SDK_DENIED)},
    {"type=file mediaType^image/", ROW_IMAGE, .content = "url", .known = "type mediaType url"},
    {"type=start|start-step|finish-step|finish|abort|error", ROW_INSIDE, .pieces = step},
    {"type^data-|source-|tool-|reasoning-|message-metadata|file", ROW_SKIP},
    {0},
};
