#include "stream/file/attributes.h"

#include <errno.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The default access control list, which a directory gives to new files. */
#define ACCESS_LIST "system.posix_acl_access"

enum { TRIES = 8 }; /* the attributes may grow between asking for their size and reading them */

static bool
fail(struct fault *fault, const char *what)
{
	return fault_set_error(fault, STATUS_CANT_CREATE, "cannot keep its %s", what);
}

static bool
copy_owner(const struct stat *st, int to, struct fault *fault)
{
	struct stat own;

	if (fstat(to, &own) != 0)
		return fail(fault, "owner");
	if ((own.st_uid != st->st_uid || own.st_gid != st->st_gid) &&
	    fchown(to, st->st_uid, st->st_gid) != 0)
		return fail(fault, "owner");
	return fchmod(to, st->st_mode & 07777) == 0 || fail(fault, "mode");
}

bool
attributes_restore_mode(int to, mode_t mode)
{
	return (mode & (S_ISUID | S_ISGID)) == 0 || fchmod(to, mode & 07777) == 0;
}

/* Reads the value of an attribute, or with name NULL the list of their names. Returns false when
 * that fails. */
static bool
read_value(int fd, const char *name, struct buf *value)
{
	for (int i = 0; i < TRIES; i++) {
		ssize_t len = name != NULL ? fgetxattr(fd, name, NULL, 0) : flistxattr(fd, NULL, 0);
		char *room;

		if (len < 0)
			return false;
		buf_reset(value);
		room = buf_reserve(value, (size_t)len + 1);
		if (len > 0)
			len = name != NULL ? fgetxattr(fd, name, room, (size_t)len) :
					     flistxattr(fd, room, (size_t)len);
		if (len >= 0) {
			value->len = (size_t)len;
			return true;
		}
		if (errno != ERANGE)
			return false;
	}
	return false;
}

/* Whether the file has that attribute already: the system sets some by itself, and lets only some
 * users set them. */
static bool
has_value(int fd, const char *name, const struct buf *value)
{
	struct buf own = BUF_INIT;
	bool has = read_value(fd, name, &own) && str_eq(buf_str(&own), buf_str(value));

	buf_free(&own);
	return has;
}

static bool
copy_all(int from, int to, const struct buf *names, struct fault *fault)
{
	struct buf value = BUF_INIT;
	bool is_done = true;

	for (const char *name = names->ptr; is_done && name < names->ptr + names->len;
	     name += strlen(name) + 1) {
		if (!read_value(from, name, &value))
			is_done = errno == ENODATA || fail(fault, name);
		else if (!has_value(to, name, &value) &&
		    fsetxattr(to, name, value.ptr, value.len, 0) != 0)
			is_done = fail(fault, name);
	}
	buf_free(&value);
	return is_done;
}

bool
attributes_copy(int from, const struct stat *st, int to, struct fault *fault)
{
	struct buf names = BUF_INIT;
	bool is_done;

	if (fremovexattr(to, ACCESS_LIST) != 0 && errno != ENODATA && errno != ENOTSUP &&
	    errno != ENOSYS)
		return fail(fault, "access control list");
	if (!copy_owner(st, to, fault))
		return false;
	if (!read_value(from, NULL, &names))
		is_done = errno == ENOTSUP || errno == ENOSYS || fail(fault, "extended attributes");
	else
		is_done = copy_all(from, to, &names, fault);
	buf_free(&names);
	return is_done;
}
