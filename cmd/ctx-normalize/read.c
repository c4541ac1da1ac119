#include "normalizer.h"

/* Takes a message that a reader made. */
static void
take(struct normalizer *n, const struct line *line, bool is_bad)
{
	struct message message = {.kind = RECORD_BAD};

	n->converts = true;
	n->is_source = false;
	if (!is_bad)
		message_parse(&message, line->text);
	repair_add(&n->repair, line, &message);
}

void
normalizer_take_prompt(struct normalizer *n)
{
	struct line line = n->prompt_line;
	struct buf written = n->prompt;

	if (!n->prompt_waits)
		return;
	n->prompt_waits = false;
	if (str_eq(buf_str(&n->next_prompt), buf_str(&written)))
		return;
	line.raw = line.text = buf_str(&n->next_prompt);
	take(n, &line, false);
	n->prompt = n->next_prompt;
	n->next_prompt = written;
}

void
normalizer_take(void *context, const struct line *line, bool is_bad)
{
	struct normalizer *n = context;

	normalizer_take_prompt(n);
	take(n, line, is_bad);
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

/* For other dialects the system prompt of a context record is a message. It waits for the next one:
 * until then another record may replace it. */
static void
read_context(struct normalizer *n)
{
	struct json_value prompt = json_find(n->filter.message.value, STR("system_prompt"));
	struct buf *text = &n->next_prompt;

	n->prompt_waits = prompt.type == JSON_STRING;
	if (!n->prompt_waits)
		return;
	buf_reset(text);
	buf_add_str(text, STR("{\"role\":\"system\",\"content\":"));
	buf_add_str(text, json_span(prompt));
	buf_add_char(text, '}');
	buf_pad(text);
	n->prompt_line = n->filter.line;
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
	if (filter->message.kind == RECORD_MESSAGE)
		normalizer_take_prompt(n);
	n->is_source = true;
	repair_add(&n->repair, &filter->line, &filter->message);
}
