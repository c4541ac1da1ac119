/*
 * Fuzzes the look-ups in a vocabulary: the first 32 bytes say which numbers of the vocabulary are
 * changed, and how; the other bytes are the text that is counted. Whatever the file holds,
 * counting must end, give a possible count, and read nothing outside the file. An unchanged file
 * must not be taken for damaged.
 *
 *     four times    section | exponent of the step | place, 16 bits | what to xor with, 32 bits
 */

#include "../unit/damaged.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { CHANGES = 4, CHANGE_LEN = 8, PLACES = 1 << 12 };

struct undo {
	uint8_t *at;
	uint32_t was;
};

static struct damaged damaged;
static struct undo undo[CHANGES * PLACES];
static size_t undo_count;

static uint32_t
number(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Changes words of a section at even steps, from a place on. */
static void
change(const uint8_t *p)
{
	unsigned section = p[0] % VOCABULARY_SECTION_COUNT;
	size_t step = (size_t)4 << p[1] % 16, len = damaged.section[section].len;
	size_t at = (size_t)(p[2] | p[3] << 8) * 4 % len;
	uint32_t with = number(p + 4);

	for (int i = 0; i < PLACES && at + 4 <= len && with != 0; i++, at += step) {
		uint8_t *word = damaged.section[section].bytes + at;
		struct undo *u = &undo[undo_count++];

		*u = (struct undo){word, 0};
		memcpy(&u->was, word, 4);
		with ^= u->was;
		memcpy(word, &with, 4);
		with ^= u->was;
	}
}

static void
take_back(void)
{
	while (undo_count > 0) {
		undo_count--;
		memcpy(undo[undo_count].at, &undo[undo_count].was, 4);
	}
	damaged.vocabulary.is_damaged = false;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const char sample[] = "The lighthouse keeper's log: 12345 ebbs (x != 'y') "
				     "\xe6\xbd\xae\xe6\xb1\x90\xe8\xa1\xa8"
				     "\xd0\xbc\xd0\xbe\xd1\x80\xd0\xb5 QUJDREVGR0g= zxqvkjzxqvkj";
	bool agree, is_ascii = true;

	if (damaged.whole.header == NULL)
		damaged_open(&damaged, "cl100k_base");
	if (len < CHANGES * CHANGE_LEN)
		return 0;
	for (size_t i = CHANGES * CHANGE_LEN; i < len; i++)
		is_ascii &= bytes[i] < 0x80;
	for (int i = 0; i < CHANGES; i++)
		change(bytes + i * CHANGE_LEN);
	if (!damaged_count(&damaged.vocabulary, STR(sample), &agree) ||
	    !damaged_count(&damaged.vocabulary,
		str_of((const char *)bytes + CHANGES * CHANGE_LEN, len - CHANGES * CHANGE_LEN),
		&agree))
		abort();
	/* The methods agree only on valid UTF-8. */
	if (undo_count == 0 && is_ascii && (!agree || damaged.vocabulary.is_damaged))
		abort();
	take_back();
	return 0;
}
