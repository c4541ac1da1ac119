#include "report.h"

#include "base/number.h"
#include "base/text/text.h"

void
report_set_price(struct report *report)
{
	const struct measure *measure = report->measure;
	uint64_t prefix = 0;

	if (report->model == NULL)
		return;
	if (measure->prefix > 0)
		prefix = estimate_cost(report->estimator, measure->prefix) + measure->system;
	report->price = model_price(report->model, report->budget->used + measure->system, prefix);
}

uint64_t
report_scaled(const struct report *report, uint64_t tokens)
{
	return (uint64_t)((double)tokens * report->estimator->ratio + 0.5);
}

static void
write_json_rows(const struct report *report, struct json_writer *w)
{
	const struct breakdown *b = &report->measure->breakdown;

	if (b->key == BREAKDOWN_NONE)
		return;
	json_member_string(w, STR("by"), str_from(breakdown_keys[b->key - 1]));
	json_member_open(w, STR("breakdown"), '[');
	for (size_t i = 0; i < b->count; i++) {
		json_open(w, '{');
		json_member_string(w, STR("label"), b->row[i].label);
		json_member_integer(w, STR("messages"), (int64_t)b->row[i].messages);
		json_member_integer(
		    w, STR("tokens"), (int64_t)report_scaled(report, b->row[i].tokens));
		json_close(w);
	}
	json_close(w);
}

static void
write_json_cuts(const struct report *report, struct json_writer *w)
{
	if (!report->has_cuts)
		return;
	json_member_open(w, STR("cuts"), '[');
	for (size_t i = 0; i < report->cut_count; i++) {
		const struct cut *cut = &report->cuts[i];

		json_open(w, '{');
		json_member_integer(w, STR("line"), cut->line);
		json_member_integer(w, STR("turn"), cut->turn);
		json_member_string(w, STR("execution"), cut->execution);
		json_member_integer(w, STR("before"), (int64_t)report_scaled(report, cut->before));
		json_member_integer(w, STR("after"), (int64_t)report_scaled(report, cut->after));
		json_close(w);
	}
	json_close(w);
}

void
report_write_json(const struct report *report, struct buf *buf)
{
	struct json_writer w;

	json_begin(&w, buf, '{');
	if (report->name != NULL && !report->is_keyed)
		json_member_string(&w, STR("file"), str_from(report->name));
	budget_write_members(report->budget, &w);
	if (report->estimator->calibration.points > 0 || report->measure->fit.has_given)
		fit_write(report->estimator, &w);
	if (report->model != NULL)
		model_write_members(report->model, &report->price, report->budget->estimator, &w);
	write_json_rows(report, &w);
	write_json_cuts(report, &w);
	json_close(&w);
}

void
report_write_reasons(const struct budget *budget, struct buf *buf)
{
	for (enum budget_reason r = 0; r < BUDGET_REASONS; r++) {
		if (!budget_has(budget, r))
			continue;
		buf_add_char(buf, ' ');
		buf_add_str(buf, budget_reason_name(r));
	}
}

void
report_write_brief(const struct report *report, struct buf *buf)
{
	const struct budget *budget = report->budget;
	double percent = (double)budget->used * 100 / (double)budget->window;

	if (report->name != NULL) {
		text_add_visible(buf, str_from(report->name));
		buf_add_str(buf, STR(": "));
	}
	number_write_short(buf, budget->used);
	buf_add_char(buf, '/');
	number_write_short(buf, budget->window);
	buf_add_fmt(buf, " %.0f%%, ", percent);
	number_write_short(buf, budget->remaining);
	buf_add_str(buf, STR(" left"));
	model_write_doubt(report->model, budget->estimator, ", ", "", buf);
	if (budget->compact) {
		buf_add_str(buf, STR(", compact:"));
		report_write_reasons(budget, buf);
	}
}
