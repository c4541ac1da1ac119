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

static void
resolve(struct things *list, const struct call *call)
{
	struct buf label = BUF_INIT, json = BUF_INIT;
	struct str start;
	bool is_cut; /* other calls have that label, too */

	add_label(call, &label);
	is_cut = str_find(buf_str(&label), STR("…")) != NULL;
	json_write_string(&json, buf_str(&label));
	start = str_of(json.ptr, json.len - 1);
	for (uint32_t i = list->used, seen = 0; !is_cut && i-- > 0 && seen < COMPARED; seen++)
		if (str_has_prefix(list->item[i], start))
			things_remove(list, i);
	buf_free(&label);
	buf_free(&json);
}

void
failed_add(
    struct things *list, const struct session *t, const struct attempts *attempts, uint32_t index)
{
	const struct call *call = &t->call[index];

	if (call->is_unresolved && !attempts_is_retried(attempts, t, index))
		add_failure(list, t, call);
	else if (list->count > 0 && call->result != NONE && !t->entry[call->result].is_error)
		resolve(list, call);
}
