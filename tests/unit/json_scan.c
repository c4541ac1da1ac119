/*
 * The scanner: verdicts, errors and members; and that all of its paths find the same, at every
 * alignment, whatever follows the text. With operands, prints "accept" or "reject" and the name of
 * each file.
 */

#include "base/buf.h"
#include "json/scan.h"
#include "json/members.h"

#include "json_padded.h"
#include "unit.h"

static const struct str name_list[] = {STR_INIT("role"), STR_INIT("content"), STR_INIT(""),
    STR_INIT("tool_calls"), STR_INIT("tool_call_id"), STR_INIT("metadata"), STR_INIT("\xc3\xa9")};
enum { NAME_COUNT = sizeof name_list / sizeof name_list[0] };

/* Of the objects in "tool_calls", and of their functions. */
static const struct str element_list[] = {
    STR_INIT("id"), STR_INIT("function"), STR_INIT("name"), STR_INIT("arguments")};
enum { ELEMENT_COUNT = sizeof element_list / sizeof element_list[0], LIST = 3, INSIDE = 1 << 1 };

/* Of the object "metadata". */
static const struct str object_list[] = {STR_INIT("id"), STR_INIT("a"), STR_INIT("")};
enum { OBJECT_COUNT = sizeof object_list / sizeof object_list[0], OBJECT = 5 };

static struct json_names names, plain_names, element_names, object_names;

/* What may follow a text: each would lengthen or close something that the end cuts. */
static const char fills[] = "\"\\}]0,u \n\x80\xff\xe4";

static bool
same_span(
    const struct json_value *a, const char *base_a, const struct json_value *b, const char *base_b)
{
	if (a->type != b->type || a->type == JSON_ABSENT)
		return a->type == b->type;
	return a->ptr - base_a == b->ptr - base_b && a->len == b->len && a->escaped == b->escaped;
}

static bool
same_scan(
    const struct json_scan *a, const char *base_a, const struct json_scan *b, const char *base_b)
{
	bool same;

	if (a->error != NULL || b->error != NULL)
		return a->error != NULL && b->error != NULL && strcmp(a->error, b->error) == 0 &&
		    a->error_at == b->error_at;
	same = a->repeated == b->repeated && same_span(&a->value, base_a, &b->value, base_b);
	for (unsigned i = 0; i < NAME_COUNT; i++)
		same = same && same_span(&a->member[i], base_a, &b->member[i], base_b);
	return same;
}

static bool
same_elements(
    const struct json_scan *a, const char *base_a, const struct json_scan *b, const char *base_b)
{
	bool same = a->elements == b->elements;

	for (unsigned i = 0; same && i < a->elements && i < JSON_ELEMENTS_MAX; i++) {
		const struct json_element *one = &a->element[i], *other = &b->element[i];

		same = same_span(&one->value, base_a, &other->value, base_b);
		for (unsigned j = 0; same && j < ELEMENT_COUNT; j++)
			same = same_span(&one->member[j], base_a, &other->member[j], base_b);
	}
	return same;
}

/* The elements of a valid text, as the walk of the array gives them. */
static void
list_elements(const struct json_scan *of, struct json_scan *scan)
{
	struct json_value member[ELEMENT_COUNT];
	struct json_walk walk = json_walk_of(of->member[LIST]);

	scan->elements = 0;
	if (of->member[LIST].type != JSON_ARRAY)
		return;
	while (json_walk_pick(&walk, &element_names, INSIDE, member)) {
		if (walk.value.type != JSON_OBJECT)
			continue;
		if (scan->elements < JSON_ELEMENTS_MAX) {
			scan->element[scan->elements].value = walk.value;
			memcpy(scan->element[scan->elements].member, member, sizeof member);
		}
		scan->elements++;
	}
}

/* The members of the object are noted as a walk of it finds them. */
static void
check_object(const struct json_scan *scan)
{
	struct json_value member[OBJECT_COUNT];

	if (scan->member[OBJECT].type != JSON_OBJECT)
		return;
	json_pick(scan->member[OBJECT], &object_names, member);
	for (unsigned i = 0; i < OBJECT_COUNT; i++)
		CHECK(same_span(&member[i], NULL, &scan->object[i], NULL));
}

/* Noting elements changes nothing else, and notes what a walk gives. */
static void
check_elements(struct str text, const struct json_scan *scan)
{
	struct json_scan plain, listed;

	json_scan(text, &plain_names, &plain);
	CHECK(same_scan(scan, text.ptr, &plain, text.ptr) && plain.elements == 0);
	if (scan->error != NULL)
		return;
	check_object(scan);
	list_elements(scan, &listed);
	if (!CHECK(same_elements(scan, text.ptr, &listed, text.ptr)))
		printf("%.*s\n", STR_ARG(text));
}

/* Scans text by every path, at the shift given and followed by each of fills; whether it is valid.
 * The first scan, by the scalar path, is left in scan. */
static bool
scan_all(struct str text, size_t shift, struct json_scan *scan)
{
	struct str first = padded_at(text, 0, '\0');

	json_scan_use(JSON_ISA_SCALAR);
	json_scan(first, &names, scan);
	check_elements(first, scan);
	for (const char *fill = fills; *fill != '\0'; fill++) {
		struct str copy = padded_at(text, shift, *fill);

		for (int isa = JSON_ISA_SCALAR; isa <= JSON_ISA_AVX2; isa++) {
			struct json_scan other;

			if (!json_scan_use((enum json_isa)isa))
				continue;
			json_scan(copy, &names, &other);
			if (!CHECK(same_scan(scan, first.ptr, &other, copy.ptr) &&
				(scan->error != NULL ||
				    same_elements(scan, first.ptr, &other, copy.ptr))))
				printf("path %d, 0x%02x behind: %.*s\n", isa, (unsigned char)*fill,
				    STR_ARG(text));
		}
	}
	json_scan_use(JSON_ISA_BEST);
	return scan->error == NULL;
}

static void
test_valid(void)
{
	static const char *const texts[] = {"0", "-0", " 1.5e+10 ", "true", "false", "null", "\"\"",
	    "[]", "{}", "[ ]", "{ }", "\t[1 ,\r\n2]\n", "{\"a\":{\"a\":[{}]},\"b\":null}",
	    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD800\"", "\"\x7f\xc2\x80\xf4\x8f\xbf\xbf\"",
	    "[[],[[]],{},[{}],0e0,1E-9]", "123456789012345678901234567890e999999"};

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		struct json_scan scan;

		if (!CHECK(scan_all(str_from(texts[i]), i, &scan)))
			printf("%s: %s at %zu\n", texts[i], scan.error, scan.error_at);
	}
}

static void
test_errors(void)
{
	static const struct {
		const char *text;
		size_t at;
		const char *error;
	} cases[] = {
	    {"", 0, "empty"},
	    {" \n", 2, "empty"},
	    {"[", 1, "unexpected end"},
	    {"[1", 2, "unexpected end"},
	    {"{\"a", 3, "unexpected end"},
	    {"\"\\u00", 5, "unexpected end"},
	    {"tru", 3, "unexpected end"},
	    {"-", 1, "unexpected end"},
	    {"1.", 2, "unexpected end"},
	    {"1e+", 3, "unexpected end"},
	    {"{\"a\"", 4, "unexpected end"},
	    {"{\"a\":", 5, "unexpected end"},
	    {"{\"a\":1,", 7, "unexpected end"},
	    {"x", 0, "expected a value"},
	    {"[,1]", 1, "expected a value"},
	    {"[1,]", 3, "expected a value"},
	    {"trup", 3, "expected a value"},
	    {"\xef\xbb\xbf{}", 0, "expected a value"},
	    {"{,}", 1, "expected a member name"},
	    {"{\"a\":1,}", 7, "expected a member name"},
	    {"{1:1}", 1, "expected a member name"},
	    {"{\"a\" 1}", 5, "expected ':'"},
	    {"{\"a\":1]", 6, "expected ',' or '}'"},
	    {"[1}", 2, "expected ',' or ']'"},
	    {"{\"b\":{\"a\":1]}", 11, "expected ',' or '}'"},
	    {"{\"metadata\":{\"a\":1,}}", 19, "expected a member name"},
	    {"{\"metadata\":{", 13, "unexpected end"},
	    {"[01]", 2, "expected ',' or ']'"},
	    {"-a", 1, "expected a digit"},
	    {"[1.]", 3, "expected a digit"},
	    {"1ex", 2, "expected a digit"},
	    {"1 1", 2, "bytes after the value"},
	    {"[]]", 2, "bytes after the value"},
	    {"{} x", 3, "bytes after the value"},
	    {"\"\t\"", 1, "control character in a string"},
	    {"\"\\x\"", 2, "invalid escape"},
	    {"\"\\u12g4\"", 5, "invalid escape"},
	    {"\"\\u\"", 3, "invalid escape"},
	    {"\"\xff\"", 1, "invalid UTF-8"},
	    {"\"a\xe4\xb8\"", 2, "invalid UTF-8"},
	    {"\"\xe4\xb8\xad\xe4\xb8", 4, "invalid UTF-8"},
	    {"{\"a\x80\":1}", 3, "invalid UTF-8"},
	    {"[\"\xed\xa0\x80\"]", 2, "invalid UTF-8"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct json_scan scan;
		bool valid = scan_all(str_from(cases[i].text), i, &scan);

		if (!CHECK(!valid && strcmp(scan.error, cases[i].error) == 0) ||
		    !CHECK(scan.error_at == cases[i].at))
			printf("%s: %s at %zu\n", cases[i].text, scan.error, scan.error_at);
	}
}

static void
test_members(void)
{
	struct json_scan scan;

	CHECK(
	    scan_all(STR("{\"x\":{\"role\":1},\"r\\u006fle\":\"\\n\",\"\":[ ],\"tool_call_id\":-1,"
			 "\"tool_calls\" : null ,\"role\":2,\"\xc3\xa9\":true,\"tool_call_ix\":0}"),
		0, &scan));
	CHECK_STR(scan.member[0], "\"\\n\"");
	CHECK(scan.member[0].type == JSON_STRING && scan.member[0].escaped == 1);
	CHECK(scan.repeated == 1);
	CHECK(scan.member[1].type == JSON_ABSENT);
	CHECK_STR(scan.member[2], "[ ]");
	CHECK_STR(scan.member[3], "null");
	CHECK_STR(scan.member[4], "-1");
	CHECK(scan.member[6].type == JSON_TRUE);
	CHECK(scan_all(STR(" [{\"role\":1}] "), 0, &scan));
	CHECK_STR(scan.value, "[{\"role\":1}]");
	CHECK(scan.member[0].type == JSON_ABSENT && scan.repeated == 0);
}

static void
test_elements(void)
{
	static const char *const texts[] = {"{\"tool_calls\":[]}", "{\"tool_calls\":[ ]}",
	    "{\"tool_calls\":[1,{},{ } ,null,{\"id\":1,\"i\\u0064\":2}]}",
	    "{\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"id\":1}},\"id\":2}]}",
	    "{\"tool_calls\":[{\"name\":0,\"function\":{\"name\":\"f\",\"id\":{\"id\":3}}}]}",
	    "{\"tool_calls\":[{},{},{},{},{\"id\":[{}]}],\"tool_calls\":[{\"id\":1}]}",
	    "{\"tool_calls\":{\"id\":1},\"tool_calls\":[{\"id\":1}]}", "{\"metadata\":{}}",
	    "{\"metadata\":{ \"b\":[{}], \"i\\u0064\" : \"x\" ,\"\":{\"a\":2}, \"id\":3,\"a\":1}}",
	    "{\"metadata\":1,\"metadata\":{\"id\":1}}", "{\"metadata\":[{\"id\":1}]}",
	    "{\"metadata\":{\"id\":1},\"metadata\":{\"a\":1}}"};
	struct json_scan scan;

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		CHECK(scan_all(str_from(texts[i]), i, &scan));
	CHECK(scan_all(STR("{\"tool_calls\":[{\"id\":\"c1\"}, {\"id\":\"c2\"}]}"), 0, &scan));
	CHECK(scan.elements == 2);
	CHECK_STR(scan.element[1].value, "{\"id\":\"c2\"}");
	CHECK_STR(scan.element[1].member[0], "\"c2\"");
}

/* Nesting is counted alike in an element, and in a member of one. */
static void
test_element_depth(void)
{
	static const char *const heads[] = {
	    "{\"tool_calls\":[{\"id\":", "{\"tool_calls\":[{\"function\":{\"name\":"};
	struct buf text = BUF_INIT;
	struct json_scan scan;

	for (unsigned i = 0; i < 2; i++)
		for (unsigned depth = 1018; depth < 1024; depth++) {
			buf_reset(&text);
			buf_add_str(&text, str_from(heads[i]));
			for (unsigned k = 0; k < depth; k++)
				buf_add_char(&text, '[');
			for (unsigned k = 0; k < depth; k++)
				buf_add_char(&text, ']');
			buf_add_str(&text, i == 0 ? STR("}]}") : STR("}}]}"));
			CHECK(scan_all(buf_str(&text), 0, &scan) == (depth + 3 + i <= 1024));
		}
	buf_free(&text);
}

static void
test_depth(void)
{
	struct buf text = BUF_INIT;
	struct json_scan scan;

	for (int i = 0; i < 2000; i++)
		buf_add_str(&text, i % 2 ? STR("{\"a\":") : STR("["));
	CHECK(!scan_all(buf_str(&text), 0, &scan));
	CHECK(scan.error_at == 512 * 6 && strcmp(scan.error, "nested deeper than 1024") == 0);
	text.len = 512 * 6;
	buf_add_char(&text, '1');
	for (int i = 0; i < 1024; i++)
		buf_add_char(&text, i % 2 ? ']' : '}');
	CHECK(scan_all(buf_str(&text), 0, &scan));
	buf_free(&text);
}

/* Everything that matters to a string, at each place around two borders of blocks. */
static void
test_borders(void)
{
	static const char *const pieces[] = {"\"", "\\\"", "\\\\", "\\\\\\\"", "\\\\\"", "\\u00e9",
	    "\\u00g9", "\\x", "\x1f", "\x7f", "\x80", "\xc3\xa9", "\xe4\xb8\xad",
	    "\xf0\x9f\x98\x80", "\xc3", "\xe4\xb8", "\xf0\x9f\x98", "\xed\xa0\x80", "\xe0\x80\x80",
	    "\xf4\x90\x80\x80", "\xc0\x80", "\xf5\x80\x80\x80", "\xf0\x8f\x80\x80", "\\u12",
	    "\xe4\xb8\xad\xad"};
	struct buf text = BUF_INIT;
	struct json_scan scan;

	for (size_t at = 0; at < 200; at++) {
		for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
			buf_reset(&text);
			buf_add_char(&text, '"');
			for (size_t k = 0; k < at; k++)
				buf_add_char(&text, 'a');
			buf_add_str(&text, str_from(pieces[i]));
			scan_all(buf_str(&text), at % 64, &scan);
			buf_add_str(&text, STR("bc\""));
			scan_all(buf_str(&text), (at + i) % 64, &scan);
			arena_reset(&padded_arena);
		}
	}
	buf_free(&text);
}

/* Scans code, encoded in len bytes, 3 or 4, at the place of the four bytes to. */
static bool
is_valid_code(struct str text, char *to, unsigned code, unsigned len)
{
	const char bytes[4] = {(char)(len == 4 ? 0xf0 | code >> 18 : 'a'),
	    (char)(len == 4 ? 0x80 | (code >> 12 & 63) : 0xe0 | code >> 12),
	    (char)(0x80 | (code >> 6 & 63)), (char)(0x80 | (code & 63))};
	struct json_scan scan;

	memcpy(to, bytes, 4);
	return json_scan(text, NULL, &scan);
}

/* Every code point is valid but the surrogates, and no longer form of one is. */
static void
test_code_points(void)
{
	struct str text = padded("\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa????aaaaaaaaaaaa\"");
	char *to = (char *)(uintptr_t)memchr(text.ptr, '?', text.len);
	unsigned wrong = 0;

	for (unsigned code = 0; code < 0x10000; code++)
		wrong += is_valid_code(text, to, code, 3) !=
		    (code >= 0x800 && (code < 0xd800 || code > 0xdfff));
	for (unsigned code = 0; code < 0x200000; code++)
		wrong += is_valid_code(text, to, code, 4) != (code >= 0x10000 && code < 0x110000);
	CHECK(wrong == 0);
}

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* One change of text: a byte, a piece put in, or a stretch taken out. */
static void
mutate(struct buf *text, uint64_t *state)
{
	static const char *const pieces[] = {"\"", "\\", "{", "}", "[", "]", ",", ":", "0", "-",
	    "1e9", " ", "\n", "true", "\\u00e9", "\\n", "\xc3\xa9", "\xe4\xb8\xad",
	    "\xf0\x9f\x98\x80", "\x80", "\"role\":", "\"\"", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	    "\\\\\\\\\\\\\\"};
	size_t at = next_random(state) % (text->len + 1);
	size_t which = next_random(state) % (sizeof pieces / sizeof pieces[0]);
	struct str piece = str_from(pieces[which]);

	switch (next_random(state) % 4) {
	case 0:
		if (at < text->len)
			text->ptr[at] = (char)next_random(state);
		break;
	case 1:
		if (at < text->len)
			memmove(text->ptr + at, text->ptr + at + 1, --text->len - at);
		break;
	default:
		buf_reserve(text, piece.len);
		memmove(text->ptr + at + piece.len, text->ptr + at, text->len - at);
		memcpy(text->ptr + at, piece.ptr, piece.len);
		text->len += piece.len;
	}
}

static void
test_mutations(void)
{
	static const struct str seeds[] = {
	    STR_INIT("{\"role\":\"assistant\",\"content\":\"int main(void)\\n{\\n\\treturn 0;\\n}"
		     "\\nand more text here, \\\"quoted\\\"\",\"tool_calls\":[{\"id\":\"c1\"}]}"),
	    STR_INIT("{\"content\":[{\"type\":\"text\",\"text\":\"\xe4\xb8\xad\xe6\x96\x87\xe5\xad"
		     "\x97\xe7\xac\xa6\xe6\xb5\x8b\xe8\xaf\x95 \xf0\x9f\x98\x80\\u00e9\"}]}"),
	    STR_INIT("{\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"f\",\"arguments\":"
		     "\"{\\\"a\\\":1}\"}}, {\"name\":[{}],\"id\":{\"id\":1}}, 2]}"),
	    STR_INIT("[0, -1.5e3, true, false, null, \"\", {}, [], {\"a\": [[\"\\\\\"]]}]"),
	};
	uint64_t state = 42;
	struct buf text = BUF_INIT;
	struct json_scan scan;
	unsigned valid = 0;

	for (unsigned i = 0; i < 40000; i++) {
		buf_reset(&text);
		buf_add_str(&text, seeds[i % 4]);
		for (unsigned changes = 1 + i / 4 % 3; changes > 0; changes--)
			mutate(&text, &state);
		valid += scan_all(buf_str(&text), i % 64, &scan);
		arena_reset(&padded_arena);
	}
	CHECK(valid > 4000 && valid < 36000);
	buf_free(&text);
}

static int
judge_file(const char *name)
{
	struct buf text = BUF_INIT;
	struct json_scan scan;
	FILE *file = fopen(name, "rb");
	size_t got;

	if (file == NULL) {
		perror(name);
		return 1;
	}
	do {
		got = fread(buf_reserve(&text, 65536), 1, 65536, file);
		text.len += got;
	} while (got > 0);
	fclose(file);
	printf("%s\t%s\n", scan_all(buf_str(&text), 0, &scan) ? "accept" : "reject", name);
	buf_free(&text);
	return unit_failed > 0;
}

/* The length of the first line, when it is a value and ended. */
static void
test_lines(void)
{
	static const struct {
		const char *text;
		size_t len;
	} lines[] = {{"{\"a\":1}\n{}\n", 8}, {"{}\n", 3}, {"{} \t\r\n[]", 6}, {"{}", 0}, {"{} ", 0},
	    {"{} x\n", 0}, {"{}{}\n", 0}, {"{\n}\n", 0}, {"{\"a\":\n1}\n", 0}, {"{\"a\"\n", 0}};

	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct str text = padded(lines[i].text);
		struct json_scan scan;

		if (!CHECK(json_scan_line(text, &names, &scan, NULL) == lines[i].len))
			printf("    of '%s'\n", lines[i].text);
		else if (lines[i].len > 0)
			CHECK(scan.value.ptr == text.ptr && scan.value.type == JSON_OBJECT);
	}
}

/* Whether the values of the spans, by their place in the text, are those that a walk finds. */
static bool
are_spans(const struct json_spans *spans)
{
	for (unsigned i = 0; i < spans->count; i++) {
		struct json_value is = spans->value[i], walked = json_value_at(is.ptr);

		if (is.len < JSON_SPAN_LEN || is.len != walked.len || is.type != walked.type ||
		    is.escaped != walked.escaped)
			return false;
	}
	return true;
}

/* Long values at every depth are noted, and of too many the outermost ones. */
static void
test_spans(void)
{
	struct buf text = BUF_INIT, letters = BUF_INIT;
	struct json_spans spans = {.count = 7};
	struct json_scan scan;

	for (int i = 0; i < JSON_SPAN_LEN - 3; i++)
		buf_add_char(&letters, 'x');
	buf_add_fmt(&text, "{\"a\":\"%.*s\",\"b\":[{\"c\":\"\\n%.*s\"},1,\"%.*sy\",{}]}\n",
	    STR_ARG(buf_str(&letters)), STR_ARG(buf_str(&letters)), STR_ARG(buf_str(&letters)));
	buf_pad(&text);
	CHECK(json_scan_line(buf_str(&text), &names, &scan, &spans) == text.len);
	CHECK(spans.count == 4 && !spans.has_blank && are_spans(&spans) &&
	    spans.value[0].escaped == 1 && spans.value[1].type == JSON_OBJECT &&
	    spans.value[2].escaped == 0 && spans.value[3].type == JSON_ARRAY);
	buf_reset(&text);
	buf_add_str(&text, STR("{\"a\":["));
	for (int i = 0; i < JSON_SPANS_MAX + 1; i++)
		buf_add_fmt(&text, "%s\"%.*sy\"", i > 0 ? "," : "", STR_ARG(buf_str(&letters)));
	buf_add_str(&text, STR("]}\n"));
	buf_pad(&text);
	CHECK(json_scan_line(buf_str(&text), &names, &scan, &spans) == text.len);
	CHECK(spans.count == JSON_SPANS_MAX && are_spans(&spans) &&
	    spans.value[JSON_SPANS_MAX - 1].type == JSON_ARRAY);
	buf_reset(&text);
	buf_add_str(&text, STR("{\"a\":[\" \",[ 1]]}\n"));
	buf_pad(&text);
	CHECK(json_scan_line(buf_str(&text), &names, &scan, &spans) == text.len && spans.has_blank);
	buf_free(&text);
	buf_free(&letters);
}

/* Whether a string of the text has an escape that may be spelled shorter. */
static bool
has_long_escape(const char *text)
{
	struct buf line = BUF_INIT;
	struct json_spans spans = {.count = 0};
	struct json_scan scan;

	buf_add_str(&line, str_from(text));
	buf_pad(&line);
	CHECK(json_scan_line(buf_str(&line), &names, &scan, &spans) == line.len);
	CHECK(scan.member[0].type != JSON_STRING || scan.member[0].escaped <= 1);
	buf_free(&line);
	return spans.has_long_escape;
}

static void
test_long_escapes(void)
{
	for (int isa = JSON_ISA_SCALAR; isa <= JSON_ISA_BEST; isa++) {
		if (!json_scan_use((enum json_isa)isa))
			continue;
		CHECK(!has_long_escape("{\"role\":\"\\\\u0061/\\n\\\"\"}\n"));
		CHECK(has_long_escape("{\"role\":\"\\\\\\u0061\"}\n"));
		CHECK(has_long_escape("{\"role\":[{\"b\":\"\\/\"}]}\n"));
		CHECK(has_long_escape("{\"\\u0061\":1}\n"));
	}
}

int
main(int argc, char **argv)
{
	int status = 0;

	JSON_NAMES_INIT(&names, name_list, NAME_COUNT);
	plain_names = names;
	JSON_NAMES_INIT(&element_names, element_list, ELEMENT_COUNT);
	names.element = &element_names;
	names.list_name = LIST;
	names.inside = INSIDE;
	JSON_NAMES_INIT(&object_names, object_list, OBJECT_COUNT);
	names.object = &object_names;
	names.object_name = OBJECT;
	for (int i = 1; i < argc; i++)
		status |= judge_file(argv[i]);
	if (argc == 1) {
		test_valid();
		test_errors();
		test_members();
		test_elements();
		test_element_depth();
		test_depth();
		test_borders();
		test_code_points();
		test_mutations();
		test_lines();
		test_spans();
		test_long_escapes();
		status = unit_end();
	}
	arena_free(&padded_arena);
	return status;
}
