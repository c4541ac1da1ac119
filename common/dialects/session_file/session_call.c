#include "dialects/session_file/session_call.h"

#include "dialects/parts/call_input.h"
#include "dialects/parts/name.h"
#include "dialects/session_file/session_form.h"
#include "json/string.h"
#include "json/write.h"

/* What is in text, in a row. */
static const enum session_form_value pieces[] = {
    SESSION_call, SESSION_name, SESSION_arguments, SESSION_written};

enum { PIECES = ARRAY_COUNT(pieces) };

struct session_call_place {
	size_t end[PIECES]; /* of each, where the first starts at the end of the call before */
};

void
session_call_begin(struct session_call_list *calls)
{
	buf_reset(&calls->list);
	buf_reset(&calls->text);
	calls->next = 0;
	call_ids_begin(&calls->ids);
}

/* Appends the arguments as a string; those from start on are the object that they are. */
static void
add_written(struct session_call_list *calls, struct json_value arguments, size_t start)
{
	if (arguments.type == JSON_STRING && !json_is_blank(arguments)) {
		buf_add_str(&calls->text, json_span(arguments));
		return;
	}
	buf_set(&calls->scratch, str_rest(buf_str(&calls->text), start));
	json_write_string(&calls->text, buf_str(&calls->scratch));
}

void
session_call_add(struct session_call_list *calls, const struct tool_call *call, struct str *value)
{
	struct session_call_place noted;

	call_ids_call(&calls->ids, call->id, &calls->text);
	noted.end[0] = calls->text.len;
	name_write(call->name, calls->name_max, &calls->text);
	noted.end[1] = calls->text.len;
	call_input_write(call->arguments, &calls->text, &calls->scratch);
	noted.end[2] = calls->text.len;
	add_written(calls, call->arguments, noted.end[1]);
	noted.end[3] = calls->text.len;
	buf_add(&calls->list, &noted, sizeof noted);
	session_call_set(calls, session_call_count(calls) - 1, value);
}

size_t
session_call_count(const struct session_call_list *calls)
{
	return calls->list.len / sizeof(struct session_call_place);
}

void
session_call_set(const struct session_call_list *calls, size_t number, struct str *value)
{
	const struct session_call_place *call =
	    (const struct session_call_place *)calls->list.ptr + number;
	size_t start = number > 0 ? call[-1].end[PIECES - 1] : 0;

	for (unsigned i = 0; i < PIECES; i++) {
		value[pieces[i]] = str_of(calls->text.ptr + start, call->end[i] - start);
		start = call->end[i];
	}
}

ptrdiff_t
session_call_find(struct session_call_list *calls, struct json_value id)
{
	struct str value[SESSION_VALUE_COUNT];

	buf_reset(&calls->scratch);
	if (!call_ids_result(&calls->ids, id, &calls->scratch))
		return SESSION_CALL_NONE;
	for (size_t i = calls->next; i < session_call_count(calls); i++) {
		session_call_set(calls, i, value);
		if (str_eq(value[SESSION_call], buf_str(&calls->scratch)))
			return (ptrdiff_t)i;
	}
	return SESSION_CALL_NONE;
}

void
session_call_free(struct session_call_list *calls)
{
	call_ids_free(&calls->ids);
	buf_free(&calls->list);
	buf_free(&calls->text);
	buf_free(&calls->scratch);
}
