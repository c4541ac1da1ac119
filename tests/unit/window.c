/*
 * When a window forgets what has left is its own affair: what leaves is the same, and what is given
 * up, whether it forgets after every record or never, and whether it frees the texts that are not
 * read again or keeps them.
 */

#include "data/window.c" /* it is made to forget */

#include <malloc.h>

#include "policy/isolate/isolation_stage.h"
#include "policy/view/view_stage.h"

#include "unit.h"

enum { SESSIONS = 300, POLICIES = 4 };

struct gather {
	struct stage stage;
	struct buf text;
};

/* The lines of a session, each with room for JSON to be read. */
struct made {
	struct arena arena;
	struct str *line;
	uint32_t count, cap;
	uint32_t random;
	unsigned ids;
	unsigned late[64]; /* ids of calls that got no result */
	unsigned lates;
	struct buf buf;
};

static void
gather_take(struct stage *stage, struct record *record)
{
	struct gather *gather = (struct gather *)stage;

	buf_add_str(&gather->text, record->line.raw);
}

static uint32_t
below(struct made *made, uint32_t limit)
{
	made->random = made->random * 1664525 + 1013904223;
	return (uint32_t)((uint64_t)(made->random >> 8) * limit >> 24);
}

static bool
chance(struct made *made, uint32_t percent)
{
	return below(made, 100) < percent;
}

/* The line is what buf has, and metadata by chance. */
static void
put(struct made *made, uint32_t errors)
{
	struct buf *buf = &made->buf;
	char *raw;

	buf_add_str(buf, STR(",\"metadata\":{\"n\":1"));
	buf_add_str(buf, chance(made, errors) ? STR(",\"is_error\":true") : STR(""));
	buf_add_str(buf, chance(made, 3) ? STR(",\"pinned\":true") : STR(""));
	buf_add_str(buf, chance(made, 3) ? STR(",\"is_trace\":false") : STR(""));
	buf_add_str(buf, chance(made, 2) ? STR(",\"resolved\":false") : STR(""));
	buf_add_str(buf, chance(made, 2) ? STR(",\"compacted\":true") : STR(""));
	if (chance(made, 3))
		buf_add_fmt(buf, ",\"resolves\":\"c%u\"", below(made, made->ids + 1));
	if (chance(made, 3))
		buf_add_fmt(buf, ",\"execution_id\":\"e%u\"", below(made, 3));
	buf_add_str(buf, STR("}}"));
	raw = arena_zalloc(&made->arena, 1, buf->len + 1 + JSON_PADDING);
	memcpy(raw, buf->ptr, buf->len);
	raw[buf->len] = '\n';
	LIST_ROOM(made->line, made->count, made->cap);
	made->line[made->count++] = str_of(raw, buf->len + 1);
	buf_reset(buf);
}

static void
put_text(struct made *made, const char *role, const char *more)
{
	buf_add_fmt(&made->buf, "{\"role\":\"%s\",\"content\":\"It is dark.\"%s", role, more);
	put(made, 0);
}

static void
put_result(struct made *made, unsigned id)
{
	buf_add_fmt(&made->buf, "{\"role\":\"tool\",\"tool_call_id\":\"c%u\",\"content\":\"", id);
	for (uint32_t i = below(made, 30); i > 0; i--)
		buf_add_str(&made->buf, STR("the lamp is lit again, "));
	buf_add_char(&made->buf, '"');
	put(made, 25);
}

static void
put_group(struct made *made)
{
	unsigned calls = 1 + below(made, 5) / 3, first = made->ids;

	buf_add_str(&made->buf, STR("{\"role\":\"assistant\",\"content\":null,\"tool_calls\":["));
	for (unsigned i = 0; i < calls; i++)
		buf_add_fmt(&made->buf,
		    "%s{\"id\":\"c%u\",\"type\":\"function\",\"function\":"
		    "{\"name\":\"read\",\"arguments\":\"{\\\"path\\\":\\\"%u.c\\\"}\"}}",
		    i > 0 ? "," : "", made->ids++, below(made, 6));
	buf_add_char(&made->buf, ']');
	put(made, 0);
	for (unsigned i = 0; i < calls; i++)
		if (chance(made, 80))
			put_result(made, first + i);
		else if (made->lates < sizeof made->late / sizeof made->late[0])
			made->late[made->lates++] = first + i;
}

/* The result of one of the calls that lack it comes late. */
static void
put_late(struct made *made)
{
	uint32_t i = below(made, made->lates);
	unsigned id = made->late[i];

	made->late[i] = made->late[--made->lates];
	put_result(made, id);
}

static void
make_session(struct made *made, uint32_t seed)
{
	unsigned steps;

	*made = (struct made){.arena = ARENA_INIT, .random = seed * 2654435761u, .buf = BUF_INIT};
	steps = 5 + below(made, 60);
	while (steps-- > 0) {
		uint32_t what = below(made, 100);

		if (what < 45)
			put_group(made);
		else if (what < 65)
			put_text(made, "user", "");
		else if (what < 80)
			put_text(made, "assistant", "");
		else if (what < 84)
			put_text(made, "user", ",bad");
		else if (what < 87)
			put_text(made, "assistant", ",\"parent_execution_id\":\"e9\"");
		else if (made->lates > 0)
			put_late(made);
	}
	buf_free(&made->buf);
}

/* Runs the session through a window; returns how many groups it gave up. */
static uint64_t
run(struct window *window, const struct made *made, bool forgets, struct buf *out)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct fault fault = FAULT_INIT;

	gather.stage.fault = &fault;
	stage_link((struct stage *[]){&window->held.stage, NULL}, &gather.stage, &fault);
	window->forget_at = UINT64_MAX;
	for (uint32_t i = 0; i < made->count; i++) {
		struct str raw = made->line[i], text = str_of(raw.ptr, raw.len - 1);
		struct message message;
		struct record record = {.line = {.raw = raw, .text = text, .number = i + 1}};
		uint32_t base;

		message_parse(&message, text);
		record.kind = message.kind;
		window->held.stage.take(&window->held.stage, &record);
		if (!forgets)
			continue;
		base = find_base(window);
		if (base > 0)
			forget(window, base);
	}
	if (fault.status == STATUS_OK)
		stage_end(&window->held.stage);
	fault_free(&fault);
	*out = gather.text;
	return window->given_up;
}

static uint64_t
run_policy(const struct made *made, unsigned policy, struct size limit, enum current current,
    bool forgets, struct buf *out)
{
	static const struct isolation_options options = {.error_tokens = 60,
	    .min_tokens = 4,
	    .keep_results = 1,
	    .placeholder = STR_INIT("[{bytes}]")};
	struct estimator estimator = {.kind = ESTIMATOR_BYTES4};
	struct isolation isolate;
	uint64_t given_up;

	if (policy >= POLICIES - 2) {
		/* Of the trace all messages leave at once, before they are judged. */
		struct view_choice choice = {
		    .view = policy == POLICIES - 1 ? VIEW_REASONING : VIEW_TRACE,
		    .trace = current == CURRENT_AUTO ? VIEW_TRACE_NONE : VIEW_TRACE_CURRENT};
		struct view_stage view;

		view_stage_init(&view, &choice);
		view.window.limit = limit;
		view.window.rereads = !forgets;
		session_set_current(&view.window.held.session, current, STR("e1"));
		given_up = run(&view.window, made, forgets, out);
		view_stage_free(&view);
		return given_up;
	}
	isolation_stage_init(&isolate, isolation_stage_policies[policy], &options, &estimator);
	isolate.window.limit = limit;
	session_set_current(&isolate.window.held.session, current, STR("e1"));
	given_up = run(&isolate.window, made, forgets, out);
	isolation_stage_free(&isolate);
	return given_up;
}

static uint64_t
compare(const struct made *made, unsigned policy, struct size limit, enum current current)
{
	struct buf never = BUF_INIT, always = BUF_INIT;
	uint64_t given_up = run_policy(made, policy, limit, current, false, &never);

	CHECK(run_policy(made, policy, limit, current, true, &always) == given_up);
	if (!CHECK(str_eq(buf_str(&never), buf_str(&always))))
		printf("policy %u, current %d, limit %d %d:\nnever: %.*s\nalways: %.*s\n", policy,
		    (int)current, (int)limit.unit, (int)limit.value, STR_ARG(buf_str(&never)),
		    STR_ARG(buf_str(&always)));
	buf_free(&never);
	buf_free(&always);
	return given_up;
}

int
main(void)
{
	static const struct size limits[] = {{.unit = SIZE_UNSET},
	    {.unit = SIZE_MESSAGES, .value = 2}, {.unit = SIZE_MESSAGES, .value = 12},
	    {.unit = SIZE_PLAIN, .value = 1500}, {.unit = SIZE_PLAIN, .value = 1000000}};
	uint64_t given_up[sizeof limits / sizeof limits[0]] = {0};
	struct made made;

	mallopt(M_PERTURB, 0x5a); /* a text that is freed is no text any more */
	message_init();
	for (uint32_t seed = 0; seed < SESSIONS && unit_failed == 0; seed++) {
		make_session(&made, seed);
		for (unsigned policy = 0; policy < POLICIES; policy++)
			for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
				given_up[i] += compare(&made, policy, limits[i],
				    (enum current)(seed % (CURRENT_ID + 1)));
		free(made.line);
		arena_free(&made.arena);
	}
	CHECK(given_up[0] == 0 && given_up[1] > 1000 && given_up[2] > 100 && given_up[3] > 100);
	CHECK(given_up[4] == 0);
	return unit_end();
}
