/* An output writes the bytes that it was given, though the owner of their block drops it before. */

#include "stream/output.h"

#include <unistd.h>

#include "unit.h"

static struct block *
make(const char *text)
{
	struct block *block = block_new(strlen(text));

	memcpy(block->bytes, text, strlen(text));
	return block;
}

int
main(void)
{
	struct fault fault = FAULT_INIT;
	struct block *first = make("It is low water.\n"), *second = make("It rises.\n");
	struct output out;
	char read_back[64];
	int ends[2];
	ssize_t len;

	CHECK(pipe(ends) == 0);
	output_init(&out, ends[1], "a pipe", &fault);
	output_keep(&out, str_of(first->bytes, first->cap), first);
	output_keep(&out, str_of(second->bytes, 3), second);
	output_keep(&out, str_of(second->bytes + 3, second->cap - 3), second);
	CHECK(first->users == 2 && second->users > 1);
	block_drop(first);
	output_flush(&out);
	len = read(ends[0], read_back, sizeof read_back);
	CHECK_STR(str_of(read_back, (size_t)(len > 0 ? len : 0)), "It is low water.\nIt rises.\n");
	CHECK(second->users == 1);
	output_keep(&out, str_of(second->bytes, second->cap), second);
	output_free(&out); /* without a flush */
	CHECK(second->users == 1 && !fault_is_set(&fault));
	block_drop(second);
	close(ends[0]);
	close(ends[1]);
	return unit_end();
}
