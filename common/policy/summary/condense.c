#include "policy/summary/condense.h"

#include <ctype.h>

#include "base/number.h"
#include "json/string.h"
#include "policy/build_check.h"

#define OF_TESTS " passing tests …"
#define OF_EDIT " lines of the edit …"

enum { RUN_LEAST = 3 };

enum line_kind {
	LINE_OTHER,
	LINE_BETWEEN, /* counts with the lines around, if both do */
	LINE_COUNTED,
};

static enum line_kind
kind_of_test(struct str line)
{
	static const struct str beginning[] = {STR_INIT("=== RUN"), STR_INIT("=== PAUSE"),
	    STR_INIT("=== CONT"), STR_INIT("[ RUN      ]")};

	line = str_trim(line);
	if (line.len == 0 || STR_HAS_ANY_PREFIX(line, beginning))
		return LINE_BETWEEN;
	return build_check_has_passed(line) ? LINE_COUNTED : LINE_OTHER;
}

/* The line without the mark that tools put before a line of a file: a number and a mark, or the
 * sign of a diff. */
static struct str
without_gutter(struct str line)
{
	size_t i = 0;

	line = str_trim(line);
	while (i < line.len && isdigit((unsigned char)line.ptr[i]))
		i++;
	if (i > 0 && str_has_prefix(str_of(line.ptr + i, line.len - i), STR("→")))
		i += strlen("→");
	else if (i > 0 && i < line.len && strchr("\t:| ", line.ptr[i]) != NULL)
		i++;
	else if (i == 0 && line.len > 0 && (line.ptr[0] == '+' || line.ptr[0] == '-'))
		i++;
	else
		return line;
	return str_trim(str_of(line.ptr + i, line.len - i));
}

static enum line_kind
kind_of_edit(const struct condense *condense, struct str line)
{
	struct str plain = without_gutter(line);
	bool is_known;

	line = str_trim(line);
	if (plain.len == 0)
		return LINE_BETWEEN;
	is_known = map_get(&condense->lines, hash_label(plain)) != MAP_NONE ||
	    (plain.len < line.len && map_get(&condense->lines, hash_label(line)) != MAP_NONE);
	return is_known ? LINE_COUNTED : LINE_OTHER;
}

/* Notes the lines of a text, each as it is compared. */
static void
add_lines(struct condense *condense, struct str text)
{
	while (text.len > 0) {
		struct str line = str_trim(str_take_line(&text)), plain = without_gutter(line);

		map_set(&condense->lines, hash_label(line), 1);
		if (plain.len < line.len)
			map_set(&condense->lines, hash_label(plain), 1);
	}
}

/* The strings of a valid JSON text are between quotes, at any depth. */
static void
add_strings(struct condense *condense, struct str json)
{
	const char *p = json.ptr, *end = json.ptr + json.len;
	struct buf text = BUF_INIT;

	while (p < end && (p = memchr(p, '"', (size_t)(end - p))) != NULL) {
		struct json_value string = json_value_at(p);

		add_lines(condense, json_text(string, &text));
		p += string.len;
	}
	buf_free(&text);
}

enum condense_kind
condense_kind_of(const struct call *call)
{
	if (call->use.op == TOOL_EDIT || call->use.op == TOOL_WRITE)
		return CONDENSE_EDIT;
	return call->use.op == TOOL_SHELL && build_check_is(call->use.target) ? CONDENSE_TESTS :
										CONDENSE_NOTHING;
}

void
condense_open(struct condense *condense, const struct call *call)
{
	*condense = (struct condense){.kind = condense_kind_of(call), .call = call};
}

/* Notes the lines of the arguments, once. */
static void
read_lines(struct condense *condense)
{
	struct arena scratch = ARENA_INIT;
	struct tool_arguments arguments;

	if (condense->has_lines)
		return;
	condense->has_lines = true;
	tool_arguments(condense->call->arguments, &scratch, &arguments);
	if (arguments.value.type != JSON_ABSENT)
		add_strings(condense, json_span(arguments.value));
	else if (arguments.given.type == JSON_STRING)
		add_strings(condense, json_span(arguments.given));
	arena_free(&scratch);
}

void
condense_close(struct condense *condense)
{
	map_free(&condense->lines);
}

/* A run of lines that is under way, from its first counted line to its last one. */
struct condense_run {
	struct str lines;
	uint64_t counted;
	bool is_first; /* no run was condensed before */
};

/* Writes the run, or one line in its place if that is shorter. */
static void
end_run(
    const struct condense *condense, struct condense_run *run, struct str recall, struct buf *out)
{
	size_t start = out->len;

	buf_add_str(out, STR("[… "));
	number_write_grouped(out, run->counted);
	buf_add_str(out, condense->kind == CONDENSE_TESTS ? STR(OF_TESTS) : STR(OF_EDIT));
	buf_add_str(out, run->is_first ? recall : STR(""));
	buf_add_char(out, ']');
	if (run->lines.ptr[run->lines.len - 1] == '\n')
		buf_add_char(out, '\n');
	if (run->counted >= RUN_LEAST && out->len - start < run->lines.len) {
		run->is_first = false;
	} else {
		out->len = start;
		buf_add_str(out, run->lines);
	}
	run->counted = 0;
}

/* Whether the text has the lines of a run. */
static bool
may_have_run(const struct condense *condense, struct str text)
{
	for (unsigned i = 1; i < RUN_LEAST; i++)
		str_take_line(&text);
	return condense->kind != CONDENSE_NOTHING && text.len > 0;
}

bool
condense_text(struct condense *condense, struct str text, struct str recall, struct buf *out)
{
	struct condense_run run = {.counted = 0, .is_first = true};
	const char *done = text.ptr; /* the text before it was written */
	bool may_have = may_have_run(condense, text);

	if (may_have && condense->kind == CONDENSE_EDIT)
		read_lines(condense);
	while (may_have && text.len > 0) {
		struct str line = str_take_line(&text);
		enum line_kind kind = condense->kind == CONDENSE_TESTS ?
		    kind_of_test(line) :
		    kind_of_edit(condense, line);

		if (kind == LINE_COUNTED && run.counted++ == 0) {
			buf_add(out, done, (size_t)(line.ptr - done));
			run.lines.ptr = line.ptr;
		}
		if (kind == LINE_COUNTED)
			run.lines.len = (size_t)(text.ptr - run.lines.ptr);
		if (run.counted > 0 && (kind == LINE_OTHER || text.len == 0)) {
			done = run.lines.ptr + run.lines.len;
			end_run(condense, &run, recall, out);
		}
	}
	buf_add(out, done, (size_t)(text.ptr + text.len - done));
	return !run.is_first;
}

bool
condense_is_in(struct str json)
{
	return str_find(json, STR(OF_TESTS)) != NULL || str_find(json, STR(OF_EDIT)) != NULL;
}
