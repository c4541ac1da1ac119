#include "face/sarif.h"

#define PAGE "ctx-lint(7)"

static struct str
level(enum violation violation)
{
	return violation_is_mild(violation) ? STR("warning") : STR("error");
}

/* Puts a member with the text. Braces are doubled, and a bracket does not begin a link (3.11.5 and
 * 3.11.6). */
static void
put_text(struct json_writer *w, struct str name, struct str text)
{
	struct buf escaped = BUF_INIT;

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == '[')
			buf_add_char(&escaped, '\\');
		if (text.ptr[i] == '{' || text.ptr[i] == '}')
			buf_add_char(&escaped, text.ptr[i]);
		buf_add_char(&escaped, text.ptr[i]);
	}
	json_member_open(w, name, '{');
	json_member_string(w, STR("text"), buf_str(&escaped));
	json_close(w);
	buf_free(&escaped);
}

static void
put_rule(struct json_writer *w, enum violation violation)
{
	struct buf text = BUF_INIT;

	json_open(w, '{');
	json_member_string(w, STR("id"), violation_code(violation));
	put_text(w, STR("shortDescription"), str_from(violation_meaning(violation)));
	buf_add_fmt(&text, "%s See " PAGE ".", violation_meaning(violation));
	put_text(w, STR("help"), buf_str(&text));
	json_member_string(w, STR("helpUri"), STR("man:" PAGE));
	json_member_open(w, STR("defaultConfiguration"), '{');
	json_member_string(w, STR("level"), level(violation));
	json_close(w);
	json_close(w);
	buf_free(&text);
}

void
sarif_begin(struct sarif *sarif, struct run *run)
{
	struct buf text = BUF_INIT;
	struct json_writer w;

	*sarif = (struct sarif){.run = run};
	json_begin(&w, &text, '{');
	json_member_string(
	    &w, STR("$schema"), STR("https://json.schemastore.org/sarif-2.1.0.json"));
	json_member_string(&w, STR("version"), STR("2.1.0"));
	json_member_open(&w, STR("runs"), '[');
	json_open(&w, '{');
	json_member_open(&w, STR("tool"), '{');
	json_member_open(&w, STR("driver"), '{');
	json_member_string(&w, STR("name"), str_from(diag_program()));
	json_member_string(&w, STR("version"), STR(CTX_VERSION));
	json_member_open(&w, STR("rules"), '[');
	for (enum violation v = 0; v < VIOLATION_COUNT; v++)
		put_rule(&w, v);
	json_close(&w);
	json_close(&w);
	json_close(&w);
	buf_add_str(&text, STR(",\"results\":[\n"));
	run_add(run, buf_str(&text));
	buf_free(&text);
}

/* Puts the file as a URI: a path from the root, or relative to where the program runs. */
static void
put_uri(struct json_writer *w, struct str file)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "-._~/";
	struct buf uri = BUF_INIT;

	if (file.len > 0 && file.ptr[0] == '/')
		buf_add_str(&uri, STR("file://"));
	for (size_t i = 0; i < file.len; i++) {
		if (memchr(plain, file.ptr[i], sizeof plain - 1) != NULL)
			buf_add_char(&uri, file.ptr[i]);
		else
			buf_add_fmt(&uri, "%%%02X", (unsigned)(unsigned char)file.ptr[i]);
	}
	json_member_open(w, STR("artifactLocation"), '{');
	json_member_string(w, STR("uri"), buf_str(&uri));
	json_close(w);
	buf_free(&uri);
}

static void
put_location(struct json_writer *w, const char *file, size_t line)
{
	json_member_open(w, STR("locations"), '[');
	json_open(w, '{');
	json_member_open(w, STR("physicalLocation"), '{');
	put_uri(w, str_from(file));
	if (line > 0) {
		json_member_open(w, STR("region"), '{');
		json_member_integer(w, STR("startLine"), (int64_t)line);
		json_close(w);
	}
	json_close(w);
	json_close(w);
	json_close(w);
}

void
sarif_add(
    struct sarif *sarif, enum violation violation, const char *file, size_t line, struct str text)
{
	struct buf result = BUF_INIT;
	struct json_writer w;

	if (sarif == NULL)
		return;
	if (sarif->has_results)
		buf_add_char(&result, ',');
	sarif->has_results = true;
	json_writer_init(&w, &result);
	json_open(&w, '{');
	json_member_string(&w, STR("ruleId"), violation_code(violation));
	json_member_integer(&w, STR("ruleIndex"), (int64_t)violation);
	json_member_string(&w, STR("level"), level(violation));
	put_text(&w, STR("message"), text);
	if (file != NULL)
		put_location(&w, file, line);
	json_close(&w);
	buf_add_char(&result, '\n');
	run_add(sarif->run, buf_str(&result));
	buf_free(&result);
}

void
sarif_end(struct sarif *sarif)
{
	run_add(sarif->run, STR("]}]}\n"));
}
