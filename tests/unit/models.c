/* The table of models, and a user's own. */

#include "policy/budget/models.h"

#include <unistd.h>

#include "unit.h"

static void
check_found(const char *name, const char *expected)
{
	struct models models = MODELS_INIT;
	struct str near;
	size_t matches;
	const struct model *model = models_find(&models, STR(""), str_from(name), &near, &matches);

	if (CHECK(model != NULL))
		CHECK_STR(model->name, expected);
	models_free(&models);
}

static void
check_missed(const char *name, const char *expected, size_t expected_matches)
{
	struct models models = MODELS_INIT;
	struct str near = STR("");
	size_t matches = 77;

	if (!CHECK(models_find(&models, STR(""), str_from(name), &near, &matches) == NULL) ||
	    !CHECK(matches == expected_matches))
		printf("    of '%s': %zu\n", name, matches);
	CHECK_STR(near, expected);
	models_free(&models);
}

static void
test_find(void)
{
	check_found("gpt-5", "gpt-5");
	check_found("gpt-4.1-n", "gpt-4.1-nano");
	check_missed("gpt-5-", "gpt-5-chat-latest", 5);
	check_missed("gtp-5", "gpt-5", 0);
	check_missed("GPT-4o", "gpt-4o", 0);
	check_missed("gpt-9", "", 0);
	check_missed("x", "", 0);
}

static void
test_table(void)
{
	for (size_t i = 0; i < model_table_count; i++) {
		const struct model *m = &model_table[i];

		if (!CHECK(m->name.len > 0 && m->provider.len > 0 && m->window > 0) ||
		    !CHECK(m->cached <= m->input && m->input <= m->output + m->input) ||
		    !CHECK(model_reserve(m, m->window) <= m->window / 2))
			printf("    of '%.*s'\n", STR_ARG(m->name));
	}
}

static void
test_reserve(void)
{
	const struct model model = {.window = 1000, .max_output = 300};

	CHECK(model_reserve(&model, 1000) == 300);
	CHECK(model_reserve(&model, 601) == 300);
	CHECK(model_reserve(&model, 500) == 250);
}

static void
test_estimator(void)
{
	static const struct {
		struct str name;
		const char *estimator;
	} cases[] = {
	    {STR_INIT("gpt-4-turbo"), "cl100k_base"},
	    {STR_INIT("gpt-4"), "cl100k_base"},
	    {STR_INIT("gpt-4o"), "o200k_base"},
	    {STR_INIT("gpt-4.1"), "o200k_base"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct model model = {.name = cases[i].name};

		CHECK(strcmp(model_estimator(&model), cases[i].estimator) == 0);
	}
}

/* Which estimators count as a model does, and what is said of others. */
static void
test_doubt(void)
{
	static const struct {
		const char *provider, *name, *estimator, *doubt;
	} cases[] = {
	    {"openai", "gpt-5", "o200k_base", ""},
	    {"openai", "gpt-4", "cl100k_base", ""},
	    {"openai", "o3", "o200k_base", ""},
	    {"groq", "openai/gpt-oss-20b", "o200k_base", ""},
	    {"openai", "gpt-5", "cl100k_base", "cl100k_base is not the model's own"},
	    {"openai", "gpt-5", "bytes/4", "bytes/4 is not the model's own"},
	    {"google", "gemini-2.5-pro", "o200k_base", "o200k_base is not the model's own"},
	    {"anthropic", "claude", "o200k_base", "o200k_base is 1.13 to 1.81 times too low"},
	    {"anthropic", "claude", "cl100k_base", "cl100k_base is 1.11 to 1.80 times too low"},
	    {"anthropic", "claude", "bytes/4", "bytes/4 is 1.11 to 1.88 times too low"},
	    {"anthropic", "claude", "usage", ""},
	    {"anthropic", "claude", "calibrated", ""},
	    {"anthropic", "claude", "cmd:count", ""},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct model model = {
		    .provider = str_from(cases[i].provider), .name = str_from(cases[i].name)};
		struct buf text = BUF_INIT;

		model_write_doubt(&model, cases[i].estimator, "", "", &text);
		CHECK_STR(text, cases[i].doubt);
		model_write_doubt(NULL, cases[i].estimator, "", "", &text);
		CHECK_STR(text, cases[i].doubt);
		buf_free(&text);
	}
}

/* Reads text as a user's table; returns the status and sets count. */
static enum status
read_text(const char *text, struct models *models)
{
	char path[] = "/tmp/models.XXXXXX";
	struct fault fault = FAULT_INIT;
	int fd = mkstemp(path);
	enum status status;

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	CHECK(models_read(models, path, &fault) == !fault_is_set(&fault));
	unlink(path);
	status = fault.status;
	CHECK((status == STATUS_OK) == (fault.text.len == 0));
	fault_free(&fault);
	return status;
}

static void
test_read(void)
{
	struct models models = MODELS_INIT, bad = MODELS_INIT;

	CHECK(read_text("# mine\nmodel\tx\r\n\nsmall\tme\t4000\t100\t1\t.5\t2e0\r\n"
			"last\tme\t1\t0\t0\t0\t0",
		  &models) == STATUS_OK);
	if (CHECK(models.count == 2)) {
		CHECK_STR(models.list[0].name, "small");
		CHECK(models.list[0].window == 4000 && models.list[0].max_output == 100);
		CHECK(models.list[0].input == 1 && models.list[0].cached == 0.5);
		CHECK(models.list[0].output == 2 && models.list[1].window == 1);
	}
	CHECK(read_text("small\tme\t4000\t100\t1\t.5\n", &bad) == STATUS_CONFIG);
	CHECK(read_text("small\tme\t4000\t100\t1\t.5\tinf\n", &bad) == STATUS_CONFIG);
	CHECK(read_text("small\tme\t4000\t100\t1\t.5\t1\t1\n", &bad) == STATUS_CONFIG);
	models_free(&models);
	models_free(&bad);
}

int
main(void)
{
	test_find();
	test_table();
	test_reserve();
	test_estimator();
	test_doubt();
	test_read();
	return unit_end();
}
