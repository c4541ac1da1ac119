#include "policy/filter/filter.h"

#include <stdlib.h>

#include "base/bounded.h"
#include "base/mem.h"
#include "policy/compact/align.h"
#include "policy/filter/exchange.h"
#include "policy/filter/proof.h"
#include "stream/process/process.h"

enum { DROPPED, CHANGED, ADDED };

static const struct change_rule rules[] = {
    [DROPPED] = {STR_INIT("dropped"), STR_INIT("drop"), STR_INIT("filter"), STR_INIT("")},
    [CHANGED] = {STR_INIT("changed"), STR_INIT("change"), STR_INIT("filter"), STR_INIT("")},
    [ADDED] = {STR_INIT(""), STR_INIT("add"), STR_INIT("filter"), STR_INIT("")},
};

const struct transform filter_rules = {
    .name = STR_INIT("filter"), .rules = rules, .rule_count = ARRAY_COUNT(rules)};

/* A filter, with the input and output of its last run. */
struct filter {
	struct transform transform;
	struct buf command; /* with a NUL after it */
	struct buf input, output;
	bool has_run;
};

const struct transform *
filter_open(struct str command)
{
	struct filter *filter = mem_alloc(1, sizeof *filter);

	*filter = (struct filter){.transform = filter_rules};
	buf_add_str(&filter->command, command);
	buf_add_char(&filter->command, '\0');
	filter->transform.name = str_of(filter->command.ptr, command.len);
	filter->transform.filter = filter;
	return &filter->transform;
}

void
filter_close(const struct transform *transform)
{
	struct filter *filter = transform->filter;

	buf_free(&filter->command);
	buf_free(&filter->input);
	buf_free(&filter->output);
	free(filter);
}

bool
filter_is_in(const struct transform *const *pipeline)
{
	while (*pipeline != NULL && (*pipeline)->filter == NULL)
		pipeline++;
	return *pipeline != NULL;
}

static void
write_budget(struct compaction *c, struct buf *text)
{
	struct budget budget = *c->options->budget;
	struct json_writer w;

	budget.said |= goals_missed(&c->goals);
	budget_reuse(&budget, estimate_cost(c->estimator, compaction_used(c)));
	json_begin(&w, text, '{');
	budget_write_members(&budget, &w);
	json_close(&w);
}

/* Runs the command, unless it read the same when it ran last. */
static bool
run_command(struct filter *filter, struct str budget, const struct exchange *f)
{
	enum { SPARE = 1 << 16, GROWTH = 8 }; /* a filter may escape its output */
	const struct compaction_options *options = f->compaction->options;
	struct buf input = BUF_INIT, variable = BUF_INIT;
	struct process process = {
	    .command = filter->command.ptr, .timeout = f->compaction->estimator->command_timeout};

	buf_add_str(&input, budget);
	buf_add_char(&input, '\n');
	for (uint32_t i = 0; i < f->in_count; i++) {
		buf_add_str(&input, f->in[i].text);
		buf_add_char(&input, '\n');
	}
	if (filter->has_run && str_eq(buf_str(&input), buf_str(&filter->input))) {
		buf_free(&input);
		return true;
	}
	buf_free(&filter->input);
	filter->input = input;
	buf_pad(&filter->input);
	buf_reset(&filter->output);
	buf_add_str(&variable, STR("CTX_BUDGET="));
	buf_add_str(&variable, budget);
	buf_add_char(&variable, '\0');
	process.input = buf_str(&filter->input);
	process.output_max = bounded_add(SPARE, bounded_multiply(process.input.len, GROWTH));
	process.variables = (const char *const[]){variable.ptr, NULL};
	filter->has_run = process_run(&process, &filter->output, NULL, options->fault);
	buf_pad(&filter->output);
	buf_free(&variable);
	return filter->has_run;
}

/* The record, with the key of its session among many, which the filter may have left out. */
static struct str
with_key(struct session *t, struct str record)
{
	struct buf keyed = BUF_INIT;
	struct str text = change_key(t, record, &keyed);

	if (keyed.len > 0)
		text = arena_copy_padded(&t->arena, text);
	buf_free(&keyed);
	return text;
}

/* Reads a line of the output. A budget record may come back, and is left out. */
static bool
read_line(struct exchange *f, const char *command, uint64_t number, struct str line)
{
	struct fault *fault = f->compaction->options->fault;
	struct message message;

	message_parse(&message, line);
	switch (message.kind) {
	case RECORD_MESSAGE:
		exchange_add_output(f, with_key(f->compaction->session, line), number);
		return true;
	case RECORD_BUDGET:
	case RECORD_BLANK:
		return true;
	case RECORD_BAD: /* named already: policy/filter/proof.h */
		return true;
	case RECORD_CONTEXT:
	case RECORD_SOURCE:
	case RECORD_FOREIGN:
		break;
	}
	return fault_set(fault, STATUS_INVARIANT,
	    "nothing was written: line %ju of what '%s' wrote is no message", (uintmax_t)number,
	    command);
}

static bool
read_output(struct exchange *f, const struct filter *filter)
{
	struct str left = buf_str(&filter->output);

	for (uint64_t number = 1; left.len > 0; number++)
		if (!read_line(f, filter->command.ptr, number, str_trim(str_take_line(&left))))
			return false;
	return true;
}

static void
change(struct compaction *c, uint32_t index, struct str text)
{
	struct message message;

	change_text(c->session, index, &rules[CHANGED], text);
	c->session->change[c->session->change_count - 1].is_base = true;
	message_reread(&message, text);
	c->session->entry[index].is_compacted = message_is(&message, METADATA_COMPACTED);
	goals_note(&c->goals, index);
}

/* Adds the changes of the filter to the list of changes. */
static void
apply(const struct exchange *f)
{
	struct compaction *c = f->compaction;
	uint32_t place = 0; /* nothing is added before the first message */

	for (uint32_t i = 0; i < f->in_count; i++) {
		if (f->in[i].match == ALIGN_NONE) {
			change_drop(c->session, f->entry[i], &rules[DROPPED]);
			goals_note(&c->goals, f->entry[i]);
		} else if (!f->in[i].is_equal) {
			change(c, f->entry[i], f->out[f->in[i].match].text);
		}
	}
	for (uint32_t i = 0; i < f->out_count; i++) {
		if (f->out[i].match == ALIGN_NONE)
			change_add(c->session, place, &rules[ADDED], f->out[i].text);
		else if (f->entry[f->out[i].match] != NONE)
			place = f->entry[f->out[i].match] + 1;
	}
}

static void
take_output(struct exchange *f)
{
	struct compaction *c = f->compaction;
	uint32_t mark = change_mark(c->session);

	align_run(f->in, f->in_count, f->out, f->out_count);
	exchange_check(f);
	if (f->broken.sum > 0)
		return;
	apply(f);
	exchange_check_weight(f, mark);
	if (f->broken.sum == 0 && change_mark(c->session) > mark && !compaction_settle(c, mark))
		invariants_note(&f->broken, INVARIANT_GAIN, 0, NULL);
}

void
filter_run(struct compaction *c, const struct transform *transform)
{
	struct filter *filter = transform->filter;
	struct exchange f = {.compaction = c};
	struct buf budget = BUF_INIT;
	const struct session *t = f.compaction->session;
	const struct change *added;
	uint32_t next = 0;

	for (uint32_t i = 0; i <= t->count; i++) {
		while ((added = change_next_added(t, i, &next)) != NULL)
			exchange_add_input(&f, str_of(added->raw, added->len), NONE);
		if (i < t->count && t->entry[i].kind == RECORD_MESSAGE && !t->entry[i].is_dropped)
			exchange_add_input(&f, entry_text(&t->entry[i]), i);
	}
	write_budget(c, &budget);
	if (run_command(filter, buf_str(&budget), &f) && read_output(&f, filter)) {
		struct proof read, written;

		proof_init(&read);
		proof_init(&written);
		proof_take_all(&read, buf_str(&filter->input));
		proof_take_all(&written, buf_str(&filter->output));
		proof_compare(&read, &written, &f.broken);
		proof_free(&read);
		proof_free(&written);
		take_output(&f);
	}
	buf_reset(&budget);
	buf_add_fmt(&budget, "'%s' broke: ", filter->command.ptr);
	invariants_say(&f.broken, buf_str(&budget), c->options->fault);
	exchange_free(&f);
	buf_free(&budget);
}
