#include "policy/digest/symbol.h"

#include "base/byte.h"
#include "base/number.h"
#include "base/text/visible.h"
#include "data/change.h"
#include "data/message/texts.h"
#include "json/string.h"
#include "policy/attempts.h"
#include "policy/text/cut.h"

enum {
	WORDS = 120,      /* bytes of the text of a message */
	SAID_BESIDE = 60, /* of the text of a result, or of a message beside its calls */
	NAME = 40,        /* of the name of a tool */
	TARGET = 80,      /* of the target of a call */
	CALLS = 3         /* calls that are named */
};

/* Appends the first words of a text, in about so many bytes. */
static void
add_words(struct str text, size_t most, struct buf *out)
{
	const char *p, *end;
	size_t start = out->len, word = out->len;
	char shown[VISIBLE_MAX];

	text = str_trim(text);
	p = text.ptr;
	end = p + text.len;
	while (p < end && out->len - start < most) {
		if (!byte_is_blank(*p)) {
			buf_add(out, shown, visible_next(&p, end, shown));
			continue;
		}
		while (byte_is_blank(*p))
			p++;
		word = out->len;
		buf_add_char(out, ' ');
	}
	if (p == end)
		return;
	if (word - start > most / 2)
		out->len = word;
	buf_add_str(out, STR(" …"));
}

/* "read src/quay.c"; without a target, with the tool's arguments. */
static void
add_call(const struct call *call, struct buf *out)
{
	struct str target = call->use.target;
	struct buf text = BUF_INIT;

	if (target.len == 0 && call->arguments.type == JSON_STRING)
		target = json_text(call->arguments, &text);
	else if (target.len == 0 && call->arguments.type != JSON_ABSENT)
		target = json_span(call->arguments);
	add_words(call->name.len > 0 ? call->name : STR("tool"), NAME, out);
	if (target.len > 0)
		buf_add_char(out, ' ');
	add_words(target, TARGET, out);
	buf_free(&text);
}

/* The first line that tells of an error; the text itself when there is none. */
static struct str
find_error(struct str text)
{
	struct str rest = text;

	while (rest.len > 0) {
		struct str line = str_take_line(&rest);

		if (cut_tells_of_error(line))
			return line;
	}
	return text;
}

/* "bash make check: error, 812 B: 3 of 40 failed" */
static void
add_result(const struct session *t, const struct entry *entry, struct str text, struct buf *out)
{
	const struct call *call = &t->call[entry->call];

	buf_add_char(out, ' ');
	add_call(call, out);
	buf_add_str(out, STR(": "));
	buf_add_str(out, attempts_outcome(t, call));
	buf_add_str(out, STR(", "));
	number_write_size(out, text.len);
	if (str_trim(text).len == 0)
		return;
	buf_add_str(out, STR(": "));
	add_words(entry->is_error ? find_error(text) : text, SAID_BESIDE, out);
}

void
symbol_write(const struct session *t, uint32_t index, struct buf *line)
{
	struct entry entry = change_base(t, index);
	struct message message;
	struct buf text = BUF_INIT;

	entry_parse(&entry, &message);
	message_read_output(&message, &text);
	buf_add_str(line, role_name((enum role)entry.role));
	buf_add_char(line, ':');
	if (entry.call != NONE) {
		add_result(t, &entry, buf_str(&text), line);
	} else if (str_trim(buf_str(&text)).len > 0) {
		buf_add_char(line, ' ');
		add_words(buf_str(&text), entry.has_calls ? SAID_BESIDE : WORDS, line);
	} else if (!entry.has_calls) {
		buf_add_str(line, STR(" (no text)"));
	}
	if (entry.has_calls) {
		const struct group *group = &t->group[entry.group];

		for (uint32_t i = 0; i < group->calls && i < CALLS; i++) {
			buf_add_str(line, i > 0 ? STR("; ") : STR(" -> "));
			add_call(&t->call[group->first_call + i], line);
		}
		if (group->calls > CALLS)
			buf_add_fmt(line, " and %u more", group->calls - CALLS);
	}
	buf_free(&text);
}
