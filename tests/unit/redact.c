/* Redaction of records: what is found, what each find is told as, and what a pattern of the user's
 * finds across the windows in which it sees a text. */

#include "policy/redact/redact.h"

#include "policy/redact/pattern.h"

#include "json_padded.h"
#include "unit.h"

static struct buf told;

static void
note(void *owner, struct str line)
{
	(void)owner;
	buf_add_str(&told, line);
}

/* Checks what becomes of a record, which is written with ' for ", and what is told of it. */
static void
check(unsigned kinds, const char *pattern, const char *record, const char *expected,
    const char *expected_told)
{
	struct redact redact;
	struct json_edit edit;
	struct buf written = BUF_INIT, message = BUF_INIT;
	struct str text = quoted(record);

	redact_init(&redact, kinds);
	redact.tell = note;
	if (pattern != NULL)
		CHECK(redact_add_pattern(&redact, pattern, &message));
	buf_reset(&told);
	json_edit_init(&edit, text);
	CHECK(redact_record(&redact, text, 7, &edit) == (*expected_told != '\0'));
	json_edit_write(&edit, &written);
	CHECK(str_eq(buf_str(&written), quoted(expected)));
	CHECK(str_eq(buf_str(&told), quoted(expected_told)));
	json_edit_free(&edit);
	buf_free(&written);
	buf_free(&message);
	redact_free(&redact);
}

static void
check_members(void)
{
	check(RULE_SECRETS, NULL, "{'password':4711815,'max_tokens':4096}",
	    "{'password':'[REDACTED:password]','max_tokens':4096}",
	    "{'line':7,'path':'/*','rule':'password'}\n");
	check(RULE_PII, NULL, "{'password':4711815}", "{'password':4711815}", "");
	check(RULE_SECRETS, NULL, "[{'name':'password','value':['sounding9x',1]}]",
	    "[{'name':'password','value':['[REDACTED:password]',1]}]",
	    "{'line':7,'path':'/0/value/0','rule':'password'}\n");
	check(RULE_SECRETS, NULL,
	    "[{'value':'sounding9x' ,'name':'password'},{'value':'sounding9x'}]",
	    "[{'value':'[REDACTED:password]' ,'name':'password'},{'value':'sounding9x'}]",
	    "{'line':7,'path':'/0/value','rule':'password'}\n");
	check(RULE_PII, NULL, "{'role':'tool','content':[{'id':'a@mail.example.org'}]}",
	    "{'role':'tool','content':[{'id':'[REDACTED:email]'}]}",
	    "{'line':7,'path':'/content/0/id','rule':'email'}\n");
	check(RULE_PII, NULL, "{'role':'user','content':[{'id':'a@mail.example.org'}]}",
	    "{'role':'user','content':[{'id':'a@mail.example.org'}]}", "");
}

/* A match at each place about the end of a window, behind bytes that might begin one. */
static void
check_windows(void)
{
	struct buf record = BUF_INIT, expected = BUF_INIT, message = BUF_INIT;
	struct redact redact;

	redact_init(&redact, 0);
	CHECK(redact_add_pattern(&redact, "t=(a|b)*-T[0-9]{4}", &message));
	for (int shift = -8; shift <= 8; shift++) {
		struct json_edit edit;
		struct buf written = BUF_INIT;
		struct str text;

		buf_reset(&record);
		buf_reset(&expected);
		buf_add_char(&record, '"');
		for (int i = 0; i < PATTERN_WINDOW + shift; i++)
			buf_add_char(&record, '.');
		buf_add_str(&expected, buf_str(&record));
		buf_add_str(&record, STR("ab-T1234"));
		buf_add_str(&expected, STR("[REDACTED:t]\""));
		buf_add_char(&record, '"');
		text = padded_at(buf_str(&record), 0, '\n');
		json_edit_init(&edit, text);
		CHECK(redact_record(&redact, text, 1, &edit));
		json_edit_write(&edit, &written);
		CHECK(str_eq(buf_str(&written), buf_str(&expected)));
		json_edit_free(&edit);
		buf_free(&written);
	}
	CHECK(!redact_add_pattern(&redact, "u=a)", &message));
	CHECK(!redact_add_pattern(&redact, "u=a*", &message));
	redact_free(&redact);
	buf_free(&record);
	buf_free(&expected);
	buf_free(&message);
}

int
main(void)
{
	check_members();
	check(0, "t=^T-[0-9]+$", "['T-1','T-2 ','x\\nT-3']",
	    "['[REDACTED:t]','T-2 ','x\\n[REDACTED:t]']",
	    "{'line':7,'path':'/0','rule':'t'}\n{'line':7,'path':'/2','rule':'t'}\n");
	check_windows();
	buf_free(&told);
	arena_free(&padded_arena);
	return unit_end();
}
