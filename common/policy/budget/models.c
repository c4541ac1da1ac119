#include "policy/budget/models.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/byte.h"
#include "base/text/distance.h"
#include "base/file.h"
#include "base/number.h"

enum { COLUMNS = 7, FILE_MAX = 16 << 20, PRICE_LIMIT = 1000000, CELL_MAX = 32 };

static const char header[] = "model\tprovider\tcontext_window\tmax_output\tusd_per_mtok_input\t"
			     "usd_per_mtok_cached\tusd_per_mtok_output\n";

void
models_free(struct models *models)
{
	arena_free(&models->arena);
}

/* Copies the cell, with a NUL after it. Returns false when it is empty or too long. */
static bool
copy_cell(struct str cell, char digits[CELL_MAX])
{
	return cell.len > 0 && snprintf(digits, CELL_MAX, "%.*s", STR_ARG(cell)) < CELL_MAX;
}

static bool
parse_price(struct str cell, double *price)
{
	char digits[CELL_MAX], *end;

	if (!copy_cell(cell, digits))
		return false;
	*price = strtod(digits, &end);
	return *end == '\0' && *price >= 0 && *price < PRICE_LIMIT;
}

static bool
parse_count(struct str cell, uint64_t *count)
{
	char digits[CELL_MAX];

	return copy_cell(cell, digits) && number_parse(digits, count);
}

/* Splits a line into its cells. Returns false when the number of cells is wrong. */
static bool
split_line(struct str line, struct str *cell)
{
	unsigned count = 0;
	size_t start = 0;

	for (size_t i = 0; i <= line.len; i++) {
		if (i < line.len && line.ptr[i] != '\t')
			continue;
		if (count == COLUMNS)
			return false;
		cell[count++] = str_of(line.ptr + start, i - start);
		start = i + 1;
	}
	return count == COLUMNS;
}

static bool
parse_model(struct str line, struct model *model)
{
	struct str cell[COLUMNS];

	if (!split_line(line, cell) || cell[0].len == 0)
		return false;
	model->name = cell[0];
	model->provider = cell[1];
	return parse_count(cell[2], &model->window) && model->window > 0 &&
	    parse_count(cell[3], &model->max_output) && parse_price(cell[4], &model->input) &&
	    parse_price(cell[5], &model->cached) && parse_price(cell[6], &model->output);
}

/* Adds the rows of a table, and skips the header, blank lines and comments. Returns the number of
 * the first malformed line, or 0. */
static size_t
parse_table(struct models *models, struct str text)
{
	size_t number = 0;

	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text));

		number++;
		if (line.len == 0 || *line.ptr == '#' || str_has_prefix(line, STR("model\t")))
			continue;
		if (!parse_model(line, &models->list[models->count++]))
			return number;
	}
	return 0;
}

bool
models_read(struct models *models, const char *path, struct fault *fault)
{
	struct buf file = BUF_INIT;
	struct str text;
	size_t wrong;

	if (!file_read(path, FILE_MAX, &file, fault)) {
		buf_free(&file);
		return false;
	}
	text = arena_copy(&models->arena, buf_str(&file));
	buf_free(&file);
	models->list =
	    arena_zalloc(&models->arena, str_count(text, '\n') + 1, sizeof *models->list);
	wrong = parse_table(models, text);
	return wrong == 0 ||
	    fault_set(fault, STATUS_CONFIG,
		"'%s', line %zu: expected %d columns: "
		"a name, a provider, a window, the most output and three prices",
		path, wrong, COLUMNS);
}

/* The two tables as one list. */
static const struct model *
model_at(const struct models *models, size_t i)
{
	return i < models->count ? &models->list[i] : &model_table[i - models->count];
}

static size_t
model_count(const struct models *models)
{
	return models->count + model_table_count;
}

/* Whether the row is a model, and of the provider, if that is not empty. */
static bool
is_of(const struct model *model, struct str provider)
{
	return !str_eq(model->name, STR(MODELS_OTHERS)) &&
	    (provider.len == 0 || str_eq(model->provider, provider));
}

static const struct model *
find_of(const struct models *models, struct str provider, struct str name)
{
	for (size_t i = 0; i < model_count(models); i++)
		if (str_eq(model_at(models, i)->name, name) && is_of(model_at(models, i), provider))
			return model_at(models, i);
	return NULL;
}

const struct model *
models_find_exact(const struct models *models, struct str name)
{
	return find_of(models, STR(""), name);
}

const struct model *
models_find_named(const struct models *models, struct str name)
{
	const struct model *model = models_find_exact(models, name);
	const char *slash = name.len > 0 ? memchr(name.ptr, '/', name.len) : NULL;
	size_t len = slash != NULL ? (size_t)(slash - name.ptr) : 0;

	if (model != NULL || len == 0)
		return model;
	return find_of(models, str_of(name.ptr, len), str_of(slash + 1, name.len - len - 1));
}

const struct model *
models_find_others(const struct models *models, struct str provider)
{
	for (size_t i = 0; i < model_count(models); i++)
		if (str_eq(model_at(models, i)->name, STR(MODELS_OTHERS)) &&
		    str_eq(model_at(models, i)->provider, provider))
			return model_at(models, i);
	return NULL;
}

bool
models_has_provider(const struct models *models, struct str provider, struct str *near)
{
	unsigned least = 4;

	*near = STR("");
	for (size_t i = 0; i < model_count(models); i++) {
		struct str other = model_at(models, i)->provider;
		unsigned d = distance_between(provider, other);

		if (d == 0)
			return true;
		if (d < least && d < other.len - 1) {
			*near = other;
			least = d;
		}
	}
	return false;
}

/* Whether the names have the same digits: others are another model, and no slip. */
static bool
has_same_digits(struct str a, struct str b)
{
	size_t i = 0, j = 0;

	for (;; i++, j++) {
		while (i < a.len && !byte_is_digit(a.ptr[i]))
			i++;
		while (j < b.len && !byte_is_digit(b.ptr[j]))
			j++;
		if (i == a.len || j == b.len)
			return i == a.len && j == b.len;
		if (a.ptr[i] != b.ptr[j])
			return false;
	}
}

/* The name that was meant, where up to three slips made another one of it; else an empty one. */
static struct str
find_meant(const struct models *models, struct str provider, struct str name)
{
	struct str meant = STR("");
	unsigned least = 4;

	for (size_t i = 0; i < model_count(models); i++) {
		struct str other = model_at(models, i)->name;
		unsigned d = distance_between(name, other);

		if (d < least && d < other.len - 1 && has_same_digits(name, other) &&
		    is_of(model_at(models, i), provider)) {
			meant = other;
			least = d;
		}
	}
	return meant;
}

const struct model *
models_find(const struct models *models, struct str provider, struct str name, struct str *near,
    size_t *matches)
{
	const struct model *found = find_of(models, provider, name), *first = NULL;

	*matches = 0;
	if (found != NULL)
		return found;
	for (size_t i = 0; i < model_count(models); i++) {
		const struct model *model = model_at(models, i);

		if (!str_has_prefix(model->name, name) || !is_of(model, provider))
			continue;
		if (first == NULL)
			first = model;
		(*matches)++;
	}
	if (*matches == 1)
		return first;
	*near = first != NULL ? first->name : find_meant(models, provider, name);
	return NULL;
}

void
models_write(const struct models *models, struct buf *buf)
{
	buf_add_str(buf, STR(header));
	for (size_t i = 0; i < model_count(models); i++) {
		const struct model *m = model_at(models, i);

		buf_add_fmt(buf, "%.*s\t%.*s\t%ju\t%ju\t%g\t%g\t%g\n", STR_ARG(m->name),
		    STR_ARG(m->provider), (uintmax_t)m->window, (uintmax_t)m->max_output, m->input,
		    m->cached, m->output);
	}
}

const char *
model_estimator(const struct model *model)
{
	/* gpt-4 and gpt-4-turbo are the last that read cl100k_base (openai/tiktoken, model.py). */
	if (str_eq(model->name, STR("gpt-4")) || str_has_prefix(model->name, STR("gpt-4-")))
		return "cl100k_base";
	return "o200k_base";
}

/* What a provider reports for each token that an estimator counts: the median, and the borders
 * between which eight of ten quotients lie (the rows of growth in ctx-tokens(7)). */
struct model_scale {
	const char *provider;
	const char *estimator;
	double median, lowest, highest;
};

/* Measured by tests/tokens/measure-usage.sh. */
static const struct model_scale scales[] = {
    {"anthropic", "o200k_base", 1.35, 1.13, 1.81},
    {"anthropic", "cl100k_base", 1.37, 1.11, 1.80},
    {"anthropic", "bytes/4", 1.36, 1.11, 1.88},
};

enum { SCALES = ARRAY_COUNT(scales) };

/* Whether the encoding of the model is published: of all models of OpenAI, whoever runs them. */
static bool
has_encoding(const struct model *model)
{
	return str_eq(model->provider, STR("openai")) ||
	    str_has_prefix(str_behind_last(model->name, '/'), STR("gpt-"));
}

/* Whether the estimator of that name counts as the model does. If it does not, *scale is its
 * measured scale, or NULL. */
static bool
is_counted_by(const struct model *model, const char *estimator, const struct model_scale **scale)
{
	bool is_known = false;

	*scale = NULL;
	for (size_t i = 0; i < SCALES; i++) {
		if (strcmp(scales[i].estimator, estimator) != 0)
			continue;
		is_known = true;
		if (str_eq(model->provider, str_from(scales[i].provider)))
			*scale = &scales[i];
	}
	if (is_known && !(has_encoding(model) && strcmp(model_estimator(model), estimator) == 0))
		return false;
	*scale = NULL;
	return true;
}

void
model_write_doubt(const struct model *model, const char *estimator, const char *before,
    const char *after, struct buf *buf)
{
	const struct model_scale *scale;

	if (model == NULL || is_counted_by(model, estimator, &scale))
		return;
	buf_add_fmt(buf, "%s%s is ", before, estimator);
	if (scale != NULL)
		buf_add_fmt(buf, "%.2f to %.2f times too low", scale->lowest, scale->highest);
	else
		buf_add_str(buf, STR("not the model's own"));
	buf_add_str(buf, str_from(after));
}

uint64_t
model_reserve(const struct model *model, uint64_t window)
{
	return model->max_output < window / 2 ? model->max_output : window / 2;
}

struct price
model_price(const struct model *model, uint64_t total, uint64_t prefix)
{
	double all = (double)total, read = (double)(prefix < total ? prefix : total);

	return (struct price){.full = all * model->input / 1e6,
	    .cached = (read * model->cached + (all - read) * model->input) / 1e6};
}

void
model_write_estimator(const struct model *model, const char *estimator, struct json_writer *w)
{
	const struct model_scale *scale;

	if (is_counted_by(model, estimator, &scale))
		return;
	json_member_bool(w, STR("estimator_is_own"), false);
	if (scale == NULL)
		return;
	json_member_open(w, STR("estimator_scale"), '{');
	json_member_real(w, STR("median"), scale->median);
	json_member_real(w, STR("lowest"), scale->lowest);
	json_member_real(w, STR("highest"), scale->highest);
	json_close(w);
}

void
model_write_members(const struct model *model, const struct price *price, const char *estimator,
    struct json_writer *w)
{
	json_member_string(w, STR("model"), model->name);
	json_member_real(w, STR("request_usd"), price->full);
	json_member_real(w, STR("request_usd_cached"), price->cached);
	model_write_estimator(model, estimator, w);
}
