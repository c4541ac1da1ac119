#include "stream/file/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "stream/file/attributes.h"
#include "stream/file/durable.h"
#include "stream/file/lease.h"
#include "stream/file/temporary.h"

/* The temporary name of the old file, until it gets the name with the suffix. */
#define LINK_NAME REPLACE_OLD_HEAD "%s" REPLACE_OLD_TAIL

enum {
	QUIET_TRIES = 5, /* so many times no program may be writing, before the old file is left */
	AGE_BLIND = 60,  /* seconds, if the system cannot say whether a program writes */
};

/* The name of the old file once it is replaced. Returns false when there is none, or it is too
 * long. */
static bool
name_backup(const struct replace *file, char name[NAME_MAX + 1])
{
	const char *suffix = file->options->suffix;

	return suffix != NULL && suffix[0] != '\0' &&
	    snprintf(name, NAME_MAX + 1, "%s%s", file->copy.old.name, suffix) <= NAME_MAX;
}

/* Whether the file has no names but the one that it was given by, and those that it gets: a run
 * that was killed may have linked them. */
static bool
has_own_names(const struct replace *file)
{
	char name[NAME_MAX + 16];
	nlink_t own = 1;

	snprintf(name, sizeof name, LINK_NAME, file->copy.old.name);
	own += locked_is(&file->copy.old, name);
	own += name_backup(file, name) && locked_is(&file->copy.old, name);
	return file->copy.old.st.st_nlink == own;
}

static bool
check_links(struct replace *file)
{
	if (!file->options->breaks_hard_links && !has_own_names(file))
		return fault_set(file->copy.fault, STATUS_CANT_CREATE,
		    "has %ju hard links; --break-hard-links replaces it under this name alone",
		    (uintmax_t)file->copy.old.st.st_nlink);
	if (attributes_are_read_only(&file->copy.old.st))
		return fault_set(file->copy.fault, STATUS_CANT_CREATE, "is read-only");
	return faccessat(file->copy.old.directory, file->copy.old.name, W_OK, AT_EACCESS) == 0 ||
	    replace_copy_fail(&file->copy, STATUS_CANT_CREATE, "may not be written");
}

/*
 * Waits until a lease is held, or there are none. Returns false when a program has the file open
 * for writing all the time: then the lines of that program would have to be carried over for as
 * long as it lives. A program that waits for the lock has the file open, too, but looks for the new
 * file, or writes and ends, as soon as it has the lock.
 */
static bool
take_lease(struct replace *file)
{
	int64_t start = 0;
	enum lease lease;

	while ((lease = lease_take(file->copy.old.fd)) == LEASE_BUSY &&
	    !locked_is_awaited(&file->copy.old))
		if (!locked_wait(&start))
			return fault_set(file->copy.fault, STATUS_LATER,
			    "is open for writing by another program; try again later");
	file->has_leases = lease != LEASE_NONE;
	return true;
}

static bool
check_age(struct replace *file)
{
	uint64_t min = file->options->has_min_age ? file->options->min_age :
	    file->has_leases                      ? 0 :
						    AGE_BLIND;
	struct timespec now;
	int64_t age;

	clock_gettime(CLOCK_REALTIME, &now);
	age = (int64_t)now.tv_sec - (int64_t)file->copy.old.st.st_mtim.tv_sec;
	if (min == 0 || (age > 0 && (uint64_t)age >= min))
		return true;
	return fault_set(file->copy.fault, STATUS_LATER,
	    "was written to in the last %ju seconds; try again later", (uintmax_t)min);
}

bool
replace_open(struct replace *file, const char *path, const struct replace_options *options,
    struct fault *fault)
{
	*file = (struct replace){
	    .copy = {.filter = {replace_copy_take}, .fault = fault, .new = -1}, .options = options};
	if (!locked_open(&file->copy.old, path, options->follows_symlinks, fault) ||
	    !check_links(file) || !take_lease(file))
		return false;
	lease_release(file->copy.old.fd);
	return check_age(file);
}

/* Whether the old file still begins with the bytes that were read. */
static bool
is_as_read(struct replace *file, uint64_t read)
{
	struct hash_stream sum = HASH_STREAM_INIT;
	char bytes[REPLACE_CHUNK];
	struct stat st;
	size_t got = 1;

	if (fstat(file->copy.old.fd, &st) != 0)
		return replace_copy_fail(&file->copy, STATUS_IO, "cannot read it");
	if (st.st_size == file->copy.old.st.st_size &&
	    st.st_mtim.tv_sec == file->copy.old.st.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == file->copy.old.st.st_mtim.tv_nsec)
		return true;
	for (uint64_t at = 0; at < read && got > 0; at += got) {
		size_t len = read - at < REPLACE_CHUNK ? (size_t)(read - at) : REPLACE_CHUNK;

		if (!replace_copy_read(&file->copy, bytes, len, at, &got))
			return false;
		hash_stream_add(&sum, str_of(bytes, got));
	}
	return hash_stream_is_equal(&sum, &file->sum) ||
	    fault_set(file->copy.fault, STATUS_LATER, "was changed meanwhile; try again later");
}

/* Carries over lines that were added to the old file. */
static bool
carry(struct replace *file, bool is_open)
{
	struct stat st;

	if (fstat(file->copy.old.fd, &st) != 0)
		return replace_copy_fail(&file->copy, STATUS_IO, "cannot read it");
	if ((uint64_t)st.st_size <= file->carried)
		return true;
	if (is_open)
		return fault_set(file->copy.fault, STATUS_LATER,
		    "its last line was still being written; try again later");
	file->carried = replace_copy_bytes(&file->copy, file->carried, (uint64_t)st.st_size);
	if (fault_is_set(file->copy.fault))
		return false;
	return fsync(file->copy.new) == 0 ||
	    replace_copy_fail(&file->copy, STATUS_IO, "cannot write the new file");
}

/* Gives the old file its second name: by a link with a temporary name, which then replaces a file
 * that has the name already. */
static bool
keep_old(struct replace *file)
{
	char backup[NAME_MAX + 1], link[NAME_MAX + 16];
	bool is_linked;

	snprintf(link, sizeof link, LINK_NAME, file->copy.old.name);
	unlinkat(file->copy.old.directory, link, 0);
	if (file->options->suffix == NULL || file->options->suffix[0] == '\0')
		return true;
	if (!name_backup(file, backup)) {
		errno = ENAMETOOLONG;
		return replace_copy_fail(
		    &file->copy, STATUS_CANT_CREATE, "cannot keep the old file");
	}
	is_linked = linkat(file->copy.old.directory, file->copy.old.name, file->copy.old.directory,
			link, 0) == 0 &&
	    renameat(file->copy.old.directory, link, file->copy.old.directory, backup) == 0;
	if (!is_linked)
		replace_copy_fail(&file->copy, STATUS_CANT_CREATE, "cannot keep the old file");
	unlinkat(file->copy.old.directory, link, 0); /* two names of one file are no rename */
	return is_linked;
}

static bool
rename_new(struct replace *file)
{
	char name[NAME_MAX + 16], backup[NAME_MAX + 1];

	snprintf(name, sizeof name, REPLACE_COPY_NAME, file->copy.old.name);
	if (!locked_is(&file->copy.old, file->copy.old.name))
		return fault_set(
		    file->copy.fault, STATUS_LATER, "was replaced meanwhile; try again later");
	if (!attributes_restore_mode(file->copy.new, file->copy.old.st.st_mode))
		return replace_copy_fail(&file->copy, STATUS_CANT_CREATE, "cannot keep its mode");
	if (!keep_old(file))
		return false;
	if (renameat(file->copy.old.directory, name, file->copy.old.directory,
		file->copy.old.name) != 0) {
		replace_copy_fail(&file->copy, STATUS_CANT_CREATE, "cannot replace it");
		if (name_backup(file, backup))
			unlinkat(file->copy.old.directory, backup, 0);
		return false;
	}
	temporary_keep(TEMPORARY_REPLACING);
	file->is_replaced = true;
	return true;
}

/* Appends to the new file the lines that were added to the old one after the rename: whole lines,
 * since others append to the new file too; the last time, also the beginning of a line. */
static bool
pass_on(struct replace *file, bool is_last)
{
	size_t got, len;

	do {
		char *room = buf_reserve(&file->late, REPLACE_CHUNK);

		if (!replace_copy_read(
			&file->copy, room, REPLACE_CHUNK, file->carried + file->late.len, &got))
			return false;
		file->late.len += got;
	} while (got > 0);
	len = file->late.len;
	if (!is_last)
		len -= str_behind_last(buf_str(&file->late), '\n').len;
	buf_reset(&file->late);
	file->carried += len;
	if (len == 0)
		return true;
	return replace_copy_write(&file->copy, file->late.ptr, len) &&
	    (fsync(file->copy.new) == 0 ||
		replace_copy_fail(&file->copy, STATUS_IO, "cannot write the new file"));
}

/*
 * Carries late lines over until no program writes to the old file. A lease that is held and whole
 * again and again says so: a program that waited in open(2) counts as one that writes before the
 * lease is given back, and none can find the old file by its name any more. A signal that ends the
 * program ends this, too.
 */
static bool
follow_writers(struct replace *file)
{
	bool is_said = false;
	int64_t start = 0;
	int quiet = 0;

	while (quiet < QUIET_TRIES) {
		enum lease lease = lease_take(file->copy.old.fd);
		bool is_last = lease == LEASE_NONE || temporary_is_ended();

		if (!pass_on(file, lease == LEASE_HELD || is_last) || is_last)
			return !fault_is_set(file->copy.fault);
		quiet = lease == LEASE_HELD && lease_is_whole(file->copy.old.fd) ? quiet + 1 : 0;
		lease_release(file->copy.old.fd);
		if (!locked_wait(&start) && !is_said) {
			file->options->says_waiting();
			flock(file->copy.new, LOCK_UN); /* others need not wait, too */
			is_said = true;
		}
	}
	return true;
}

static bool
swap(struct replace *file, uint64_t read, bool is_open)
{
	if (!take_lease(file) || !is_as_read(file, read) || !carry(file, is_open) ||
	    !rename_new(file))
		return false;
	locked_release(&file->copy.old); /* who waits for it looks for the new file now */
	lease_release(file->copy.old.fd);
	if (!durable_sync_directory(file->copy.old.directory))
		replace_copy_fail(
		    &file->copy, STATUS_IO, "was replaced, and its directory cannot be written");
	return follow_writers(file) && !fault_is_set(file->copy.fault);
}

bool
replace_commit(struct replace *file, uint64_t read, bool is_open)
{
	sigset_t before;
	bool is_done;

	if (fault_is_set(file->copy.fault) || (file->copy.new < 0 && file->copy.same == read))
		return !fault_is_set(file->copy.fault);
	file->carried = read;
	buf_reserve(
	    &file->late, REPLACE_CHUNK); /* memory must not run out once the file is replaced */
	if ((file->copy.new < 0 && !replace_copy_create(&file->copy)) || !carry(file, is_open))
		return false;
	if (fsync(file->copy.new) != 0)
		return replace_copy_fail(&file->copy, STATUS_IO, "cannot write the new file");
	temporary_hold_signals(&before);
	is_done = swap(file, read, is_open);
	temporary_release_signals(&before);
	if (!file_close(file->copy.new))
		is_done = replace_copy_fail(&file->copy, STATUS_IO, "cannot write the new file");
	file->copy.new = -1;
	return is_done;
}

void
replace_close(struct replace *file)
{
	temporary_remove(TEMPORARY_REPLACING);
	if (file->copy.new >= 0)
		close(file->copy.new);
	locked_close(&file->copy.old);
	buf_free(&file->late);
}
