#include "tokens/vocabulary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stream/process/program.h"
#include "tokens/datadir.h"
#include "tokens/unicode_table.h"

#define EXTENSION ".vocab"

const char *const vocabulary_encodings[] = {"o200k_base", "cl100k_base", NULL};

/* Sets path to "DIR/NAME.vocab", and a NUL that is not counted. */
static bool
set_path(struct buf *path, struct str dir, const char *encoding)
{
	buf_set(path, dir);
	buf_add_fmt(path, "/%s" EXTENSION, encoding);
	*buf_reserve(path, 1) = '\0';
	return true;
}

/* Sets path to the place beside the directory of the running program. Returns false when that
 * directory is not known. */
static bool
set_path_beside(struct buf *path, const char *encoding)
{
	char program[PATH_MAX];
	struct str directory = program_directory(program);
	struct buf dir = BUF_INIT;

	if (directory.len == 0)
		return false;
	buf_add_str(&dir, directory);
	buf_add_str(&dir, STR("../share/ctx"));
	set_path(path, buf_str(&dir), encoding);
	buf_free(&dir);
	return true;
}

bool
vocabulary_place(size_t index, const char *encoding, struct buf *path)
{
	const char *list = getenv("CTX_VOCAB_PATH");

	for (; list != NULL; list = *list == '\0' ? NULL : list + 1) {
		size_t len = strcspn(list, ":");

		if (len > 0 && index-- == 0)
			return set_path(path, str_of(list, len), encoding);
		list += len;
	}
	if (index == 0 && set_path_beside(path, encoding))
		return true;
	return index < 2 && datadir[0] != '\0' && set_path(path, str_from(datadir), encoding);
}

static bool
cannot_read(int error, struct fault *fault)
{
	return fault_set(fault, status_of_error(error, STATUS_NO_INPUT), "%s", strerror(error));
}

static bool
is_bad(const char *wrong, struct fault *fault)
{
	return fault_set(fault, STATUS_CONFIG, "%s", wrong);
}

/* The start of a section; NULL when the section does not lie in the file or has a wrong length. The
 * length must be a multiple of unit; with a count that is not 0 it must be count * unit. */
static const void *
section(const struct vocabulary_header *header, enum vocabulary_section name, uint64_t unit,
    uint64_t count)
{
	uint64_t offset = le64toh(header->sections[name].offset);
	uint64_t len = le64toh(header->sections[name].len), file_len = le64toh(header->file_len);

	if (offset % VOCABULARY_PAGE != 0 || offset < VOCABULARY_PAGE || offset > file_len ||
	    len > file_len - offset)
		return NULL;
	if (len == 0 || len % unit != 0 || len / unit > INT32_MAX)
		return NULL;
	return count != 0 && len / unit != count ? NULL : (const char *)header + offset;
}

static bool
find_sections(struct vocabulary *vocabulary, const struct vocabulary_header *header)
{
	uint64_t filter_len = le64toh(header->sections[VOCABULARY_PAIR_FILTER].len);
	uint32_t cap = vocabulary->token_mask + 1;

	vocabulary->tinies =
	    section(header, VOCABULARY_FRONT_TINY, sizeof(uint64_t), 1u << VOCABULARY_TINY_BITS);
	vocabulary->shorts = section(
	    header, VOCABULARY_FRONT_SHORT, sizeof(struct piece_key), 1u << VOCABULARY_SHORT_BITS);
	vocabulary->splits = section(header, VOCABULARY_SPLITS, sizeof(uint64_t), cap);
	vocabulary->tokens = section(header, VOCABULARY_TOKENS, sizeof(uint32_t), cap);
	vocabulary->byte_pairs = section(header, VOCABULARY_BYTE_PAIRS, sizeof(uint32_t), 1 << 16);
	vocabulary->pairs = section(header, VOCABULARY_PAIRS, VOCABULARY_BUCKET * 8, 0);
	vocabulary->filter = section(header, VOCABULARY_PAIR_FILTER, sizeof(uint64_t), 0);
	vocabulary->trie = section(header, VOCABULARY_TRIE, sizeof(uint32_t), 0);
	vocabulary->cell_count =
	    (uint32_t)(le64toh(header->sections[VOCABULARY_TRIE].len) / sizeof(uint32_t));
	vocabulary->trie_tokens =
	    section(header, VOCABULARY_TRIE_TOKENS, sizeof(uint32_t), vocabulary->cell_count);
	vocabulary->wide =
	    section(header, VOCABULARY_WIDE, sizeof(uint64_t), VOCABULARY_WIDE_COUNT);
	vocabulary->wide_pairs = section(header, VOCABULARY_WIDE_PAIRS, sizeof(uint64_t),
	    (1u << VOCABULARY_WIDE_PAIR_BITS) / 64);
	vocabulary->bucket_count =
	    (uint32_t)(le64toh(header->sections[VOCABULARY_PAIRS].len) / (VOCABULARY_BUCKET * 8));
	vocabulary->filter_mask = filter_len * 8 - 1;
	return vocabulary->tinies != NULL && vocabulary->shorts != NULL &&
	    vocabulary->splits != NULL && vocabulary->tokens != NULL &&
	    vocabulary->byte_pairs != NULL && vocabulary->pairs != NULL &&
	    vocabulary->filter != NULL && vocabulary->trie != NULL &&
	    vocabulary->trie_tokens != NULL && vocabulary->wide != NULL &&
	    vocabulary->wide_pairs != NULL && (filter_len & (filter_len - 1)) == 0;
}

static bool
read_numbers(struct vocabulary *vocabulary, const struct vocabulary_header *header)
{
	uint32_t cap = le32toh(header->token_cap), pattern = le32toh(header->pattern);

	vocabulary->token_count = le32toh(header->token_count);
	vocabulary->token_mask = cap - 1;
	vocabulary->trie_root = le32toh(header->trie_root);
	if (cap == 0 || (cap & (cap - 1)) != 0 || cap > VOCABULARY_ID_MASK + 1)
		return false;
	if (vocabulary->token_count > cap || pattern >= SPLIT_PATTERN_COUNT)
		return false;
	vocabulary->pattern = (enum split_pattern)pattern;
	for (size_t i = 0; i < 256; i++) {
		vocabulary->byte_tokens[i] = le32toh(header->byte_tokens[i]);
		if (vocabulary->byte_tokens[i] >= vocabulary->token_count)
			return false;
	}
	return true;
}

static bool
sum_fits(const struct vocabulary_header *header)
{
	union {
		struct vocabulary_header header;
		uint64_t words[VOCABULARY_PAGE / 8];
	} page;

	memcpy(&page, header, sizeof page);
	page.header.header_sum = 0;
	return vocabulary_sum(&page, sizeof page) == le64toh(header->header_sum);
}

const char *
vocabulary_use(struct vocabulary *vocabulary, const void *start, size_t len, const char *encoding)
{
	const struct vocabulary_header *header = start;

	*vocabulary = (struct vocabulary){.header = header, .len = len};
	if (len < VOCABULARY_PAGE)
		return "too short for a compiled vocabulary";
	if (memcmp(header->magic, VOCABULARY_MAGIC, sizeof(header->magic)) != 0)
		return "not a compiled vocabulary";
	if (le32toh(header->endian) != VOCABULARY_ENDIAN ||
	    le32toh(header->format) != VOCABULARY_FORMAT)
		return "compiled for another version or machine";
	if (!sum_fits(header))
		return "the checksum of its header does not fit";
	if (le64toh(header->file_len) != len)
		return "its size is not the size in its header";
	if (strncmp(header->encoding, encoding, sizeof(header->encoding)) != 0)
		return "a vocabulary of another encoding";
	if (strncmp(header->unicode, UNICODE_TABLE_VERSION, sizeof(header->unicode)) != 0)
		return "made for another version of Unicode";
	if (!read_numbers(vocabulary, header))
		return "its header is malformed";
	return find_sections(vocabulary, header) ? NULL : "its table of sections is malformed";
}

/* Maps the file and checks its header. */
static bool
map_file(struct vocabulary *vocabulary, int fd, const char *encoding, struct fault *fault)
{
	const char *wrong;
	struct stat st;
	void *start;

	if (fstat(fd, &st) != 0)
		return cannot_read(errno, fault);
	if (!S_ISREG(st.st_mode))
		return is_bad("not a regular file", fault);
	if (st.st_size < (off_t)VOCABULARY_PAGE)
		return is_bad("too short for a compiled vocabulary", fault);
	if ((uintmax_t)st.st_size > SIZE_MAX)
		return cannot_read(ENOMEM, fault);
	start = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (start == MAP_FAILED)
		return cannot_read(errno, fault);
	/* Where the file comes from disk, it comes in pieces of 2 MB, if its file system has these:
	 * then a count takes 5 page faults for it instead of 100. */
	madvise(start, (size_t)st.st_size, MADV_HUGEPAGE);
	wrong = vocabulary_use(vocabulary, start, (size_t)st.st_size, encoding);
	vocabulary->st = st;
	if (wrong == NULL)
		return true;
	munmap(start, (size_t)st.st_size);
	return is_bad(wrong, fault);
}

bool
vocabulary_open_at(
    struct vocabulary *vocabulary, const char *path, const char *encoding, struct fault *fault)
{
	/* Opening a FIFO or a terminal must not wait; it is refused afterwards. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool good;

	if (fd < 0)
		return errno != ENOENT && cannot_read(errno, fault);
	good = map_file(vocabulary, fd, encoding, fault);
	close(fd);
	return good;
}

bool
vocabulary_open(struct vocabulary *vocabulary, const char *encoding, struct fault *fault)
{
	struct fault wrong = FAULT_INIT;
	struct buf path = BUF_INIT;
	bool good = false;

	for (size_t i = 0; !good && !fault_is_set(&wrong); i++) {
		if (vocabulary_place(i, encoding, &path))
			good = vocabulary_open_at(vocabulary, path.ptr, encoding, &wrong);
		else
			cannot_read(ENOENT, &wrong);
	}
	if (wrong.status == STATUS_CONFIG)
		fault_set(
		    fault, STATUS_CONFIG, "bad vocabulary %s: %.*s", path.ptr, STR_ARG(wrong.text));
	else if (fault_is_set(&wrong))
		fault_set(fault, wrong.status,
		    "cannot read the vocabulary %s: %.*s; CTX_VOCAB_PATH "
		    "may name its directory",
		    path.len > 0 ? path.ptr : encoding, STR_ARG(wrong.text));
	fault_free(&wrong);
	buf_free(&path);
	return good;
}

bool
vocabulary_is_intact(const struct vocabulary *vocabulary)
{
	const struct vocabulary_header *header = vocabulary->header;

	return vocabulary_sum((const char *)header + VOCABULARY_PAGE,
		   vocabulary->len - VOCABULARY_PAGE) == le64toh(header->content_sum);
}

void
vocabulary_close(struct vocabulary *vocabulary)
{
	munmap((void *)(uintptr_t)vocabulary->header, vocabulary->len);
	vocabulary->header = NULL;
}

uint32_t
vocabulary_find_pair(struct vocabulary *vocabulary, uint64_t key, uint64_t hash)
{
	uint32_t bucket = vocabulary_bucket(hash, vocabulary->bucket_count);

	for (int probe = 0; probe < VOCABULARY_PROBE_MAX; probe++) {
		const uint64_t *cells = vocabulary->pairs + (size_t)bucket * VOCABULARY_BUCKET;

		for (int i = 0; i < VOCABULARY_BUCKET; i++) {
			uint64_t cell = le64toh(cells[i]);
			uint32_t token = cell & VOCABULARY_ID_MASK;

			if (cell >> VOCABULARY_ID_BITS == key)
				return token < vocabulary->token_count ?
				    token :
				    vocabulary_damaged(vocabulary);
			if (cell == 0)
				return VOCABULARY_NONE;
		}
		if (++bucket == vocabulary->bucket_count)
			bucket = 0;
	}
	return VOCABULARY_NONE;
}

/* Where the byte at i of the piece leads from a node: a cell of the trie, or cell 0 with the
 * vocabulary noted as damaged. */
static inline const uint32_t *
child(struct vocabulary *vocabulary, uint32_t base, struct str piece, size_t i)
{
	uint32_t cell = base ^ (uint8_t)piece.ptr[i];

	if (cell >= vocabulary->cell_count) {
		vocabulary_damaged(vocabulary);
		cell = 0;
	}
	return &vocabulary->trie[cell];
}

uint32_t
vocabulary_tokens(struct vocabulary *vocabulary, const struct str *pieces, unsigned count)
{
	const uint32_t *at[VOCABULARY_GROUP];
	uint32_t active = UINT32_MAX >> (VOCABULARY_GROUP - count), found = 0;

	for (unsigned i = 0; i < count; i++)
		at[i] = child(vocabulary, vocabulary->trie_root, pieces[i], 0);
	for (size_t depth = 1; active != 0; depth++) {
		for (uint32_t left = active; left != 0; left &= left - 1) {
			unsigned i = (unsigned)__builtin_ctz(left);
			uint32_t cell = le32toh(*at[i]);
			uint32_t label = (uint8_t)pieces[i].ptr[depth - 1] + 1u;
			bool is_on = (cell & VOCABULARY_LABEL_MASK) == label;

			if (is_on && depth < pieces[i].len) {
				at[i] =
				    child(vocabulary, vocabulary_cell_base(cell), pieces[i], depth);
				__builtin_prefetch(at[i]);
				continue;
			}
			active &= ~((uint32_t)1 << i);
			found |= (uint32_t)(is_on && (cell & VOCABULARY_END) != 0) << i;
		}
	}
	return found;
}
