/* Archives: what is taken out of a stream goes in, and comes back, whatever was torn on the way. */

#include "data/archive/archive_whole.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "data/change.h"
#include "data/archive/restore.h"
#include "data/session/session_builder.h"
#include "stream/file/append.h"

#include "json_padded.h"
#include "unit.h"

enum { LINES = 64 };

static char path[] = "/tmp/ctx-archive-XXXXXX";

struct gather {
	struct stage stage;
	struct buf text;
};

static void
gather_take(struct stage *stage, struct record *record)
{
	struct gather *gather = (struct gather *)stage;
	struct buf *text = &gather->text;

	if (text->len > 0 && text->ptr[text->len - 1] != '\n' && !record->line.continued)
		buf_add_char(text, '\n');
	buf_add_str(text, record->line.raw);
}

/* Gives the stage each line of text. */
static void
feed(struct stage *stage, const char *text)
{
	for (const char *p = text; *p != '\0';) {
		const char *lf = strchr(p, '\n');
		size_t len = lf != NULL ? (size_t)(lf + 1 - p) : strlen(p), bom = 0, end = 0;
		struct str raw = padded_at(str_of(p, len), 0, '\n');
		struct message message;
		struct record record = {.line = {.raw = raw}};

		bom = str_has_prefix(raw, STR("\xef\xbb\xbf")) ? 3 : 0;
		end = lf != NULL;
		end += end > 0 && len > 1 && raw.ptr[len - 2] == '\r';
		record.line.text = str_of(raw.ptr + bom, len - bom - end);
		message_parse(&message, padded_at(record.line.text, 0, '\n'));
		record.kind = message.kind;
		stage->take(stage, &record);
		p += len;
	}
}

static void
end_held(struct stage *stage)
{
	(void)stage;
}

/* What is done to the session: drops, rewrites and adds, as "d3 t4 a1 b" (b: a budget record). */
static void
change(struct session *t, const char *what)
{
	for (const char *p = what; *p != '\0'; p++) {
		char *next = NULL;
		uint32_t at;

		if (*p == ' ')
			continue;
		at = (uint32_t)strtoul(p + 1, &next, 10);
		if (*p == 'd')
			change_drop(t, at, NULL);
		else if (*p == 't')
			change_text(t, at, NULL, STR("{\"role\":\"tool\",\"content\":\"[gone]\"}"));
		else if (*p == 'a')
			change_add(t, at, NULL, STR("{\"role\":\"user\",\"content\":\"added\"}"));
		else
			change_add(
			    t, t->count, NULL, STR("{\"type\":\"budget\",\"used_tokens\":1}"));
		p = next - 1;
	}
}

/* Does that to the stream, archives it, and returns what is left. */
static struct str
compact(const char *text, const char *what)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct fault fault = FAULT_INIT;
	struct append append;
	struct held held;
	struct str left;

	held_init(&held, end_held);
	stage_link((struct stage *[]){&held.stage, NULL}, &gather.stage, &fault);
	feed(&held.stage, text);
	session_end(&held.session);
	change(&held.session, what);
	CHECK(append_open(&append, path, &fault));
	archive_pass_write(&(struct archive_pass){.session = &held.session}, false, &append.out);
	append_close(&append);
	CHECK(!fault_is_set(&fault));
	held_emit_all(&held);
	held_free(&held);
	buf_add_char(&gather.text, '\0');
	left = arena_copy(&padded_arena, buf_str(&gather.text));
	buf_free(&gather.text);
	return left;
}

/* The stream with all put back that the archive has; *findings counts what it lacks. */
static struct str
restore(const char *text, uint32_t *findings)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct fault fault = FAULT_INIT;
	struct archive_index index;
	struct candidates passes;
	struct restore restore;
	struct str all;

	CHECK(archive_index_open(&index, path, &fault));
	gather.stage.fault = &fault;
	candidates_open(&passes, &index);
	restore_init(&restore, &passes);
	stage_link((struct stage *[]){&restore.held.stage, NULL}, &gather.stage, &fault);
	feed(&restore.held.stage, text);
	stage_end(&restore.held.stage);
	*findings = restore.finding_count;
	restore_free(&restore);
	candidates_close(&passes);
	archive_index_close(&index);
	all = arena_copy(&padded_arena, buf_str(&gather.text));
	buf_free(&gather.text);
	return all;
}

static void
check(const char *text, const char *what)
{
	struct str left = compact(text, what);
	uint32_t findings;

	CHECK_STR(restore(left.ptr, &findings), text);
	CHECK(findings == 0);
}

#define USER(text) "{\"role\":\"user\",\"content\":\"" text "\"}\n"
/* What change adds, as the pass of that ID marks it. */
#define MARKED(id) "{\"role\":\"user\",\"content\":\"added\",\"metadata\":{\"pass\":\"" id "\"}}\n"
#define BUDGET "{\"type\":\"budget\",\"used_tokens\":9}\n"

static void
test_pass(void)
{
	check(USER("a") USER("b") USER("c"), "d1");
	check(USER("a") USER("b") USER("c"), "t1");
	check(USER("a") USER("b") USER("c"), "d0 d1 a1 t2");
	check(USER("a") USER("a") USER("a") USER("a"), "d1 d2");
	check("\xef\xbb\xbf" USER("a") USER("b"), "d0");
	check("\xef\xbb\xbf" USER("a") USER("b"), "t0");
	check("{\"role\":\"user\"}\r\n{\"role\":\"tool\"}\r\n" USER("x"), "d0 t1");
	check(USER("a") "not json\n\n[1]\n" USER("b") "torn", "d0 d4");
	check(USER("a") " {\"role\":\"user\"} ", "t1");
	check(USER("a") BUDGET, "d1 b");
	check(USER("a") BUDGET USER("b"), "d1 d0 b");
	check(BUDGET USER("a") BUDGET BUDGET USER("b") "{\"role\":\"user\"}", "d0 d2 d3 b");
	check(USER("a") "{\"role\":\"user\"}", "b");
	check(USER("a") USER("b") "{\"role\":\"user\"}", "d2");
	check(USER("e") USER("b") BUDGET USER("c"), "d1");
	check(USER("f") BUDGET USER("b") USER("c"), "d2");
	check(USER("g") USER("b") BUDGET USER("c") BUDGET USER("d"), "d1 d3 a4 d5");
	check(USER("a") BUDGET, "d1 t0");
	check("{\"type\":\"x\"}\n" BUDGET, "d0");
	check("{\"type\":\"x\"}\n" BUDGET "{\"type\":\"y\"}\n", "d0 d2 b");
}

/* Passes one after the other, with new lines between, are undone in turn. */
static void
test_chain(void)
{
	struct buf log = BUF_INIT, small = BUF_INIT;
	uint32_t findings;

	buf_add_str(&small, STR(USER("task") USER("one")));
	buf_add_str(&log, buf_str(&small));
	for (int i = 0; i < 20; i++) {
		char line[LINES];
		struct str left;

		snprintf(line, sizeof line, "{\"role\":\"user\",\"content\":\"%d\"}\n", i);
		buf_add_str(&log, str_from(line));
		buf_add_str(&small, str_from(line));
		buf_add_char(&small, '\0');
		left = compact(small.ptr, i % 3 == 0 ? "t1" : "d1");
		buf_reset(&small);
		buf_add(&small, left.ptr, left.len - 1);
	}
	buf_add_str(&small, STR(BUDGET USER("later")));
	buf_add_str(&log, STR(BUDGET USER("later")));
	buf_add_char(&small, '\0');
	buf_add_char(&log, '\0');
	CHECK(small.len < log.len);
	CHECK_STR(restore(small.ptr, &findings), log.ptr);
	CHECK(findings == 0);
	buf_free(&log);
	buf_free(&small);
}

static void
write_archive(const char *text, int flags)
{
	int fd = open(path, O_WRONLY | flags);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* A line that a killed writer left harms neither what was there nor what comes. */
static void
test_torn(void)
{
	struct str first, second;
	uint32_t findings;

	write_archive("", O_TRUNC);
	first = compact(USER("a") USER("b"), "d1");
	write_archive(
	    "{\"key\":\"00000000000000000000000000000000\",\"record\":{\"role\":\"u", O_APPEND);
	CHECK_STR(restore(first.ptr, &findings), USER("a") USER("b"));
	second = compact(USER("c") USER("d"), "d0");
	CHECK_STR(restore(first.ptr, &findings), USER("a") USER("b"));
	CHECK_STR(restore(second.ptr, &findings), USER("c") USER("d"));
	CHECK(findings == 0);
}

/* Entries whose bytes are not those of the key, and keys that are not there. */
static void
test_damaged(void)
{
	struct str first, second;
	struct buf archive = BUF_INIT;
	struct fault fault = FAULT_INIT;
	uint32_t findings;

	write_archive("", O_TRUNC);
	first = compact(USER("a") USER("lost") USER("b"), "d1 t2");
	second = compact(first.ptr, "d0");
	CHECK(file_read(path, 100000, &archive, &fault));
	memcpy((char *)str_find(buf_str(&archive), STR("lost")), "LOST", 4);
	buf_add_char(&archive, '\0');
	write_archive(archive.ptr, O_TRUNC);
	CHECK_STR(restore(second.ptr, &findings), USER("a") USER("b"));
	CHECK(findings == 1);
	write_archive("", O_TRUNC);
	CHECK_STR(restore("{\"role\":\"user\",\"metadata\":{\"archived\":"
			  "\"0123456789abcdef0123456789abcdef\"}}\n",
		      &findings),
	    "{\"role\":\"user\",\"metadata\":{\"archived\":"
	    "\"0123456789abcdef0123456789abcdef\"}}\n");
	CHECK(findings == 1);
	buf_free(&archive);
}

/* Appends the passes of two sessions and of their stream, in which they take turns, after that was
 * done to them. */
static void
compact_two(const char *const text[2], const char *const what[2])
{
	struct fault fault = FAULT_INIT;
	struct archive_whole *whole = archive_whole_open(false);
	struct archive_pass part[2];
	struct append append;
	struct held held[2];

	CHECK(append_open(&append, path, &fault));
	for (int i = 0; i < 2; i++) {
		held_init(&held[i], end_held);
		feed(&held[i].stage, text[i]);
		session_end(&held[i].session);
		for (uint32_t k = 0; k < held[i].session.count; k++)
			held[i].session.entry[k].place = 1 + 2 * k + (uint32_t)i;
		change(&held[i].session, what[i]);
		part[i] = (struct archive_pass){.session = &held[i].session, .is_of_many = true};
		archive_pass_write(&part[i], false, &append.out);
	}
	archive_whole_add(whole, part, 2);
	CHECK(archive_whole_is_changed(whole));
	archive_whole_write(whole, &append.out);
	CHECK(!archive_whole_is_changed(whole));
	append_close(&append);
	archive_whole_close(whole);
	for (int i = 0; i < 2; i++)
		held_free(&held[i]);
	CHECK(!fault_is_set(&fault));
}

/* Many sessions come back as one stream, and each by itself; and one of which nothing is left. */
static void
test_whole(void)
{
	static const char *const text[] = {USER("a") USER("b") USER("c"), USER("x") USER("y")};
	static const char all[] = USER("a") USER("x") USER("b") USER("y") USER("c");
	uint32_t findings;

	write_archive("", O_TRUNC);
	compact_two(text, (const char *const[]){"d1", "d0 d1"});
	CHECK_STR(restore(USER("a") USER("c"), &findings), all);
	CHECK(findings == 0);
	write_archive("", O_TRUNC);
	compact_two(text, (const char *const[]){"d1 a3", "d1"});
	CHECK_STR(
	    restore(USER("a") USER("x") USER("c") MARKED("2e3b0663c318") USER("z"), &findings),
	    USER("a") USER("x") USER("b") USER("y") USER("c") USER("z"));
	CHECK_STR(restore(USER("x"), &findings), USER("x") USER("y"));
	CHECK(findings == 0);
	write_archive("", O_TRUNC);
	compact_two(text, (const char *const[]){"d1 d2", ""});
	CHECK_STR(restore(USER("a") USER("x") USER("y"), &findings), all);
	write_archive("", O_TRUNC);
	compact_two((const char *const[]){USER("a") "{\"role\":\"user\"}", USER("x")},
	    (const char *const[]){"a2", ""});
	CHECK_STR(
	    restore(USER("a") USER("x") "{\"role\":\"user\"}\n" MARKED("0aae13f50f48"), &findings),
	    USER("a") USER("x") "{\"role\":\"user\"}");
	CHECK(findings == 0);
}

static void
add_entry(struct buf *archive, const char *kind, struct str text)
{
	struct archive_key key = archive_key_of(text);

	buf_add_str(archive, STR("{\"key\":\""));
	archive_key_write(&key, archive);
	buf_add_fmt(archive, "\",\"%s\":%.*s}\n", kind, STR_ARG(text));
}

/* A pass of a first version says nothing of a budget record that stayed, which stood in front. */
static void
test_first_version(void)
{
	struct str gone = STR("{\"role\":\"user\",\"content\":\"gone\"}");
	struct archive_key key = archive_key_of(STR("{\"role\":\"user\",\"content\":\"a\"}"));
	struct buf archive = BUF_INIT, text = BUF_INIT;
	struct archive_chain chain;
	uint32_t findings;

	archive_chain_init(&chain);
	archive_chain_add(&chain, &key, STR("\n"));
	key = archive_key_of(STR("{\"role\":\"user\",\"content\":\"b\"}"));
	archive_chain_add(&chain, &key, STR("\n"));
	key = archive_chain_key(&chain);
	buf_add_str(&text, STR("{\"stream\":\""));
	archive_key_write(&key, &text);
	buf_add_str(&text, STR("\",\"edits\":[{\"at\":1,\"gone\":\""));
	key = archive_key_of(gone);
	archive_key_write(&key, &text);
	buf_add_str(&text, STR("\"}]}"));
	add_entry(&archive, "record", gone);
	add_entry(&archive, "pass", buf_str(&text));
	buf_add_char(&archive, '\0');
	write_archive(archive.ptr, O_TRUNC);
	CHECK_STR(restore(USER("a") BUDGET USER("b"), &findings),
	    USER("a") BUDGET USER("gone") USER("b"));
	CHECK(findings == 0);
	buf_free(&archive);
	buf_free(&text);
}

/* Very many passes of one stream, each of which wrote a budget record that is not there: each is
 * read once, so that this takes a moment, and not a minute. */
static void
test_many(void)
{
	struct archive_key line = archive_key_of(STR("{\"role\":\"user\",\"content\":\"a\"}")), key;
	struct buf text = BUF_INIT, stream = BUF_INIT, archive = BUF_INIT;
	struct archive_chain chain;
	uint32_t findings;

	archive_chain_init(&chain);
	archive_chain_add(&chain, &line, STR("\n"));
	key = archive_chain_key(&chain);
	archive_key_write(&key, &stream);
	for (int i = 0; i < 10000; i++) {
		buf_reset(&text);
		buf_add_fmt(&text,
		    "{\"stream\":\"%.*s\",\"id\":\"%012x\",\"edits\":[{\"at\":0,\"was\":\"",
		    STR_ARG(buf_str(&stream)), i);
		archive_key_write(&line, &text);
		buf_add_fmt(&text, "\"},{\"at\":1,\"wrote\":\"%032x\"}]}", i);
		add_entry(&archive, "pass", buf_str(&text));
	}
	add_entry(&archive, "record", STR("{\"role\":\"user\",\"content\":\"a\"}"));
	buf_add_char(&archive, '\0');
	write_archive(archive.ptr, O_TRUNC);
	alarm(20);
	CHECK_STR(restore(USER("a"), &findings), USER("a"));
	alarm(0);
	CHECK(findings == 0);
	buf_free(&text);
	buf_free(&stream);
	buf_free(&archive);
}

static void
test_keys(void)
{
	struct archive_key key = archive_key_of(STR("abc")), other;
	struct buf hex = BUF_INIT;

	archive_key_write(&key, &hex);
	CHECK_STR(buf_str(&hex), "cf4ab791c62b8d2b2109c90275287816");
	CHECK(archive_key_read(buf_str(&hex), &other) && archive_key_eq(&key, &other));
	CHECK(!archive_key_read(STR("cf4ab791c62b8d2b2109c9027528781"), &other));
	CHECK(!archive_key_read(STR("cfgab791c62b8d2b2109c90275287816"), &other));
	CHECK(!archive_key_read(STR("cf4gb791c62b8d2b2109c90275287816"), &other));
	CHECK(!archive_key_read(STR("CF4ab791c62b8d2b2109c90275287816"), &other));
	buf_free(&hex);
}

int
main(void)
{
	int fd = mkstemp(path);

	message_init();
	CHECK(fd >= 0 && close(fd) == 0);
	test_keys();
	test_pass();
	test_chain();
	test_torn();
	test_damaged();
	test_whole();
	test_first_version();
	test_many();
	unlink(path);
	arena_free(&padded_arena);
	return unit_end();
}
