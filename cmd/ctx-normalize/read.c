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
	if (chat_read(&n->chat, &filter->line, &filter->message)) {
		normalizer_found_dialect(n);
		return;
	}
	n->is_source = true;
	repair_add(&n->repair, &filter->line, &filter->message);
}
