#include "json/scan.h"

#include "json/path/path.h"
#include "json/string.h"

static const struct json_path *path_in_use;

/* The first eight bytes of a name of len bytes, zeros after its end; reads eight bytes. This is
 * arithmetic, since a branch on the length would often be predicted wrong. */
static uint64_t
name_head(const char *ptr, size_t len)
{
	return json_load64(ptr) & (~(UINT64_MAX << (8 * len & 63)) | -(uint64_t)(len >= 8));
}

static unsigned
name_hash(uint64_t head, size_t len)
{
	enum { BITS = 8 };

	_Static_assert(JSON_NAMES_SLOTS == 1 << BITS, "a hash is the number of a slot");
	return (unsigned)((head + len) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - BITS));
}

void
json_names_init(struct json_names *names, const struct str *list, unsigned count)
{
	memset(names, 0, sizeof *names);
	names->list = list;
	while (names->count < count)
		json_names_grow(names);
}

void
json_names_grow(struct json_names *names)
{
	struct str name = names->list[names->count];
	char bytes[8] = {0};
	unsigned at;

	memcpy(bytes, name.ptr, name.len < 8 ? name.len : 8);
	names->head[names->count] = json_load64(bytes);
	if (name.len > 8)
		names->tail[names->count] = json_load64(name.ptr + name.len - 8);
	at = name_hash(names->head[names->count], name.len);
	while (names->slot[at] != 0)
		at = (at + 1) % JSON_NAMES_SLOTS;
	names->slot[at] = (uint8_t)++names->count;
}

/* The index of a name by all of its bytes, or -1. */
static __attribute__((noinline)) int
find_long(const struct json_names *names, const char *ptr, size_t len)
{
	for (unsigned i = 0; i < names->count; i++)
		if (str_eq(names->list[i], str_of(ptr, len)))
			return (int)i;
	return -1;
}

/* The index of the name of len bytes, or -1. */
static int
find_plain(const struct json_names *names, const char *ptr, size_t len)
{
	uint64_t head = name_head(ptr, len);
	unsigned at = name_hash(head, len);

	for (; names->slot[at] != 0; at = (at + 1) % JSON_NAMES_SLOTS) {
		unsigned i = names->slot[at] - 1u;

		if (names->head[i] != head || names->list[i].len != len)
			continue;
		if (len > 8 && json_load64(ptr + len - 8) != names->tail[i])
			continue;
		return len <= 16 ? (int)i : find_long(names, ptr, len);
	}
	return -1;
}

static __attribute__((noinline)) int
find_escaped(const struct json_names *names, struct json_value name)
{
	char decoded[256 + JSON_PADDING];
	size_t len = name.len - 2u;

	name.type = JSON_STRING;
	if (len <= 256) {
		len = json_decode_to(name, decoded);
		memset(decoded + len, 0, 8);
		return find_plain(names, decoded, len);
	}
	for (unsigned i = 0; i < names->count; i++)
		if (json_is(name, names->list[i]))
			return (int)i;
	return -1;
}

int
json_names_find(const struct json_names *names, struct json_value name)
{
	return name.escaped ? find_escaped(names, name) :
			      find_plain(names, name.ptr + 1, name.len - 2u);
}

int
json_name_index(const struct json_names *names, struct json_value value)
{
	return value.type == JSON_STRING ? json_names_find(names, value) : -1;
}

const char *
json_fail(struct json_scanner *s, const char *p, const char *phrase)
{
	s->error_ptr = p < s->end ? p : s->end;
	s->scan->error = p < s->end ? phrase : "unexpected end";
	return NULL;
}

/* Notes the error of a backslash at p that starts no escape. */
static const char *
fail_escape(struct json_scanner *s, const char *p)
{
	p++;
	if (p < s->end && *p == 'u')
		do
			p++;
		while (p < s->end && json_byte_hex(*p) < 16);
	return json_fail(s, p, "invalid escape");
}

const char *
json_fail_string(struct json_scanner *s, const char *p)
{
	if (s->is_line) /* often cut by the end of the block, and then scanned again */
		return NULL;
	for (p = json_skip_plain(p + 1, s->end); p < s->end; p = json_skip_plain(p, s->end)) {
		unsigned len = 0;

		if ((unsigned char)*p < 0x20)
			return json_fail(s, p, "control character in a string");
		if (*p == '\\' && (len = json_escape_len(p)) == 0)
			return fail_escape(s, p);
		p = utf8_skip(p + len, s->end);
		if (p < s->end && (unsigned char)*p >= 0x80)
			return json_fail(s, p, "invalid UTF-8");
	}
	return json_fail(s, s->end, NULL);
}

/* The path for isa, or NULL when this machine lacks it. */
static const struct json_path *
find_path(enum json_isa isa)
{
#if defined(__x86_64__)
	bool has_avx2;

	__builtin_cpu_init();
	has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
	    __builtin_cpu_supports("popcnt");
	if (isa == JSON_ISA_SSE2 || (isa == JSON_ISA_BEST && !has_avx2))
		return &json_path_sse2;
	if (isa == JSON_ISA_AVX2 || isa == JSON_ISA_BEST)
		return has_avx2 ? &json_path_avx2 : NULL;
	return &json_path_scalar;
#else
	return isa == JSON_ISA_SCALAR || isa == JSON_ISA_BEST ? &json_path_scalar : NULL;
#endif
}

const struct json_path *
json_path(void)
{
	if (path_in_use == NULL)
		path_in_use = find_path(JSON_ISA_BEST);
	return path_in_use;
}

bool
json_scan_use(enum json_isa isa)
{
	const struct json_path *path = find_path(isa);

	if (path != NULL)
		path_in_use = path;
	return path != NULL;
}

static void
start_scan(struct json_scanner *s, struct str text)
{
	s->end = text.ptr + text.len;
	s->scan->error = NULL;
	s->scan->error_at = 0;
	s->scan->repeated = 0;
	s->scan->elements = 0;
	if (s->names != NULL)
		memset(s->scan->member, 0, s->names->count * sizeof s->scan->member[0]);
}

bool
json_scan(struct str text, const struct json_names *names, struct json_scan *scan)
{
	struct json_scanner s = {.names = names, .scan = scan};
	const char *p;

	if (text.len == 0)
		text = STR("");
	start_scan(&s, text);
	if (text.len > UINT32_MAX)
		p = json_fail(&s, text.ptr + UINT32_MAX, "longer than 4 GiB");
	else
		p = json_path()->value(&s, text.ptr);
	while (p != NULL && p < s.end && byte_is_blank(*p))
		p++;
	if (p != NULL && p < s.end)
		json_fail(&s, p, "bytes after the value");
	if (scan->error == NULL)
		return true;
	scan->error_at = (size_t)(s.error_ptr - text.ptr);
	if (scan->error_at == text.len && str_trim(text).len == 0)
		scan->error = "empty";
	return false;
}

size_t
json_scan_line(struct str text, const struct json_names *names, struct json_scan *scan,
    struct json_spans *spans)
{
	struct json_scanner s = {.names = names, .scan = scan, .spans = spans, .is_line = true};
	const char *p;

	if (spans != NULL) {
		spans->count = spans->outer_count = spans->inner_count = 0;
		spans->object = NULL;
		spans->has_blank = spans->has_long_escape = false;
	}
	if (text.len > UINT32_MAX)
		text.len = UINT32_MAX;
	start_scan(&s, text);
	p = json_path()->value(&s, text.ptr);
	if (p == NULL)
		return 0;
	while (p < s.end && (*p == ' ' || *p == '\t' || *p == '\r'))
		p++;
	return p < s.end && *p == '\n' ? (size_t)(p - text.ptr) + 1 : 0;
}
