#include "tokens/vocabulary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tokens/datadir.h"
#include "tokens/unicode_table.h"

#define EXTENSION ".vocab"
/* A FIFO or a terminal of that name is opened at once, and refused. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Appends "DIR/NAME.vocab" and a NUL that is not counted. */
static void
add_path(struct buf *path, struct str dir, const char *encoding)
{
	buf_reset(path);
	buf_add_str(path, dir);
	buf_add_fmt(path, "/%s" EXTENSION, encoding);
	*buf_reserve(path, 1) = '\0';
}

/* The directory of the running program, or an empty string. */
static struct str
program_dir(char *ptr, size_t cap)
{
	ssize_t len = readlink("/proc/self/exe", ptr, cap);

	while (len > 0 && ptr[len - 1] != '/')
		len--;
	return str_of(ptr, len > 0 ? (size_t)len - 1 : 0);
}

/* Opens the first that is there; path then names it. -1 and ENOENT when none is. */
static int
open_in_list(struct buf *path, const char *list, const char *encoding)
{
	int fd = -1;

	for (; list != NULL; list = *list == '\0' ? NULL : list + 1) {
		size_t len = strcspn(list, ":");

		if (len > 0) {
			add_path(path, str_of(list, len), encoding);
			fd = open(path->ptr, OPEN_FLAGS);
			if (fd >= 0 || errno != ENOENT)
				return fd;
		}
		list += len;
	}
	errno = ENOENT;
	return fd;
}

static int
open_file(struct buf *path, const char *encoding)
{
	char program[4096];
	struct buf dir = BUF_INIT;
	int fd = open_in_list(path, getenv("CTX_VOCAB_PATH"), encoding);

	if (fd >= 0 || errno != ENOENT)
		return fd;
	buf_add_str(&dir, program_dir(program, sizeof(program)));
	buf_add_str(&dir, STR("/../share/ctx"));
	add_path(path, buf_str(&dir), encoding);
	buf_free(&dir);
	fd = open(path->ptr, OPEN_FLAGS);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	if (datadir[0] == '\0') {
		errno = ENOENT;
		return -1;
	}
	add_path(path, str_from(datadir), encoding);
	return open(path->ptr, OPEN_FLAGS);
}

static bool
cannot_read(const char *path, int error, struct fault *fault)
{
	return fault_set(fault, status_of_error(error, STATUS_NO_INPUT),
	    "cannot read the vocabulary %s: %s; CTX_VOCAB_PATH may name its directory", path,
	    strerror(error));
}

static bool
is_bad(const char *path, const char *wrong, struct fault *fault)
{
	return fault_set(fault, STATUS_CONFIG, "bad vocabulary %s: %s", path, wrong);
}

/* A section's start, when it lies in the file; its length must be a multiple of unit, and count of
 * them when count is not 0. */
static const void *
section(const struct vocabulary_header *header, enum vocabulary_section name, uint64_t unit,
    uint64_t count)
{
	uint64_t offset = header->sections[name].offset, len = header->sections[name].len;

	if (offset % VOCABULARY_PAGE != 0 || offset < VOCABULARY_PAGE ||
	    offset > header->file_len || len > header->file_len - offset)
		return NULL;
	if (len == 0 || len % unit != 0 || len / unit > INT32_MAX)
		return NULL;
	return count != 0 && len / unit != count ? NULL : (const char *)header + offset;
}

static bool
find_sections(struct vocabulary *vocabulary, const struct vocabulary_header *header)
{
	uint64_t filter_len = header->sections[VOCABULARY_PAIR_FILTER].len;
	uint32_t cap = header->token_cap;

	vocabulary->splits = section(header, VOCABULARY_SPLITS, sizeof(uint64_t), cap);
	vocabulary->tokens = section(header, VOCABULARY_TOKENS, sizeof(uint32_t), cap);
	vocabulary->byte_pairs = section(header, VOCABULARY_BYTE_PAIRS, sizeof(uint32_t), 1 << 16);
	vocabulary->pairs = section(header, VOCABULARY_PAIRS, VOCABULARY_BUCKET * 8, 0);
	vocabulary->filter = section(header, VOCABULARY_PAIR_FILTER, sizeof(uint64_t), 0);
	vocabulary->trie = section(header, VOCABULARY_TRIE, sizeof(uint64_t), 0);
	vocabulary->wide =
	    section(header, VOCABULARY_WIDE, sizeof(uint64_t), VOCABULARY_WIDE_COUNT);
	vocabulary->wide_pairs = section(header, VOCABULARY_WIDE_PAIRS, sizeof(uint64_t),
	    (1u << VOCABULARY_WIDE_PAIR_BITS) / 64);
	vocabulary->token_mask = cap - 1;
	vocabulary->bucket_count =
	    (uint32_t)(header->sections[VOCABULARY_PAIRS].len / (VOCABULARY_BUCKET * 8));
	vocabulary->cell_count = (uint32_t)(header->sections[VOCABULARY_TRIE].len / 8);
	vocabulary->filter_mask = filter_len * 8 - 1;
	return vocabulary->splits != NULL && vocabulary->tokens != NULL &&
	    vocabulary->byte_pairs != NULL && vocabulary->pairs != NULL &&
	    vocabulary->filter != NULL && vocabulary->trie != NULL &&
	    vocabulary->wide != NULL && vocabulary->wide_pairs != NULL &&
	    (filter_len & (filter_len - 1)) == 0;
}

static bool
has_good_numbers(const struct vocabulary_header *header)
{
	uint32_t cap = header->token_cap;

	if (cap == 0 || (cap & (cap - 1)) != 0 || cap > VOCABULARY_ID_MASK + 1)
		return false;
	if (header->token_count > cap || header->pattern >= SPLIT_PATTERN_COUNT)
		return false;
	for (size_t i = 0; i < 256; i++)
		if (header->byte_tokens[i] >= header->token_count)
			return false;
	return true;
}

/* What is wrong with the header of a file of len bytes, or NULL. */
static const char *
header_fault(const struct vocabulary_header *header, uint64_t len, const char *encoding)
{
	union {
		struct vocabulary_header header;
		char bytes[VOCABULARY_PAGE];
	} page;

	if (memcmp(header->magic, VOCABULARY_MAGIC, sizeof(header->magic)) != 0)
		return "not a compiled vocabulary";
	if (header->endian != VOCABULARY_ENDIAN || header->format != VOCABULARY_FORMAT)
		return "compiled for another version or machine";
	memcpy(page.bytes, header, sizeof(page.bytes));
	page.header.header_sum = 0;
	if (vocabulary_sum(&page, sizeof(page)) != header->header_sum)
		return "the checksum of its header does not fit";
	if (header->file_len != len)
		return "its size is not what its header says";
	if (strncmp(header->encoding, encoding, sizeof(header->encoding)) != 0)
		return "a vocabulary of another encoding";
	if (strncmp(header->unicode, UNICODE_TABLE_VERSION, sizeof(header->unicode)) != 0)
		return "made for another version of Unicode";
	return has_good_numbers(header) ? NULL : "its header is malformed";
}

/* Maps the file and checks its header. */
static bool
map_file(struct vocabulary *vocabulary, int fd, const char *path, const char *encoding,
    struct fault *fault)
{
	const struct vocabulary_header *header;
	const char *wrong;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return cannot_read(path, errno, fault);
	if (!S_ISREG(st.st_mode))
		return is_bad(path, "not a regular file", fault);
	if (st.st_size < (off_t)VOCABULARY_PAGE)
		return is_bad(path, "too short for a compiled vocabulary", fault);
	if ((uintmax_t)st.st_size > SIZE_MAX)
		return cannot_read(path, ENOMEM, fault);
	header = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (header == MAP_FAILED)
		return cannot_read(path, errno, fault);
	wrong = header_fault(header, (uint64_t)st.st_size, encoding);
	if (wrong == NULL && !find_sections(vocabulary, header))
		wrong = "its table of sections is malformed";
	vocabulary->header = header;
	vocabulary->dev = st.st_dev;
	vocabulary->ino = st.st_ino;
	if (wrong == NULL)
		return true;
	munmap((void *)(uintptr_t)header, (size_t)st.st_size);
	return is_bad(path, wrong, fault);
}

bool
vocabulary_open(struct vocabulary *vocabulary, const char *encoding, struct fault *fault)
{
	struct buf path = BUF_INIT;
	int fd = open_file(&path, encoding);
	bool good = fd >= 0 ? map_file(vocabulary, fd, path.ptr, encoding, fault)
			    : cannot_read(path.ptr, errno, fault);

	if (fd >= 0)
		close(fd);
	buf_free(&path);
	return good;
}

bool
vocabulary_is_intact(const struct vocabulary *vocabulary)
{
	const struct vocabulary_header *header = vocabulary->header;

	return vocabulary_sum((const char *)header + VOCABULARY_PAGE,
	    header->file_len - VOCABULARY_PAGE) == header->content_sum;
}

void
vocabulary_close(struct vocabulary *vocabulary)
{
	munmap((void *)(uintptr_t)vocabulary->header, vocabulary->header->file_len);
	vocabulary->header = NULL;
}

uint32_t
vocabulary_find_pair(const struct vocabulary *vocabulary, uint64_t key, uint64_t hash)
{
	uint32_t bucket = vocabulary_bucket(hash, vocabulary->bucket_count);

	for (int probe = 0; probe < VOCABULARY_PROBE_MAX; probe++) {
		const uint64_t *cells = vocabulary->pairs + (size_t)bucket * VOCABULARY_BUCKET;

		for (int i = 0; i < VOCABULARY_BUCKET; i++) {
			if (cells[i] >> VOCABULARY_ID_BITS == key)
				return cells[i] & VOCABULARY_ID_MASK;
			if (cells[i] == 0)
				return VOCABULARY_NONE;
		}
		if (++bucket == vocabulary->bucket_count)
			bucket = 0;
	}
	return VOCABULARY_NONE;
}
