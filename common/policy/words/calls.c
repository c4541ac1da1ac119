#include "policy/words/calls.h"

#include <stdlib.h>

#include "base/list.h"
#include "json/string.h"
#include "policy/outline/outline_call.h"
#include "tokens/estimate.h"

/* The line of an outline begins with the tool's name or action: a word that the column of tools
 * already shows is removed. */
static struct str
without_name(struct str head, struct str name, enum tool_op op)
{
	const char *blank = memchr(head.ptr, ' ', head.len);
	struct str word = str_of(head.ptr, blank != NULL ? (size_t)(blank - head.ptr) : head.len);

	if (!str_eq(word, name) && (op == TOOL_SHELL || !str_eq(word, tool_op_name(op))))
		return head;
	return blank != NULL ? str_rest(head, word.len + 1) : STR("");
}

static void
write_line(struct calls *calls, const struct tool_call *given, struct call_line *line)
{
	struct tool_arguments arguments;
	struct call call = {.id = STR(""), .arguments = given->arguments};

	buf_reset(&line->tool);
	if (given->name.type == JSON_STRING)
		json_decode(given->name, &line->tool);
	call.name = line->tool.len > 0 ? buf_str(&line->tool) : STR("");
	tool_arguments(given->arguments, &calls->arena, &arguments);
	tool_classify(call.name, &arguments, &calls->arena, &call.use);
	buf_reset(&line->file);
	if (call.use.op == TOOL_READ || tool_kind(call.use.op) == TOOL_EDIT)
		buf_add_str(&line->file, call.use.target);
	outline_call_write_head(&call, &calls->head);
	buf_set(&line->use, without_name(buf_str(&calls->head), call.name, call.use.op));
	buf_reset(&calls->head);
	if (given->arguments.type == JSON_STRING)
		json_decode(given->arguments, &calls->head);
	else if (given->arguments.type != JSON_ABSENT)
		buf_add_str(&calls->head, json_span(given->arguments));
	line->tokens = estimate_text(calls->estimator, call.name) +
	    (calls->head.len > 0 ? estimate_text(calls->estimator, buf_str(&calls->head)) : 0);
	arena_reset(&calls->arena);
}

/* The number of a line that is free. */
static size_t
find_line(struct calls *calls)
{
	if (calls->unused_count > 0)
		return calls->unused[--calls->unused_count];
	LIST_ADD(calls->line, calls->count, calls->cap, (struct call_line){.tool = BUF_INIT});
	return calls->count - 1;
}

void
calls_take(struct calls *calls, struct walk *walk, const struct verdict *verdict)
{
	if (calls->answered > 0)
		LIST_ADD(calls->unused, calls->unused_count, calls->unused_cap,
		    (size_t)calls->answered - 1);
	calls->answered = verdict->note;
	calls->made_count = 0;
	for (uint32_t i = 0; i < verdict->calls; i++) {
		size_t line = find_line(calls);

		write_line(calls, &walk->call[i], &calls->line[line]);
		walk_note(walk, i, line + 1);
		LIST_ADD(calls->made, calls->made_count, calls->made_cap, line);
	}
}

const struct call_line *
calls_made(const struct calls *calls, uint32_t index)
{
	return &calls->line[calls->made[index]];
}

const struct call_line *
calls_answered(const struct calls *calls)
{
	return calls->answered > 0 ? &calls->line[calls->answered - 1] : NULL;
}

void
calls_free(struct calls *calls)
{
	for (size_t i = 0; i < calls->count; i++) {
		buf_free(&calls->line[i].tool);
		buf_free(&calls->line[i].use);
		buf_free(&calls->line[i].file);
	}
	free(calls->line);
	free(calls->unused);
	free(calls->made);
	buf_free(&calls->head);
	arena_free(&calls->arena);
}
