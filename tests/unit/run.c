/* A run step by step: a stage whose findings are read after each record. */

#include "face/run.h"

#include <unistd.h>

#include "json_padded.h"
#include "unit.h"

/* Counts users, adds a record of its own behind each, and one at the end. */
struct counter {
	struct stage stage;
	struct message message;
	unsigned users;
};

static void
add(struct stage *stage, const struct record *at, const char *json)
{
	struct record record;

	record_make(&record, &at->line, padded(json));
	stage_emit(stage, &record);
}

static void
take(struct stage *stage, struct record *record)
{
	struct counter *counter = (struct counter *)stage;

	if (record->kind == RECORD_MESSAGE &&
	    record_message(record, &counter->message)->role == ROLE_USER)
		counter->users++;
	stage_emit(stage, record);
	add(stage, record, "{\"n\":1}");
}

static void
end(struct stage *stage)
{
	struct record none = {.line = {.number = 0}};

	add(stage, &none, "{\"end\":1}\n");
}

/* Puts text into a new file, whose name goes into path. */
static int
create(char *path, const char *text)
{
	int fd = mkstemp(strcpy(path, "/tmp/ctx-run.XXXXXX"));

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	return fd;
}

/* Runs the counter over a file; its output goes to out, of size bytes. Returns the status. */
static int
run_file(const char *text, char *out, size_t size)
{
	static const struct common_options options;
	struct counter counter = {.stage = {.take = take, .end = end}};
	char in_path[32], out_path[32], *operand = in_path;
	int in_fd = create(in_path, text), out_fd = create(out_path, ""), kept = dup(1), status;
	unsigned taken = 0;
	struct run run;
	ssize_t len;

	fflush(stdout);
	dup2(out_fd, 1);
	run_open(&run, &options, &operand, 1);
	run_link(&run, (struct stage *[]){&counter.stage, NULL});
	while (run_read(&run))
		while (run_take(&run))
			CHECK(counter.users == ++taken);
	run_end(&run);
	run_fail(&run, STATUS_NO);
	run_write(&run);
	status = run_finish(&run);
	run_free(&run);
	dup2(kept, 1);
	close(kept);
	len = pread(out_fd, out, size - 1, 0);
	out[len > 0 ? len : 0] = '\0';
	close(in_fd);
	close(out_fd);
	unlink(in_path);
	unlink(out_path);
	return status;
}

int
main(void)
{
	char out[256];

	diag_init("unit");
	CHECK(run_file("{\"role\":\"user\"}\n{\"role\":\"user\"}\n", out, sizeof out) == STATUS_NO);
	CHECK_STR(str_from(out),
	    "{\"role\":\"user\"}\n{\"n\":1}\n{\"role\":\"user\"}\n{\"n\":1}\n"
	    "{\"end\":1}\n");
	/* What is added without a line end ends as the input ends. */
	CHECK(run_file("{\"role\":\"user\"}", out, sizeof out) == STATUS_NO);
	CHECK_STR(str_from(out), "{\"role\":\"user\"}\n{\"n\":1}\n{\"end\":1}\n");
	return unit_end();
}
