/* Vocabularies that are damaged, or no files at all: what opening and counting make of them. */

#include <fcntl.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "unit.h"
#include "damaged.h"

static const char text[] =
    "The keeper's log: 12345 ebbs (x != 'y') \xe6\xbd\xae\xe6\xb1\x90\xe8\xa1\xa8"
    "\xd0\xbc\xd0\xbe\xd1\x80\xd0\xb5 QUJDREVGR0g= zxqvkjzxqvkj antidisestablishmentarianismzq";

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

/* A section full of one byte: numbers that lead outside are noticed. */
static void
test_filled(struct damaged *damaged, enum vocabulary_section name, int byte, bool is_noticed)
{
	uint8_t *bytes = damaged->section[name].bytes;
	size_t len = damaged->section[name].len;
	uint8_t *copy = malloc(len);
	bool agree;

	memcpy(copy, bytes, len);
	memset(bytes, byte, len);
	damaged->vocabulary.is_damaged = false;
	CHECK(damaged_count(&damaged->vocabulary, STR(text), &agree));
	if (!CHECK(damaged->vocabulary.is_damaged == is_noticed))
		printf("    section %d of %d\n", (int)name, byte);
	memcpy(bytes, copy, len);
	free(copy);
}

/* Random bytes in random places, which stay and become more. */
static void
test_random(struct damaged *damaged)
{
	uint64_t state = 3;
	bool agree;

	for (int round = 0; round < 200; round++) {
		for (int i = 0; i < 2000; i++) {
			unsigned name = (unsigned)next(&state) % VOCABULARY_SECTION_COUNT;
			size_t len = damaged->section[name].len;
			size_t at =
			    (size_t)(next(&state) << 31 | next(&state)) % (i % 2 ? len : 65536);

			damaged->section[name].bytes[at % len] = (uint8_t)next(&state);
		}
		CHECK(damaged_count(&damaged->vocabulary, STR(text), &agree));
	}
}

/* Every byte of a header changed, its checksum made to fit: it is refused, or counts are possible. */
static void
test_header(const struct vocabulary *whole)
{
	uint8_t *file = aligned_alloc(4096, whole->len);
	struct vocabulary_header *header = (void *)file;
	struct vocabulary vocabulary;
	unsigned refused = 0;
	bool agree;

	memcpy(file, whole->header, whole->len);
	CHECK(vocabulary_use(&vocabulary, file, whole->len, "cl100k_base") == NULL);
	CHECK(vocabulary_is_intact(&vocabulary));
	for (size_t i = 0; i < sizeof *header; i++) {
		uint8_t was = file[i];

		file[i] ^= (uint8_t)(i % 3 == 0 ? 0xff : 1 << i % 8);
		header->header_sum = 0;
		header->header_sum = htole64(vocabulary_sum(file, VOCABULARY_PAGE));
		if (vocabulary_use(&vocabulary, file, whole->len, "cl100k_base") != NULL)
			refused++;
		else
			CHECK(damaged_count(&vocabulary, STR(text), &agree));
		file[i] = was;
	}
	CHECK(refused > 100);
	file[VOCABULARY_PAGE + 77] ^= 1;
	memcpy(header, whole->header, sizeof *header);
	CHECK(vocabulary_use(&vocabulary, file, whole->len, "cl100k_base") == NULL);
	CHECK(!vocabulary_is_intact(&vocabulary));
	CHECK(vocabulary_use(&vocabulary, file, whole->len - 1, "cl100k_base") != NULL);
	CHECK(vocabulary_use(&vocabulary, file, 100, "cl100k_base") != NULL);
	free(file);
}

static void
check_refused(const char *path, enum status status, const char *expected)
{
	struct vocabulary vocabulary;
	struct fault fault = FAULT_INIT;

	CHECK(!vocabulary_open_at(&vocabulary, path, "cl100k_base", &fault));
	CHECK(fault.status == status);
	CHECK_STR(fault.text, expected);
	fault_free(&fault);
}

/* What is no regular file is refused at once. */
static void
test_files(void)
{
	char dir[] = "/tmp/vocabulary.XXXXXX";

	if (!CHECK(mkdtemp(dir) != NULL) || !CHECK(chdir(dir) == 0))
		return;
	CHECK(mkfifo("fifo", 0600) == 0);
	check_refused("fifo", STATUS_CONFIG, "not a regular file");
	check_refused(".", STATUS_CONFIG, "not a regular file");
	check_refused("/dev/zero", STATUS_CONFIG, "not a regular file");
	check_refused("none", STATUS_OK, "");
	check_refused("fifo/none", STATUS_NO_INPUT, "Not a directory");
	CHECK(close(open("empty", O_CREAT | O_WRONLY, 0600)) == 0);
	check_refused("empty", STATUS_CONFIG, "too short for a compiled vocabulary");
	unlink("empty");
	unlink("fifo");
	rmdir(dir);
}

static void
test_places(void)
{
	struct buf path = BUF_INIT;

	setenv("CTX_VOCAB_PATH", ":/one::two:", 1);
	CHECK(vocabulary_place(0, "x", &path));
	CHECK_STR(path, "/one/x.vocab");
	CHECK(vocabulary_place(1, "x", &path));
	CHECK_STR(path, "two/x.vocab");
	CHECK(vocabulary_place(2, "x", &path));
	CHECK(!vocabulary_place(3, "x", &path));
	buf_free(&path);
}

int
main(void)
{
	struct damaged damaged;
	bool agree;

	damaged_open(&damaged, "cl100k_base");
	CHECK(damaged_count(&damaged.vocabulary, STR(text), &agree));
	CHECK(agree && !damaged.vocabulary.is_damaged);
	for (int i = 0; i < VOCABULARY_SECTION_COUNT; i++)
		test_filled(&damaged, (enum vocabulary_section)i, 0xee,
		    i > VOCABULARY_FRONT_SHORT && i != VOCABULARY_PAIRS &&
			i != VOCABULARY_PAIR_FILTER && i != VOCABULARY_WIDE_PAIRS);
	test_header(&damaged.whole);
	test_random(&damaged);
	damaged_close(&damaged);
	test_files();
	test_places();
	return unit_end();
}
