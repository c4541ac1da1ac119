#include "policy/facts/open_failures.h"

#include "base/text/utf8.h"
#include "data/change.h"
#include "data/message/texts.h"
#include "data/session/declined.h"
#include "policy/digest/line_class.h"
#include "policy/text/cut.h"
#include "policy/text/quote.h"

#define KEY_SIGN " #"

enum {
	LINE_SHOWN = 200, /* bytes of the line of an error */
	COMPARED = 64     /* the newest failures that a success is held against */
};

/* The first line about an error, or else the first line that is not blank. */
static struct str
error_line(struct str text)
{
	struct str first = STR("");

	while (text.len > 0) {
		struct str line = utf8_start(str_trim(str_take_line(&text)), LINE_SHOWN);

		if (line.len > 0 && cut_tells_of_error(line))
			return utf8_start(line_class_cause(line, text), LINE_SHOWN);
		if (first.len == 0)
			first = line;
	}
	return first;
}

/* Appends the label of a call. A label that has one itself is quoted, so that a
 * success of make resolves no failure of "make: alpha": between backquotes as it is, or with
 * escapes where it has a backquote. */
static void
add_label(struct str text, struct buf *buf)
{
	if (str_find(text, STR(": ")) == NULL && text.ptr[0] != '`' && text.ptr[0] != '"') {
		buf_add_str(buf, text);
	} else if (str_find(text, STR("`")) == NULL) {
		buf_add_char(buf, '`');
		buf_add_str(buf, text);
		buf_add_char(buf, '`');
	} else {
		quote_add(buf, text, true);
	}
}

/* Appends the label, the key if other calls may have the same label, and a colon. Returns the start
 * of the part that identifies the call: a key does, even if the label was cut. */
static size_t
add_call(const struct session *t, uint32_t index, struct buf *buf)
{
	struct buf label = BUF_INIT, key = BUF_INIT;
	size_t at = 0;

	retries_add_names(t, index, &label, &key);
	add_label(buf_str(&label), buf);
	if (key.len > 0) {
		at = buf->len;
		buf_add_str(buf, STR(KEY_SIGN));
		buf_add_str(buf, buf_str(&key));
	}
	buf_add_str(buf, STR(": "));
	buf_free(&label);
	buf_free(&key);
	return at;
}

/* Whether the failure, which is a JSON string, begins with the text. */
static bool
begins_with(struct str failure, struct str text)
{
	struct buf json = BUF_INIT;
	bool does;

	json_write_string(&json, text);
	does = str_has_prefix(failure, str_of(json.ptr, json.len - 1)); /* no quote at the end */
	buf_free(&json);
	return does;
}

/* Whether the failure is of a call with the label, whatever its key. */
static bool
has_label(struct str failure, struct str label)
{
	static const struct str ends[] = {STR_INIT(KEY_SIGN), STR_INIT(": ")};
	struct buf text = BUF_INIT;
	bool has = false;

	for (size_t i = 0; i < 2 && !has && str_find(label, STR("…")) == NULL; i++) {
		buf_reset(&text);
		buf_add_str(&text, label);
		buf_add_str(&text, ends[i]);
		has = begins_with(failure, buf_str(&text));
	}
	buf_free(&text);
	return has;
}

/* The first word of the label of a failure, which is a JSON string: the name of the tool. */
static struct str
tool_of(struct str failure)
{
	size_t from = 1, to;

	if (from < failure.len && failure.ptr[from] == '\\')
		from++;
	if (from < failure.len && (failure.ptr[from] == '`' || failure.ptr[from] == '"'))
		from++;
	for (to = from; to < failure.len && failure.ptr[to] != ' ';)
		to++;
	return str_of(failure.ptr + from, to - from);
}

/* Whether another tool failed, of the kind of the call's and on its target. */
static bool
is_of_other_tool(struct str failure, const struct call *call)
{
	struct str tool = tool_of(failure);
	struct buf plain = BUF_INIT, label = BUF_INIT;
	bool has;

	if (call->use.target.len == 0 || str_eq(tool, call->name) ||
	    !tool_is_of_kind(tool, tool_kind(call->use.op)))
		return false;
	retries_write_label(tool, call->use.target, &plain);
	add_label(buf_str(&plain), &label);
	has = has_label(failure, buf_str(&label));
	buf_free(&plain);
	buf_free(&label);
	return has;
}

/* Takes out the failures of the same call, and those that the call made good if it succeeded. */
static void
take_out(struct things *list, const struct session *t, uint32_t index, bool has_succeeded)
{
	const struct call *call = &t->call[index];
	struct buf same = BUF_INIT;
	size_t at = add_call(t, index, &same);
	struct str key = str_of(same.ptr + at, same.len - at);
	struct str label = str_of(same.ptr, at > 0 ? at : same.len - strlen(": "));

	for (uint32_t i = list->used, seen = 0; i-- > 0 && seen < COMPARED; seen++) {
		struct str failure = list->item[i];

		if (failure.len > 0 &&
		    ((at > 0 ? str_find(failure, key) != NULL : begins_with(failure, key)) ||
			(has_succeeded &&
			    (has_label(failure, label) || is_of_other_tool(failure, call)))))
			things_remove(list, i);
	}
	buf_free(&same);
}

static void
add_failure(struct things *list, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];
	struct buf text = BUF_INIT, line = BUF_INIT, json = BUF_INIT;
	struct message message;

	add_call(t, index, &line);
	if (call->result == NONE) {
		buf_add_str(&line, STR("no result"));
	} else {
		entry_parse(&t->entry[call->result], &message);
		message_read_output(&message, &text);
		buf_add_str(&line, error_line(buf_str(&text)));
	}
	json_write_string(&json, buf_str(&line));
	things_add(list, buf_str(&json));
	buf_free(&text);
	buf_free(&line);
	buf_free(&json);
}

/* What the user refused did not fail. */
static bool
is_refused(const struct session *t, const struct call *call)
{
	struct buf text = BUF_INIT;
	struct str words;
	bool is;

	if (call->result == NONE || !t->entry[call->result].is_error)
		return false;
	is = declined_find(change_base_text(t, call->result, &text), &words);
	buf_free(&text);
	return is;
}

void
open_failures_add(struct facts *facts, const struct session *t, uint32_t index)
{
	struct things *list = &facts->list[FACTS_UNRESOLVED];
	const struct call *call = &t->call[index];

	if (is_refused(t, call)) {
		take_out(list, t, index, false);
	} else if (call->is_unresolved) {
		if (list->count > 0)
			take_out(list, t, index, false);
		add_failure(list, t, index);
	} else if (list->count > 0 && call->result != NONE && !t->entry[call->result].is_error) {
		take_out(list, t, index, true);
	}
}
