#include "normalizer.h"

void
normalizer_take(void *context, const struct line *line, bool is_bad)
{
	struct normalizer *n = context;
	struct message message = {.kind = RECORD_BAD};

	n->converts = true;
	n->is_source = false;
	if (!is_bad)
		message_parse(&message, line->text);
	repair_add(&n->repair, line, &message);
}

static void
find_dialect(struct normalizer *n)
{
	const struct message *message = &n->filter.message;

	if (n->from != DIALECT_AUTO || message->kind == RECORD_BAD || message->kind == RECORD_BLANK)
		return;
	n->from = dialect_detect(message->value);
	if (n->from == DIALECT_AUTO && message->kind == RECORD_MESSAGE)
		n->from = DIALECT_OPENAI;
}

/* For other dialects the system prompt of a context record is a message, unless it was said. */
static void
read_context(struct normalizer *n)
{
	struct json_value prompt = json_find(n->filter.message.value, STR("system_prompt"));
	struct line line = n->filter.line;
	struct buf text = BUF_INIT;

	if (prompt.type != JSON_STRING)
		return;
	buf_add_str(&text, STR("{\"role\":\"system\",\"content\":"));
	buf_add_str(&text, json_span(prompt));
	buf_add_char(&text, '}');
	memset(buf_reserve(&text, JSON_PADDING), 0, JSON_PADDING);
	if (!str_eq(buf_str(&text), buf_str(&n->prompt))) {
		line.raw = line.text = buf_str(&text);
		normalizer_take(n, &line, false);
	}
	buf_free(&n->prompt);
	n->prompt = text;
}

void
normalizer_read(struct normalizer *n)
{
	struct filter *filter = &n->filter;

	find_dialect(n);
	if (n->from == DIALECT_CLAUDE_CODE) {
		normalizer_found_dialect(n);
		claude_code_read(&n->claude_code, &filter->line, &filter->message);
		return;
	}
	if (n->to != DIALECT_CTX && filter->message.kind == RECORD_CONTEXT) {
		read_context(n);
		return;
	}
	if (chat_read(&n->chat, &filter->line, &filter->message)) {
		normalizer_found_dialect(n);
		return;
	}
	n->is_source = true;
	repair_add(&n->repair, &filter->line, &filter->message);
}
