#include "create.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin.h"
#include "face/fault_die.h"
#include "face/options/options.h"
#include "policy/profile/profile.h"
#include "stream/output.h"

/* The content of new files; @NAME@ is replaced by the name. */
static const char template_profile[] =
    "# @NAME@: a profile. ctx-profile(5) lists the lines that it may have.\n"
    "#\n"
    "#     ctx-compile --profile ./@NAME@ --check-profile\n"
    "#     ctx-compile --profile ./@NAME@ --explain log.jsonl\n"
    "#     ctx-compile --profile ./@NAME@ log.jsonl\n"
    "\n"
    "# The base of this profile: pragmatic, budget or policy, which are built in, or any other\n"
    "# profile. The lines below change the base. A line that begins with # and no blank is an\n"
    "# example, and has no effect until you remove the #.\n"
    "base budget\n"
    "\n"
    "# A stage is switched off, or on again:\n"
    "#isolate off\n"
    "\n"
    "# Options of one stage, in the words of its command:\n"
    "#compact options --keep-turns 4\n"
    "\n"
    "# An option of all stages that have it:\n"
    "#--window 128k\n"
    "\n"
    "# Another stage after the others: any program that reads a session and writes one.\n"
    "#redact: ctx-redact\n"
    "\n"
    "# Another command for a stage:\n"
    "#view: ctx-project --last 32k\n"
    "\n"
    "# Lines for the models of a provider, and lines for one model, which take precedence:\n"
    "#[provider anthropic]\n"
    "#compact options --cached 3\n"
    "\n"
    "#[model gpt-5-mini]\n"
    "#isolate on\n";

static const char template_stage[] =
    "#!/bin/sh\n"
    "#\n"
    "# @NAME@: a stage, which changes nothing yet. In a compaction it runs when one is due:\n"
    "#\n"
    "#     ctx-compact --pipeline dedupe,prune,./@NAME@ log.jsonl\n"
    "#\n"
    "# and in a profile it always runs, as the line:  @NAME@: ./@NAME@\n"
    "#\n"
    "# It reads records, one line of JSON each, and writes records: here all that it reads, byte\n"
    "# for byte. If it breaks one of the rules below, the run names it and the rule, writes "
    "nothing\n"
    "# and ends with status 70. If it ends with a status other than 0, it has failed.\n"
    "#\n"
    "# In a profile it may select, cut and reorder (ctx-profile(5)), but\n"
    "#\n"
    "#   - a call and its results stay together, or are dropped together;\n"
    "#   - everything that it writes is a record.\n"
    "#\n"
    "# In ctx-compact the first record is the budget, {\"type\":\"budget\",...}, which is also in "
    "the\n"
    "# environment as CTX_BUDGET, and which it need not write; all others are messages. Both\n"
    "# rules above hold, and all invariants (ctx-extend(7)):\n"
    "#\n"
    "#   - a message that it writes equal as a JSON value keeps its original bytes;\n"
    "#   - one with the metadata.id or the call's id of a message read is that message, changed;\n"
    "#   - any other one is new, and must have a metadata.kind of its own;\n"
    "#   - a message that it does not write is dropped;\n"
    "#   - the order stays, and so do role, metadata.id, and the id and name of a call;\n"
    "#   - these stay: system and developer messages, the user's first and last request, pinned\n"
    "#     messages, unresolved failures, calls without a result, and the newest turns;\n"
    "#   - no message grows.\n"
    "\n"
    "exec cat\n"
    "\n"
    "# To cut long results of tools instead:\n"
    "# exec jq -c 'if .role == \"tool\" and (.content | type) == \"string\"\n"
    "#     then .content |= .[:400] else . end'\n";

static const char template_test[] =
    "#!/usr/bin/env bats\n"
    "#\n"
    "# Tests of the stage @NAME@:  bats @NAME@.bats\n"
    "\n"
    "setup() {\n"
    "    cd \"$BATS_TEST_DIRNAME\" || return\n"
    "    log=$BATS_TEST_TMPDIR/log\n"
    "    printf '%s\\n' '{\"role\":\"system\",\"content\":\"You watch the harbour.\"}' \\\n"
    "        '{\"role\":\"user\",\"content\":\"How deep is it?\"}' \\\n"
    "        "
    "'{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c1\",\"function\":{\"name\":\"sound\"}}]}' "
    "\\\n"
    "        '{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"4.2 m\"}' \\\n"
    "        '{\"role\":\"assistant\",\"content\":\"It is 4.2 m deep.\"}' \\\n"
    "        '{\"role\":\"user\",\"content\":\"And the canal?\"}' \\\n"
    "        '{\"role\":\"assistant\",\"content\":\"2.8 m.\"}' >\"$log\"\n"
    "}\n"
    "\n"
    "@test \"@NAME@: changes nothing\" {\n"
    "    ./@NAME@ <\"$log\" >\"$log.new\"\n"
    "    cmp \"$log\" \"$log.new\"\n"
    "}\n"
    "\n"
    "@test \"@NAME@: an empty session stays empty\" {\n"
    "    ./@NAME@ </dev/null >\"$log.new\"\n"
    "    [ ! -s \"$log.new\" ]\n"
    "}\n"
    "\n"
    "@test \"@NAME@: ctx-compact accepts its output, and a second run changes nothing\" {\n"
    "    ctx-compact --force --keep-turns 1 --pipeline ./@NAME@ \"$log\" >\"$log.new\"\n"
    "    cmp \"$log\" \"$log.new\"\n"
    "    ctx-compact --force --keep-turns 1 --pipeline ./@NAME@ \"$log.new\" >\"$log.again\"\n"
    "    cmp \"$log.new\" \"$log.again\"\n"
    "}\n";

/* Appends the template, with the name in its places. */
static void
fill(struct buf *text, const char *template, const char *name)
{
	static const char mark[] = "@NAME@";
	const char *place;

	while ((place = strstr(template, mark)) != NULL) {
		buf_add(text, template, (size_t)(place - template));
		buf_add_str(text, str_from(name));
		template = place + sizeof mark - 1;
	}
	buf_add_str(text, str_from(template));
}

/* Creates the file that the output is named after, with that text. Returns false with the fault
 * set: 73, with no new file, or 74. */
static bool
write_file(struct output *out, const struct buf *text, unsigned mode)
{
	struct fault *fault = out->fault;
	const char *path = out->name;

	out->fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (out->fd < 0)
		return fault_set_error(fault, STATUS_CANT_CREATE, "cannot create '%s'", path);
	output_add(out, buf_str(text));
	output_close(out);
	if (fault_is_set(fault))
		unlinkat(AT_FDCWD, path, 0);
	return !fault_is_set(fault);
}

void
create(const char *name, bool is_stage)
{
	struct fault fault = FAULT_INIT;
	struct buf text = BUF_INIT, test = BUF_INIT, test_name = BUF_INIT;
	struct output out, test_out;

	if (!profile_is_name(str_from(name)))
		options_fail("bad value '%s' of --new, expected letters, digits, - and _", name);
	if (!is_stage && builtin_find(name) != NULL)
		options_fail("bad value '%s' of --new: that profile is built in", name);
	/* Steps that may run out of memory come before the file is created. */
	fill(&text, is_stage ? template_stage : template_profile, name);
	fill(&test, template_test, name);
	buf_add_fmt(&test_name, "%s.bats%c", name, '\0');
	output_init(&out, -1, name, &fault);
	output_init(&test_out, -1, test_name.ptr, &fault);
	output_reserve(&out);
	output_reserve(&test_out);
	if (!is_stage)
		write_file(&out, &text, 0666);
	else if (write_file(&test_out, &test, 0777) && !write_file(&out, &text, 0777))
		unlinkat(AT_FDCWD, test_name.ptr, 0);
	output_free(&out);
	output_free(&test_out);
	fault_check(&fault);
	buf_free(&text);
	buf_free(&test);
	buf_free(&test_name);
	exit(STATUS_OK);
}
