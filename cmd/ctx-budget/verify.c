#include "verify.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text/text.h"
#include "tokens/vocabulary.h"

static void
add_line(struct buf *text, const char *encoding, struct str path, struct str what)
{
	buf_add_fmt(text, "%s\t", encoding);
	text_add_visible(text, path);
	buf_add_char(text, '\t');
	buf_add_str(text, what);
	buf_add_char(text, '\n');
}

/* Whether an earlier place names the same file by another path. */
static bool
is_repeated(const struct vocabulary *vocabulary, const char *encoding, size_t place)
{
	struct buf path = BUF_INIT;
	struct stat st;
	bool same = false;

	for (size_t i = 0; i < place && !same; i++)
		same = vocabulary_place(i, encoding, &path) && stat(path.ptr, &st) == 0 &&
		    file_is_same(&st, &vocabulary->st);
	buf_free(&path);
	return same;
}

/* Adds a line for the vocabulary in that place, if one is there. */
static void
verify(struct buf *text, const char *encoding, size_t place, const struct buf *path,
    struct fault *fault)
{
	struct vocabulary vocabulary;

	if (vocabulary_open_at(&vocabulary, path->ptr, encoding, fault)) {
		if (!vocabulary_is_intact(&vocabulary))
			fault_set(fault, STATUS_CONFIG, "the checksum of its content does not fit");
		else if (!is_repeated(&vocabulary, encoding, place))
			add_line(text, encoding, buf_str(path), STR("ok"));
		vocabulary_close(&vocabulary);
	}
	if (fault_is_set(fault))
		add_line(text, encoding, buf_str(path), buf_str(&fault->text));
}

enum status
verify_all(struct buf *text)
{
	enum status status = STATUS_OK;
	struct buf path = BUF_INIT;

	for (const char *const *encoding = vocabulary_encodings; *encoding != NULL; encoding++) {
		size_t before = text->len;

		for (size_t i = 0; vocabulary_place(i, *encoding, &path); i++) {
			struct fault fault = FAULT_INIT;

			verify(text, *encoding, i, &path, &fault);
			if (fault_is_set(&fault) && status != STATUS_CONFIG)
				status = fault.status;
			fault_free(&fault);
		}
		if (text->len == before) {
			add_line(text, *encoding, STR("-"), str_from(strerror(ENOENT)));
			status = status == STATUS_OK ? STATUS_NO_INPUT : status;
		}
	}
	buf_free(&path);
	return status;
}
