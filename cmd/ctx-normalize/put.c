#include "normalizer.h"

#include "dialects/openai_write.h"

/* Puts a record that has no place in the output where the options say. */
static void
set_aside(struct normalizer *n, const struct repair_record *record)
{
	struct output *out = &n->filter.bad_out;

	n->left_out += record->kind != RECORD_BAD;
	if (out->fd < 0)
		return;
	if (!record->line->continued)
		output_begin_record(out);
	output_copy(out, record->line->raw);
}

static void
write_ctx(struct normalizer *n, const struct repair_record *record)
{
	struct str raw = record->line->raw;
	bool drops = n->options->common.bad_lines == BAD_LINES_DROP;

	if (record->is_given && n->is_source && !n->filter.is_document)
		filter_pass(&n->filter);
	else if (record->line->continued)
		output_copy(drops ? &n->filter.bad_out : &n->filter.out, raw);
	else if (raw.len > 0 && raw.ptr[raw.len - 1] == '\n')
		filter_write_held(&n->filter, record->kind, raw);
	else if (n->converts || record->is_made)
		filter_add(&n->filter, raw);
	else
		filter_add_last(&n->filter, raw);
}

static void
write_openai(struct normalizer *n, const struct repair_record *record,
    const struct message *message)
{
	switch (openai_write(message, &n->text)) {
	case OPENAI_AS_IS:
		write_ctx(n, record);
		break;
	case OPENAI_CHANGED:
		filter_add(&n->filter, buf_str(&n->text));
		break;
	case OPENAI_NOTHING:
		if (message->role == ROLE_OTHER)
			set_aside(n, record);
	}
}

static void
write_message(struct normalizer *n, const struct repair_record *record)
{
	const struct message *message = record->message;
	struct message parsed;

	if (record->is_outside)
		return; /* the parent saw the result alone */
	if (message == NULL) {
		message_parse(&parsed, record->line->text);
		message = &parsed;
	}
	if (n->to == DIALECT_OPENAI)
		write_openai(n, record, message);
	else if (!anthropic_write(&n->anthropic, message))
		set_aside(n, record);
}

void
normalizer_put(void *context, const struct repair_record *record)
{
	struct normalizer *n = context;

	if (n->to == DIALECT_CTX)
		write_ctx(n, record);
	else if (record->kind == RECORD_MESSAGE)
		write_message(n, record);
	else if (record->kind == RECORD_BAD || record->kind == RECORD_FOREIGN)
		set_aside(n, record);
}

void
normalizer_put_text(void *context, struct str text)
{
	struct normalizer *n = context;

	filter_add(&n->filter, text);
}
