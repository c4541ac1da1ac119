/*
 * ctx-vocabulary: the build tool for vocabularies.
 *
 *     ctx-vocabulary pack NAME FILE.tiktoken FILE.ranks   the published form to the committed one
 *     ctx-vocabulary unpack FILE.ranks FILE.tiktoken      and back, byte for byte
 *     ctx-vocabulary compile FILE.ranks FILE.vocab        makes the file that the commands map
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/file.h"
#include "tokens/pieces/split.h"
#include "tokens/unicode_table.h"
#include "tokens/vocab/compile.h"
#include "tokens/vocabulary_format.h"

/* The published rank files, by openai/tiktoken, tiktoken_ext/openai_public.py. */
static const struct encoding {
	const char *name;
	const char *sha256;
	enum split_pattern pattern;
} encodings[] = {
    {"o200k_base", "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d", SPLIT_O200K},
    {"cl100k_base", "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
	SPLIT_CL100K},
};

static void
read_file(const char *name, struct buf *buf)
{
	struct fault fault = FAULT_INIT;

	if (!file_read(name, SIZE_MAX, buf, &fault))
		diag_die(fault.status, "%.*s", STR_ARG(buf_str(&fault.text)));
}

static void
write_file(const char *name, struct str bytes)
{
	FILE *file = fopen(name, "wb");

	if (file == NULL)
		diag_die(STATUS_CANT_CREATE, "cannot create %s: %s", name, strerror(errno));
	if (fwrite(bytes.ptr, 1, bytes.len, file) != bytes.len || fclose(file) != 0)
		diag_die(STATUS_IO, "cannot write %s: %s", name, strerror(errno));
}

static void
read_packed(const char *name, struct ranks *ranks)
{
	struct buf buf = BUF_INIT;

	read_file(name, &buf);
	if (!ranks_read_packed(ranks, buf_str(&buf)))
		diag_die(STATUS_DATA, "%s: not a file of ranks", name);
	buf_free(&buf);
}

static void
pack(const char *encoding, const char *from, const char *to)
{
	struct buf text = BUF_INIT, packed = BUF_INIT;
	struct ranks ranks = RANKS_INIT;

	strncpy(ranks.name, encoding, RANKS_NAME_CAP - 1);
	read_file(from, &text);
	if (!ranks_read_tiktoken(&ranks, buf_str(&text)))
		diag_die(STATUS_DATA, "%s: not lines of BASE64 RANK", from);
	ranks_add_packed(&ranks, &packed);
	write_file(to, buf_str(&packed));
	ranks_free(&ranks);
	buf_free(&text);
	buf_free(&packed);
}

static void
unpack(const char *from, const char *to)
{
	struct ranks ranks = RANKS_INIT;
	struct buf text = BUF_INIT;

	read_packed(from, &ranks);
	ranks_add_tiktoken(&ranks, &text);
	write_file(to, buf_str(&text));
	ranks_free(&ranks);
	buf_free(&text);
}

/* Gives the numbers of a table, each of unit bytes, the byte order of the file. */
static void
order_bytes(struct table table, size_t unit)
{
	if (unit == sizeof(uint64_t))
		for (uint64_t *p = table.ptr; p < (uint64_t *)table.ptr + table.len / unit; p++)
			*p = htole64(*p);
	else
		for (uint32_t *p = table.ptr; p < (uint32_t *)table.ptr + table.len / unit; p++)
			*p = htole32(*p);
}

static void
add_section(struct buf *file, enum vocabulary_section section, struct table table, size_t unit)
{
	struct vocabulary_header *header;
	size_t rest;

	order_bytes(table, unit);
	header = (struct vocabulary_header *)(void *)file->ptr;
	header->sections[section].offset = htole64(file->len);
	header->sections[section].len = htole64(table.len);
	buf_add(file, table.ptr, table.len);
	rest = (VOCABULARY_PAGE - file->len % VOCABULARY_PAGE) % VOCABULARY_PAGE;
	memset(buf_reserve(file, rest), 0, rest);
	file->len += rest;
	free(table.ptr);
}

static void
add_header(struct buf *file, const struct ranks *ranks, const struct token_map *map)
{
	const struct encoding *encoding = encodings;
	struct vocabulary_header *header;

	while (strcmp(encoding->name, ranks->name) != 0)
		if (++encoding == encodings + sizeof(encodings) / sizeof(*encodings))
			diag_die(STATUS_DATA, "unknown encoding '%s'", ranks->name);
	header = memset(buf_reserve(file, VOCABULARY_PAGE), 0, VOCABULARY_PAGE);
	file->len = VOCABULARY_PAGE;
	memcpy(header->magic, VOCABULARY_MAGIC, sizeof(header->magic));
	header->format = htole32(VOCABULARY_FORMAT);
	header->endian = htole32(VOCABULARY_ENDIAN);
	memcpy(header->encoding, ranks->name, sizeof(header->encoding));
	memcpy(header->unicode, UNICODE_TABLE_VERSION, sizeof(UNICODE_TABLE_VERSION));
	memcpy(header->source_sha256, encoding->sha256, sizeof(header->source_sha256));
	header->pattern = htole32(encoding->pattern);
	header->token_count = htole32((uint32_t)ranks->count);
	header->token_cap = htole32(token_cap(ranks));
	for (unsigned i = 0; i < 256; i++) {
		char byte = (char)i;
		uint32_t token = token_map_find(map, str_of(&byte, 1));

		header->byte_tokens[i] = htole32(token);
		if (token == VOCABULARY_NONE)
			diag_die(STATUS_DATA, "%s: no token for byte %u", ranks->name, i);
	}
}

static void
compile(const char *from, const char *to)
{
	struct ranks ranks = RANKS_INIT;
	struct buf file = BUF_INIT;
	struct token_map map;
	struct pair_tables tables;
	struct vocabulary_header *header;
	struct front_tables front;
	struct trie_tables trie;
	struct table wide;
	uint32_t *order;

	read_packed(from, &ranks);
	token_map_init(&map, &ranks);
	if (!pair_tables_make(&tables, &map))
		diag_die(STATUS_DATA, "%s: a token that merging never makes", from);
	order = ranks_by_use(&ranks);
	front_tables_make(&front, &ranks, order);
	trie_make(&trie, &ranks, order);
	wide = wide_table_make(&trie);
	add_header(&file, &ranks, &map);
	add_section(&file, VOCABULARY_FRONT_TINY, front.tinies, 8);
	add_section(&file, VOCABULARY_FRONT_SHORT, front.shorts, 8);
	add_section(&file, VOCABULARY_SPLITS, tables.splits, 8);
	add_section(&file, VOCABULARY_TOKENS, prefix_table_make(&map), 4);
	add_section(&file, VOCABULARY_BYTE_PAIRS, tables.byte_pairs, 4);
	add_section(&file, VOCABULARY_PAIRS, tables.pairs, 8);
	add_section(&file, VOCABULARY_PAIR_FILTER, tables.filter, 8);
	add_section(&file, VOCABULARY_TRIE, trie.cells, 4);
	add_section(&file, VOCABULARY_TRIE_TOKENS, trie.tokens, 4);
	add_section(&file, VOCABULARY_WIDE, wide, 8);
	add_section(&file, VOCABULARY_WIDE_PAIRS, wide_pairs_make(&ranks), 8);
	header = (struct vocabulary_header *)(void *)file.ptr;
	header->trie_root = htole32(trie.root);
	header->file_len = htole64(file.len);
	header->content_sum =
	    htole64(vocabulary_sum(file.ptr + VOCABULARY_PAGE, file.len - VOCABULARY_PAGE));
	header->header_sum = htole64(vocabulary_sum(file.ptr, VOCABULARY_PAGE));
	write_file(to, buf_str(&file));
	buf_free(&file);
	free(map.slots);
	free(order);
	ranks_free(&ranks);
}

int
main(int argc, char **argv)
{
	diag_init("ctx-vocabulary");
	if (argc == 5 && strcmp(argv[1], "pack") == 0)
		pack(argv[2], argv[3], argv[4]);
	else if (argc == 4 && strcmp(argv[1], "unpack") == 0)
		unpack(argv[2], argv[3]);
	else if (argc == 4 && strcmp(argv[1], "compile") == 0)
		compile(argv[2], argv[3]);
	else
		diag_die(STATUS_USAGE,
		    "usage: ctx-vocabulary pack NAME FILE.tiktoken FILE.ranks | "
		    "unpack FILE.ranks FILE.tiktoken | compile FILE.ranks FILE.vocab");
	return STATUS_OK;
}
