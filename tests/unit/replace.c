/* A file that is replaced: what it keeps, what is carried over, and what leaves it as it was. */

#include "stream/file/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "unit.h"

#define OLD "one\ntwo\n"
#define NEW "one\n2\n"

static char directory[] = "/tmp/ctx-replace.XXXXXX";
static struct replace file;
static struct replace_options options;
static struct fault fault;

static void
append(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0640);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void
check_content(const char *name, const char *text)
{
	char bytes[4096];
	int fd = open(name, O_RDONLY);
	ssize_t len = read(fd, bytes, sizeof bytes);

	unit_check_str(bytes, len > 0 ? (size_t)len : 0, text, __FILE__, __LINE__);
	close(fd);
}

/* Writes over the first bytes of the file. */
static void
overwrite(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY);

	CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* Begins a run on a file of two lines, with the new content given to the filter. */
static bool
begin(const char *content)
{
	struct output out;
	bool is_open;

	unlink("log");
	append("log", OLD);
	is_open = replace_open(&file, "log", &options, &fault);
	if (!is_open)
		return false;
	hash_stream_add(&file.sum, STR(OLD));
	output_init(&out, -1, "the new file", &fault);
	out.filter = &file.copy.filter;
	for (const char *p = content; *p != '\0'; p++) {
		output_copy(&out, str_of(p, 1));
		if (*p == '\n')
			output_flush(&out);
	}
	output_close(&out);
	return true;
}

/* Ends it. Checks the status, the content, and that no other file is left. */
static void
end(enum status status, const char *content)
{
	replace_commit(&file, (uint64_t)file.copy.old.st.st_size, false);
	replace_close(&file);
	CHECK(fault.status == status);
	if (fault.status != status)
		printf("%.*s\n", STR_ARG(buf_str(&fault.text)));
	fault_free(&fault);
	check_content("log", content);
	CHECK(access(".log.ctx-new", F_OK) != 0 && access(".log.ctx-old", F_OK) != 0);
	options = (struct replace_options){.suffix = NULL};
}

/* A file that cannot be opened for replacing. */
static void
refuse(enum status status)
{
	CHECK(!replace_open(&file, "log", &options, &fault));
	CHECK(fault.status == status);
	replace_close(&file);
	fault_free(&fault);
}

static void
test_content(void)
{
	struct stat before, after;

	CHECK(begin(NEW));
	end(STATUS_OK, NEW);
	CHECK(begin("one\n"));
	end(STATUS_OK, "one\n");
	CHECK(begin(""));
	end(STATUS_OK, "");
	CHECK(begin(OLD "three\n"));
	end(STATUS_OK, OLD "three\n");
	CHECK(begin(OLD));
	stat("log", &before);
	end(STATUS_OK, OLD);
	stat("log", &after);
	CHECK(before.st_ino == after.st_ino);
}

static void
test_attributes(void)
{
	struct stat st;
	char value[8];
	bool has;

	CHECK(begin(""));
	replace_close(&file);
	has = setxattr("log", "user.ctx", "kept", 4, 0) == 0;
	CHECK(has || errno == ENOTSUP);
	chmod("log", 0604);
	CHECK(replace_open(&file, "log", &options, &fault));
	end(STATUS_OK, "");
	CHECK(stat("log", &st) == 0 && (st.st_mode & 07777) == 0604);
	CHECK(!has || getxattr("log", "user.ctx", value, sizeof value) == 4);
}

static void
test_late_lines(void)
{
	CHECK(begin(NEW));
	append("log", "three\n");
	end(STATUS_OK, NEW "three\n");
	CHECK(begin(OLD));
	append("log", "three\n");
	end(STATUS_OK, OLD "three\n");
}

static void
test_changes(void)
{
	CHECK(begin(NEW));
	CHECK(truncate("log", 3) == 0);
	end(STATUS_LATER, "one");
	CHECK(begin(NEW));
	unlink("log");
	append("log", "another\n");
	end(STATUS_LATER, "another\n");
	CHECK(begin(NEW));
	overwrite("log", "O");
	append("log", "three\n");
	end(STATUS_LATER, "One\ntwo\nthree\n");
	CHECK(begin(NEW));
	overwrite("log", "o"); /* the same byte */
	append("log", "three\n");
	end(STATUS_OK, NEW "three\n");
	CHECK(begin(NEW));
	append("log", "three\n");
	CHECK(!replace_commit(&file, strlen(OLD), true)); /* the line goes on */
	end(STATUS_LATER, OLD "three\n");
}

static void
test_refusals(void)
{
	int fd;

	CHECK(begin(NEW));
	end(STATUS_OK, NEW);
	fd = open("log", O_RDONLY);
	CHECK(flock(fd, LOCK_EX) == 0);
	refuse(STATUS_LATER);
	close(fd);
	options.has_min_age = true;
	options.min_age = 60;
	refuse(STATUS_LATER);
	options.min_age = 0;
	CHECK(link("log", "other") == 0);
	refuse(STATUS_CANT_CREATE);
	options.breaks_hard_links = true;
	CHECK(replace_open(&file, "log", &options, &fault));
	end(STATUS_OK, "");
	check_content("other", NEW);
	unlink("log");
	CHECK(symlink("other", "log") == 0);
	refuse(STATUS_CANT_CREATE);
	options.follows_symlinks = true;
	CHECK(replace_open(&file, "log", &options, &fault));
	end(STATUS_OK, "");
	check_content("other", "");
	unlink("log");
	refuse(STATUS_NO_INPUT);
	CHECK(mkfifo("log", 0600) == 0);
	refuse(STATUS_CANT_CREATE);
	unlink("log");
	CHECK(mkdir("log", 0700) == 0);
	refuse(STATUS_NO_INPUT);
	rmdir("log");
	unlink("other");
}

/* A program that has the file open for writing keeps it from being replaced, where that can be
 * told. */
static void
test_writers(void)
{
	int fd;

	CHECK(begin(NEW));
	fd = open("log", O_WRONLY | O_APPEND);
	if (file.has_leases)
		end(STATUS_LATER, OLD);
	else
		end(STATUS_OK, NEW);
	close(fd);
}

/* A program that waits for the lock with the file open writes to the old file when it has the lock:
 * its line is carried over. */
static void
test_waiting(void)
{
	bool is_awaited = false;
	pid_t child;

	CHECK(begin(NEW));
	child = fork();
	if (child == 0) {
		int fd = open("log", O_WRONLY | O_APPEND);

		_exit(flock(fd, LOCK_EX) != 0 || write(fd, "late\n", 5) != 5);
	}
	for (int i = 0; i < 2000 && !is_awaited; i++) {
		is_awaited = locked_is_awaited(&file.copy.old);
		usleep(1000);
	}
	if (is_awaited && file.has_leases) {
		end(STATUS_OK, NEW "late\n");
	} else { /* the system does not tell */
		kill(child, SIGKILL);
		replace_close(&file);
	}
	waitpid(child, NULL, 0);
}

static void
test_backup(void)
{
	append("log.bak", "older\n");
	append(".log.ctx-new", "of a program that was killed");
	options.suffix = ".bak";
	CHECK(begin(NEW));
	end(STATUS_OK, NEW);
	check_content("log.bak", OLD);
	/* A run that was killed between link and rename. */
	unlink("log.bak");
	CHECK(link("log", "log.bak") == 0);
	options.suffix = ".bak";
	CHECK(replace_open(&file, "log", &options, &fault));
	end(STATUS_OK, "");
	unlink("log.bak");
	CHECK(mkdir("log.bak", 0700) == 0);
	options.suffix = ".bak";
	CHECK(begin(NEW));
	end(STATUS_CANT_CREATE, OLD);
	rmdir("log.bak");
}

int
main(void)
{
	CHECK(mkdtemp(directory) != NULL && chdir(directory) == 0);
	test_content();
	test_attributes();
	test_late_lines();
	test_changes();
	test_refusals();
	test_writers();
	test_waiting();
	test_backup();
	unlink("log");
	CHECK(rmdir(directory) == 0);
	return unit_end();
}
