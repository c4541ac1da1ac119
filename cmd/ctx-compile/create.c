#include "create.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "builtin.h"
#include "face/fault_die.h"
#include "face/options/options.h"
#include "policy/profile/profile.h"
#include "stream/output.h"
#include "templates.h"

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
