/*
 * Fuzzes the scanner: its paths must agree about any bytes. A text that they accept must walk and
 * decode, and json_canon must make it canonical.
 */

#include "json/canon.h"
#include "json/string.h"
#include "json/members.h"

#include "../unit/json_padded.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void
walk_all(struct json_value value, struct buf *buf)
{
	struct json_walk walk;

	if (value.type == JSON_STRING && json_text(value, buf).len != json_decoded_len(value))
		abort();
	for (walk = json_walk_of(value); json_walk_next(&walk);)
		walk_all(walk.value, buf);
}

/* Scans text by one path, walks it, and leaves its canonical form in canon. Returns the place of
 * the error. */
static size_t
scan_by(enum json_isa isa, struct str text, struct buf *canon)
{
	struct json_scan scan;
	struct buf scratch = BUF_INIT;

	buf_reset(canon);
	json_scan_use(isa); /* a machine without this path tries another one twice */
	if (!json_scan(text, NULL, &scan))
		return scan.error_at + 1;
	walk_all(scan.value, &scratch);
	json_canon(scan.value, canon, &padded_arena);
	buf_free(&scratch);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct str text = padded_at(str_of((const void *)bytes, len), 0, len ? (char)*bytes : 0);
	static struct buf canon, other;
	size_t wrong = scan_by(JSON_ISA_SCALAR, text, &canon);

	for (enum json_isa isa = JSON_ISA_SSE2; isa <= JSON_ISA_AVX2; isa++) {
		if (scan_by(isa, text, &other) != wrong ||
		    !str_eq(buf_str(&canon), buf_str(&other)))
			abort();
		if (wrong == 0 &&
		    (scan_by(isa, padded_at(buf_str(&canon), 0, '"'), &other) != 0 ||
			!str_eq(buf_str(&canon), buf_str(&other))))
			abort();
	}
	arena_free(&padded_arena);
	return 0;
}
