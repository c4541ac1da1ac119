/*
 * Fuzzes archives. The input is a stream, and what a policy does to it: whatever that is, the stream
 * comes back from the archive, unless nothing is left of it. Or it is an archive and a stream:
 * whatever they are, nothing is read that is not there.
 *
 *     byte 0      even: what is done to the lines follows, then the stream; odd: an archive and a stream
 *     byte 1      so many bytes, times 8, say what is done, or are the archive
 */

#include "data/archive/archive_whole.h"
#include "data/change.h"
#include "data/archive/restore.h"
#include "data/session/session_builder.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "held.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

/* The end of the chain: gathers the records as the sink does. */
struct gather {
	struct stage stage;
	struct buf text;
};

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
gather_take(struct stage *stage, struct record *record)
{
	struct buf *text = &((struct gather *)stage)->text;
	struct str raw = record->line.raw;

	if (!record->line.continued && text->len > 0 && text->ptr[text->len - 1] != '\n')
		buf_add_char(text, '\n');
	buf_add_str(text, raw);
}

/* Does to each entry what the next byte says. What was dropped is a list. A budget record stays one:
 * no policy makes a message of it. */
static void
change(struct session *t, struct str what)
{
	struct archive_list list = {.text = BUF_INIT};

	for (uint32_t i = 0; i < t->count && i < what.len; i++) {
		struct archive_key key = archive_original_key(t, i);

		if (what.ptr[i] % 5 == 1)
			change_drop(t, i, NULL);
		else if (what.ptr[i] % 5 == 2)
			change_text(t, i, NULL,
			    t->entry[i].kind == RECORD_BUDGET ?
				STR("{\"type\":\"budget\",\"n\":1}") :
				STR("{\"role\":\"tool\"}"));
		else if (what.ptr[i] % 5 == 3)
			change_add(t, i, NULL, STR("{\"role\":\"user\"}"));
		if (what.ptr[i] % 5 == 1)
			archive_list_add(&list, &key);
	}
	if (list.text.len > 0)
		archive_list_put(&list, t);
	archive_list_free(&list);
}

/* What is left of the stream; the pass goes to fd. */
static struct buf
compact(struct str text, struct str what, int fd)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct fault fault = FAULT_INIT;
	struct output out;
	struct held held = {.stage = {.next = &gather.stage}};

	held_open(&held.session, CURRENT_AUTO, text);
	session_end(&held.session);
	change(&held.session, what);
	output_init(&out, dup(fd), "archive", &fault);
	archive_pass_write(&(struct archive_pass){.session = &held.session}, false, &out);
	output_close(&out);
	must(!fault_is_set(&fault));
	for (uint32_t i = 0; i <= held.session.count; i++) {
		for (uint32_t k = 0; k < held.session.added_count; k++)
			if (change_added(&held.session, k)->entry == i) {
				struct record record = {.kind = RECORD_MESSAGE};

				record.line.raw = str_of(change_added(&held.session, k)->raw,
				    change_added(&held.session, k)->len);
				gather_take(&gather.stage, &record);
			}
		if (i < held.session.count && !held.session.entry[i].is_dropped) {
			struct record record = {.kind = RECORD_MESSAGE};

			record.line.raw =
			    str_of(held.session.entry[i].raw, held.session.entry[i].len);
			gather_take(&gather.stage, &record);
		}
	}
	session_free(&held.session);
	return gather.text;
}

/* The stream with what the archive has put back. */
static struct buf
restore(struct str text, const char *path)
{
	struct gather gather = {.stage = {.take = gather_take, .end = stage_pass_end}};
	struct fault fault = FAULT_INIT;
	struct archive_index index;
	struct candidates passes;
	struct restore stage;

	must(archive_index_open(&index, path, &fault));
	candidates_open(&passes, &index);
	restore_init(&stage, &passes);
	gather.stage.fault = stage.held.stage.fault = &fault;
	stage.held.stage.next = &gather.stage;
	session_free(&stage.held.session);
	held_open(&stage.held.session, CURRENT_AUTO, text);
	stage.held.stage.end(&stage.held.stage);
	must(!fault_is_set(&fault));
	restore_free(&stage);
	candidates_close(&passes);
	archive_index_close(&index);
	return gather.text;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	int fd = memfd_create("archive", 0);
	struct buf left = BUF_INIT, all = BUF_INIT;
	struct str first, text;
	char path[64];

	message_init();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (len < 2 || fd < 0) {
		close(fd);
		return 0;
	}
	first = str_of(
	    (const char *)bytes + 2, (size_t)bytes[1] * 8 < len - 2 ? bytes[1] * 8u : len - 2);
	text = str_of(first.ptr + first.len, len - 2 - first.len);
	if (bytes[0] % 2 == 0) {
		left = compact(text, first, fd);
		all = restore(buf_str(&left), path);
		must(left.len == 0 || str_eq(text, buf_str(&all)));
	} else {
		must(write(fd, first.ptr, first.len) == (ssize_t)first.len);
		all = restore(text, path);
	}
	buf_free(&left);
	buf_free(&all);
	close(fd);
	arena_free(&padded_arena);
	return 0;
}
