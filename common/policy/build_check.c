#include "policy/build_check.h"

#include <ctype.h>
#include <strings.h>

#include "base/byte.h"
#include "data/tool/simple_command.h"

#define BLANKS " \t\r\"'()" /* bytes between words: also quotes, as in sh -c "make test" */

/* Takes the next word of a simple command; "" after the last one. */
static struct str
take_word(struct str *text)
{
	size_t start = 0, end;

	while (start < text->len && byte_is_in(text->ptr[start], BLANKS))
		start++;
	for (end = start; end < text->len && !byte_is_in(text->ptr[end], BLANKS);)
		end++;
	*text = str_of(text->ptr + end, text->len - end);
	return str_of(text->ptr - (end - start), end - start);
}

/* Tools that do nothing but build or test. */
static bool
is_check_tool(struct str word)
{
	static const struct str tools[] = {STR_INIT("make"), STR_INIT("gmake"), STR_INIT("ninja"),
	    STR_INIT("pytest"), STR_INIT("jest"), STR_INIT("vitest"), STR_INIT("mocha"),
	    STR_INIT("tsc"), STR_INIT("vue-tsc"), STR_INIT("mypy"), STR_INIT("pyright"),
	    STR_INIT("flake8"), STR_INIT("pylint"), STR_INIT("eslint"), STR_INIT("shellcheck"),
	    STR_INIT("golangci-lint"), STR_INIT("rubocop"), STR_INIT("bats"), STR_INIT("rspec"),
	    STR_INIT("phpunit"), STR_INIT("phpstan"), STR_INIT("tox"), STR_INIT("nox"),
	    STR_INIT("ctest")};

	return STR_IS_ONE_OF(word, tools);
}

/* Whether a part of the verb, such as "test" in "test:unit", is one that builds or tests. */
static bool
is_check_verb(struct str word)
{
	static const struct str verbs[] = {STR_INIT("test"), STR_INIT("tests"), STR_INIT("check"),
	    STR_INIT("lint"), STR_INIT("build"), STR_INIT("typecheck"), STR_INIT("compile"),
	    STR_INIT("clippy"), STR_INIT("vet"), STR_INIT("nextest"), STR_INIT("verify"),
	    STR_INIT("assemble"), STR_INIT("spec"), STR_INIT("e2e"), STR_INIT("tsc")};
	size_t start = 0;

	for (size_t i = 0; i <= word.len; i++) {
		if (i < word.len && !byte_is_in(word.ptr[i], ":-_"))
			continue;
		if (STR_IS_ONE_OF(str_of(word.ptr + start, i - start), verbs))
			return true;
		start = i + 1;
	}
	return false;
}

/* Whether the verb of a tool that does other things, too, is one that builds or tests. */
static bool
has_check_verb(struct str tool, struct str words)
{
	static const struct str between[] = {
	    STR_INIT("run"), STR_INIT("run-script"), STR_INIT("exec"), STR_INIT("clean")};
	static const struct str valued[] = {STR_INIT("--prefix"), STR_INIT("-C"), STR_INIT("--cwd"),
	    STR_INIT("--dir"), STR_INIT("--filter"), STR_INIT("-F"), STR_INIT("-w"),
	    STR_INIT("--workspace"), STR_INIT("workspace"), STR_INIT("-f"), STR_INIT("-p")};
	struct str word;

	while ((word = take_word(&words)).len > 0) {
		if (STR_IS_ONE_OF(word, valued))
			take_word(&words);
		else if (str_eq(tool, STR("cmake")) && word.ptr[0] == '-')
			return str_eq(word, STR("--build"));
		else if (!byte_is_in(word.ptr[0], "-+") && !STR_IS_ONE_OF(word, between))
			return is_check_verb(word) || is_check_tool(word);
	}
	return false;
}

/* Whether a simple command builds or tests: its tool does, or the verb of its tool. */
static bool
is_check(struct str words)
{
	static const struct str wrappers[] = {STR_INIT("time"), STR_INIT("sudo"), STR_INIT("env"),
	    STR_INIT("nice"), STR_INIT("timeout"), STR_INIT("nohup"), STR_INIT("exec"),
	    STR_INIT("command"), STR_INIT("if"), STR_INIT("then"), STR_INIT("do"), STR_INIT("!"),
	    STR_INIT("bash"), STR_INIT("sh"), STR_INIT("npx"), STR_INIT("bunx"), STR_INIT("uv"),
	    STR_INIT("poetry"), STR_INIT("pipenv"), STR_INIT("bundle"), STR_INIT("run"),
	    STR_INIT("python"), STR_INIT("python3"), STR_INIT("xvfb-run")};
	static const struct str verbed[] = {STR_INIT("cargo"), STR_INIT("npm"), STR_INIT("pnpm"),
	    STR_INIT("yarn"), STR_INIT("bun"), STR_INIT("go"), STR_INIT("mvn"), STR_INIT("mvnw"),
	    STR_INIT("gradle"), STR_INIT("gradlew"), STR_INIT("dotnet"), STR_INIT("swift"),
	    STR_INIT("deno"), STR_INIT("rake"), STR_INIT("rails"), STR_INIT("mix"), STR_INIT("zig"),
	    STR_INIT("bazel"), STR_INIT("biome"), STR_INIT("turbo"), STR_INIT("nx"),
	    STR_INIT("next"), STR_INIT("vite"), STR_INIT("ng"), STR_INIT("composer"),
	    STR_INIT("just"), STR_INIT("task"), STR_INIT("docker"), STR_INIT("meson"),
	    STR_INIT("ruff"), STR_INIT("playwright"), STR_INIT("manage.py"), STR_INIT("setup.py"),
	    STR_INIT("cmake")};
	static const struct str others[] = {
	    STR_INIT("clean"), STR_INIT("install"), STR_INIT("--version"), STR_INIT("--help")};
	struct str word;

	do
		word = str_behind_last(take_word(&words), '/');
	while (word.len > 0 &&
	    (word.ptr[0] == '-' || isdigit((unsigned char)word.ptr[0]) ||
		memchr(word.ptr, '=', word.len) != NULL || STR_IS_ONE_OF(word, wrappers)));
	if (is_check_tool(word)) {
		word = take_word(&words);
		return !STR_IS_ONE_OF(word, others);
	}
	return STR_IS_ONE_OF(word, verbed) && has_check_verb(word, words);
}

/* The command without its redirections and pipes: "make check" of "make check 2>&1 >log". Bytes
 * before at are passed over. */
static struct str
without_redirection(struct str command, size_t at)
{
	const char *sign = memchr(command.ptr + at, '>', command.len - at);
	size_t end = sign != NULL ? (size_t)(sign - command.ptr) : command.len;

	while (sign != NULL && end > at && byte_is_in(command.ptr[end - 1], "12&"))
		end--;
	return str_trim(str_of(command.ptr, end));
}

struct str
build_check_find(struct str line, bool *is_own)
{
	struct simple_command_line commands = SIMPLE_COMMAND_LINE(line);
	struct simple_command command;
	struct str check = STR("");
	const char *from = NULL;
	bool has_check = false;

	*is_own = false;
	while (simple_command_next(&commands, &command)) {
		struct str text = command.text;

		from = from != NULL ? from : text.ptr;
		has_check = has_check || is_check(text);
		if (str_eq(command.operator, STR("&&")) && commands.rest.len > 2)
			continue;
		*is_own = has_check &&
		    (command.operator.len == 0 || !byte_is_in(command.operator.ptr[0], "|&"));
		if (has_check)
			check =
			    without_redirection(str_of(from, (size_t)(text.ptr + text.len - from)),
				(size_t)(text.ptr - from));
		has_check = false;
		from = NULL;
	}
	return check;
}

bool
build_check_is(struct str command)
{
	bool is_own;

	return build_check_find(command, &is_own).len > 0;
}

/* A line of TAP, unless the test was skipped or need not pass; or a package of go test. */
static bool
is_ok(struct str line)
{
	if (line.len < 4 || !str_has_prefix(line, STR("ok")) ||
	    (line.ptr[2] != ' ' && line.ptr[2] != '\t'))
		return false;
	for (size_t i = 3; i + 5 <= line.len; i++)
		if (strncasecmp(line.ptr + i, "# skip", 6) == 0 ||
		    strncasecmp(line.ptr + i, "# todo", 6) == 0)
			return false;
	return isdigit((unsigned char)line.ptr[3]) || isblank((unsigned char)line.ptr[3]);
}

/* The line without the share of the tests that pytest appends: "[ 12%]". */
static struct str
without_share(struct str line)
{
	size_t len = line.len;

	if (!str_has_suffix(line, STR("%]")))
		return line;
	while (len > 0 && line.ptr[len - 1] != '[')
		len--;
	return str_trim(str_of(line.ptr, len > 0 ? len - 1 : line.len));
}

bool
build_check_has_passed(struct str line)
{
	static const struct str passing[] = {STR_INIT("✓ "), STR_INIT("✔ "), STR_INIT("√ "),
	    STR_INIT("PASS "), STR_INIT("PASS: "), STR_INIT("--- PASS: "),
	    STR_INIT("[       OK ] ")};

	return STR_HAS_ANY_PREFIX(line, passing) || is_ok(line) ||
	    str_has_suffix(line, STR(" ... ok")) ||
	    str_has_suffix(without_share(line), STR(" PASSED")) ||
	    (str_find(line, STR(" Test ")) != NULL && str_find(line, STR(" Passed ")) != NULL);
}
