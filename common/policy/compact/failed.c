#include "policy/compact/failed.h"

#include "base/utf8.h"
#include "data/texts.h"
#include "policy/compact/tried.h"
#include "policy/cut.h"
#include "policy/quote.h"

enum {
	LINE_SHOWN = 200, /* bytes of the line of an error */
	COMPARED = 64     /* the newest failures that a success is held against */
};

/* The first line that tells of an error, or else the first line that is not blank. */
static struct str
error_line(struct str text)
{
	struct str first = STR("");

	while (text.len > 0) {
		const char *lf = memchr(text.ptr, '\n', text.len);
		size_t len = lf != NULL ? (size_t)(lf - text.ptr) : text.len;
		struct str line = str_trim(str_of(text.ptr, len));

		if (line.len > LINE_SHOWN)
			line.len = utf8_floor(line, LINE_SHOWN);
		if (line.len > 0 && cut_tells_of_error(line))
			return line;
		if (first.len == 0)
			first = line;
		len += lf != NULL;
		text = str_of(text.ptr + len, text.len - len);
	}
	return first;
}

/* Appends the label of the call and a colon. A label that has one itself is quoted, so that a
 * success of make resolves no failure of "make: alpha": between backquotes as it is, or with
 * escapes where it has a backquote. */
static void
add_label(const struct call *call, struct buf *buf)
{
	struct buf label = BUF_INIT;
	struct str text;

	tried_add_label(call, &label);
	text = buf_str(&label);
	if (str_find(text, STR(": ")) == NULL && text.ptr[0] != '`' && text.ptr[0] != '"') {
		buf_add_str(buf, text);
	} else if (str_find(text, STR("`")) == NULL) {
		buf_add_char(buf, '`');
		buf_add_str(buf, text);
		buf_add_char(buf, '`');
	} else {
		quote_add(buf, text, true);
	}
	buf_add_str(buf, STR(": "));
	buf_free(&label);
}

/* Appends the label as the start of a JSON string. Returns false when it was cut: other calls may
 * have that label, too. */
static bool
write_label(const struct call *call, struct buf *json)
{
	struct buf label = BUF_INIT;
	bool is_whole;

	add_label(call, &label);
	json_write_string(json, buf_str(&label));
	json->len--; /* the quote at the end */
	is_whole = !tried_is_cut(buf_str(&label));
	buf_free(&label);
	return is_whole;
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
	struct call other = *call;
	struct buf json = BUF_INIT;
	bool has_label;

	other.name = tool_of(failure);
	if (call->use.target.len == 0 || str_eq(other.name, call->name) ||
	    !tool_is_of_kind(other.name, tool_kind(call->use.op)))
		return false;
	has_label = write_label(&other, &json) && str_has_prefix(failure, buf_str(&json));
	buf_free(&json);
	return has_label;
}

/* Takes out the failures of the same call, and those that the call made good if it succeeded. */
static void
take_out(struct things *list, const struct call *call, bool has_succeeded)
{
	struct buf json = BUF_INIT;
	bool is_whole = write_label(call, &json);

	for (uint32_t i = list->used, seen = 0; is_whole && i-- > 0 && seen < COMPARED; seen++) {
		struct str failure = list->item[i];

		if (str_has_prefix(failure, buf_str(&json)) ||
		    (has_succeeded && failure.len > 0 && is_of_other_tool(failure, call)))
			things_remove(list, i);
	}
	buf_free(&json);
}

static void
add_failure(struct things *list, const struct session *t, const struct call *call)
{
	struct buf text = BUF_INIT, line = BUF_INIT, json = BUF_INIT;
	struct message message;

	add_label(call, &line);
	if (call->result == NONE) {
		buf_add_str(&line, STR("no result"));
	} else {
		entry_parse(&t->entry[call->result], &message);
		message_read_text(&message, &text);
		buf_add_str(&line, error_line(buf_str(&text)));
	}
	json_write_string(&json, buf_str(&line));
	things_add(list, buf_str(&json));
	buf_free(&text);
	buf_free(&line);
	buf_free(&json);
}

void
failed_add(struct things *list, const struct session *t, uint32_t index)
{
	const struct call *call = &t->call[index];

	if (call->is_unresolved) {
		if (list->count > 0 && tried_is_told(call))
			take_out(list, call, false);
		add_failure(list, t, call);
	} else if (list->count > 0 && call->result != NONE && !t->entry[call->result].is_error) {
		take_out(list, call, true);
	}
}
