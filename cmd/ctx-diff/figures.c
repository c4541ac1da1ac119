#include "figures.h"

#include "base/number.h"
#include "base/text/text.h"
#include "face/terminal/cells.h"
#include "tokens/estimate.h"

/* The parts as scripts see them, and as people do. */
static const struct part_name {
	struct str name;
	struct str shown;
} parts[] = {
    [HEAD_MODEL] = {STR_INIT("model"), STR_INIT("model")},
    [HEAD_TOOLS] = {STR_INIT("tools"), STR_INIT("tool")},
    [HEAD_FORMAT] = {STR_INIT("response_format"), STR_INIT("response format")},
    [HEAD_SYSTEM] = {STR_INIT("system"), STR_INIT("system prompt")},
    [HEAD_CHOICE] = {STR_INIT("tool_choice"), STR_INIT("tool_choice")},
    [HEAD_THINKING] = {STR_INIT("thinking"), STR_INIT("thinking")},
    [AGAINST_MESSAGE] = {STR_INIT("message"), STR_INIT("message")},
};

static const struct part_name changes[] = {
    [PREFIX_RESPELLED] = {STR_INIT("respelled"), STR_INIT("same value, other bytes")},
    [PREFIX_CHANGED] = {STR_INIT("changed"), STR_INIT("changed")},
    [PREFIX_ADDED] = {STR_INIT("added"), STR_INIT("added")},
    [PREFIX_MISSING] = {STR_INIT("missing"), STR_INIT("missing")},
};

/* Whether the number says more than the part. */
static bool
has_number(const struct against_place *place)
{
	return place->is_element || place->part == AGAINST_MESSAGE;
}

/* Appends the place for people: "message 3 (user), content 2: changed". */
static void
add_place(const struct against_place *place, struct buf *buf)
{
	buf_add_str(buf, parts[place->part].shown);
	if (place->part == HEAD_SYSTEM && place->is_element)
		buf_add_str(buf, STR(", block"));
	if (has_number(place))
		buf_add_fmt(buf, " %ju", (uintmax_t)place->number);
	if (place->label.len > 0) {
		buf_add_str(buf, STR(" ("));
		text_add_visible(buf, buf_str(&place->label));
		buf_add_char(buf, ')');
	}
	if (place->member.len > 0) {
		buf_add_str(buf, STR(", "));
		text_add_visible(buf, buf_str(&place->member));
	}
	if (place->element > 0)
		buf_add_fmt(buf, " %u", place->element);
	buf_add_str(buf, STR(": "));
	buf_add_str(buf, changes[place->change].shown);
}

/* Puts a member for a number unless it is 0. */
static void
put_number(struct json_writer *w, struct str name, uint64_t number)
{
	if (number > 0)
		json_member_integer(w, name, (int64_t)number);
}

static void
put_text(struct json_writer *w, struct str name, const struct buf *text)
{
	if (text->len > 0)
		json_member_string(w, name, buf_str(text));
}

static void
put_place(struct json_writer *w, const struct against_place *place)
{
	json_member_string(w, STR("part"), parts[place->part].name);
	if (has_number(place))
		put_number(w, STR("number"), place->number);
	put_text(w, STR("label"), &place->label);
	json_member_string(w, STR("change"), changes[place->change].name);
	put_text(w, STR("member"), &place->member);
	put_number(w, STR("element"), place->element);
	put_text(w, STR("pointer"), &place->pointer);
	put_number(w, STR("character"), place->character);
	put_number(w, STR("previous_line"), place->was_line);
	put_number(w, STR("line"), place->now_line);
	put_text(w, STR("previous"), &place->was);
	put_text(w, STR("now"), &place->now);
}

void
figures_write_json(const struct figures *figures, struct buf *buf)
{
	const struct against *against = figures->against;
	struct json_writer w;

	json_begin(&w, buf, '{');
	json_member_bool(&w, STR("differs"), against->differs);
	if (against->differs)
		put_place(&w, &against->place);
	json_member_string(&w, STR("estimator"), str_from(against->estimator->name));
	json_member_integer(&w, STR("previous_tokens"), (int64_t)against->was_tokens);
	json_member_integer(&w, STR("tokens"), (int64_t)against->now_tokens);
	json_member_integer(&w, STR("shared_tokens"), (int64_t)against->shared);
	if (figures->model != NULL)
		model_write_members(figures->model, &figures->price, against->estimator->name, &w);
	json_close(&w);
}

static double
percent(const struct against *against)
{
	if (against->now_tokens == 0)
		return 0;
	return (double)against->shared * 100 / (double)against->now_tokens;
}

void
figures_write_brief(const struct figures *figures, struct buf *buf)
{
	const struct against *against = figures->against;

	number_write_short(buf, against->shared);
	buf_add_char(buf, '/');
	number_write_short(buf, against->now_tokens);
	buf_add_fmt(buf, " shared %.0f%%", percent(against));
	if (figures->model != NULL)
		buf_add_fmt(buf, ", $%.4f of $%.4f", figures->price.cached, figures->price.full);
	model_write_doubt(figures->model, against->estimator->name, ", ", "", buf);
	if (!against->differs)
		return;
	buf_add_str(buf, STR(", differs at "));
	add_place(&against->place, buf);
}

/* A line of a label and a text of the records, cut at the width of the terminal. */
static void
add_line(const struct cells *cells, unsigned width, struct str label, struct str text)
{
	struct buf visible = BUF_INIT;

	if (text.len == 0)
		return;
	cells_label(cells, label);
	text_add_visible(&visible, text);
	buf_add_str(cells->buf,
	    text_fit(buf_str(&visible), width > cells->label ? width - cells->label : 1));
	buf_add_char(cells->buf, '\n');
	buf_free(&visible);
}

static void
add_difference(const struct figures *figures, const struct cells *cells, unsigned width)
{
	const struct against_place *place = &figures->against->place;
	struct buf text = BUF_INIT;

	cells_label(cells, STR("differs at"));
	cells_begin_paint(cells, PAINT_YELLOW);
	add_place(place, cells->buf);
	cells_end_paint(cells, PAINT_YELLOW);
	buf_add_char(cells->buf, '\n');
	buf_add_str(&text, buf_str(&place->pointer));
	if (place->character > 0)
		buf_add_fmt(&text, ", character %ju", (uintmax_t)place->character);
	add_line(cells, width, STR("pointer"), buf_str(&text));
	buf_reset(&text);
	if (place->was_line > 0)
		buf_add_fmt(&text, "%zu", place->was_line);
	if (place->was_line > 0 && place->now_line > 0)
		buf_add_fmt(&text, ", now %zu", place->now_line);
	add_line(cells, width, STR("line"), buf_str(&text));
	add_line(cells, width, STR("previous"), buf_str(&place->was));
	add_line(cells, width, STR("now"), buf_str(&place->now));
	buf_add_char(cells->buf, '\n');
	buf_free(&text);
}

void
figures_write_table(const struct figures *figures, const struct terminal *terminal, struct buf *buf)
{
	const struct against *against = figures->against;
	struct cells cells = {.buf = buf,
	    .label = figures->model != NULL ? CELLS_LABEL_MIN + 3 : CELLS_LABEL_MIN,
	    .utf8 = terminal->utf8,
	    .color = terminal->color,
	    .whole = against->now_tokens};

	cells_fit(&cells, terminal->width);
	if (against->differs)
		add_difference(figures, &cells, terminal->width);
	cells_row(&cells, STR("request"), against->now_tokens, PAINT_BLUE);
	cells_row(
	    &cells, STR("shared"), against->shared, against->differs ? PAINT_YELLOW : PAINT_GREEN);
	cells_label(&cells, STR("previous"));
	cells_right(&cells, str_from(number_grouped(against->was_tokens).text), CELLS_TOKENS);
	buf_add_char(buf, '\n');
	cells_label(&cells, STR("estimator"));
	cells_right(&cells, str_from(against->estimator->name), CELLS_TOKENS);
	buf_add_char(buf, '\n');
	if (figures->model == NULL)
		return;
	cells_dollars(&cells, STR("next request"), figures->price.full);
	cells_dollars(&cells, STR("with cached prefix"), figures->price.cached);
	model_write_doubt(figures->model, against->estimator->name, "", "\n", buf);
}
