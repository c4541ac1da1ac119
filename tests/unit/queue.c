/* Held records: their order, their fates, and what becomes of their bytes and of the array. */

#include "data/queue.h"

#include "base/mem.h"

#include "json_padded.h"
#include "unit.h"

/* The end of the chain: one character for each record, and a block that came with it. */
struct sink {
	struct stage stage;
	struct buf seen;
	unsigned by_reference;
};

static struct fault fault;
static struct sink sink;
static struct stage holder = {.next = &sink.stage, .fault = &fault};

static void
sink_take(struct stage *stage, struct record *record)
{
	(void)stage;
	buf_add_str(&sink.seen, record->line.text);
	sink.by_reference += record->block != NULL;
	record->block = NULL; /* the holder still has its own */
}

/* Checks what the sink has seen since the last time. */
static void
saw(const char *expected)
{
	CHECK_STR(sink.seen, expected);
	buf_reset(&sink.seen);
}

/* A record of one character, whose bytes are gone when its stage has taken it. */
static struct record
record_of(char text)
{
	static char line[1 + JSON_PADDING];

	line[0] = text;
	return (struct record){
	    .kind = RECORD_FOREIGN, .line = {.raw = str_of(line, 1), .text = str_of(line, 1)}};
}

static void *
add(struct queue *queue, char text, enum fate fate)
{
	struct record record = record_of(text);

	return queue_add(queue, &record, fate);
}

static void
pass(struct queue *queue, char text, enum fate fate)
{
	struct record record = record_of(text);

	queue_pass(queue, &holder, &record, fate);
}

static void
test_front(void)
{
	struct queue queue = QUEUE_OF(struct queue_item);

	CHECK(queue_is_empty(&queue) && !queue_emit_first(&queue, &holder));
	add(&queue, 'a', FATE_FINAL);
	add(&queue, 'b', FATE_GONE);
	add(&queue, 'c', FATE_OPEN);
	add(&queue, 'd', FATE_FINAL);
	add(&queue, 'e', FATE_OPEN);
	CHECK(!queue_is_empty(&queue) && queue.first == 0 && queue.end == 5);
	queue_emit(&queue, &holder);
	saw("a");
	CHECK(queue.first == 2 && !queue_emit_first(&queue, &holder));
	queue_decide(&queue, 4, FATE_GONE);
	queue_emit(&queue, &holder);
	saw("");
	queue_decide(&queue, 2, FATE_FINAL);
	CHECK(queue_emit_first(&queue, &holder));
	saw("c");
	queue_emit(&queue, &holder);
	saw("d");
	CHECK(queue_is_empty(&queue));
	CHECK(sink.by_reference == 3);
	add(&queue, 'f', FATE_FINAL);
	CHECK(queue.first == 5 && queue.end == 6); /* numbers go on */
	queue_free(&queue);
	CHECK(queue_is_empty(&queue) && queue.item == NULL);
	saw("");
}

static void
test_pass(void)
{
	struct queue queue = QUEUE_OF(struct queue_item);

	sink.by_reference = 0;
	pass(&queue, 'a', FATE_FINAL);
	pass(&queue, 'b', FATE_GONE);
	CHECK(queue_is_empty(&queue) && sink.by_reference == 0);
	saw("a");
	pass(&queue, 'c', FATE_OPEN);
	pass(&queue, 'd', FATE_GONE);
	pass(&queue, 'e', FATE_FINAL);
	CHECK(queue.end == 2);
	saw("");
	queue_decide(&queue, 0, FATE_FINAL);
	queue_emit(&queue, &holder);
	saw("ce");
	queue_free(&queue);
}

/* The bytes of a record live in its block until it leaves. */
static void
test_blocks(void)
{
	struct queue queue = QUEUE_OF(struct queue_item);
	struct block *block = block_new(8);
	struct record record = record_of('a');

	record.block = block;
	queue_add(&queue, &record, FATE_FINAL);
	queue_add(&queue, &record, FATE_GONE);
	queue_add(&queue, &record, FATE_OPEN);
	CHECK(block->users == 4);
	queue_emit(&queue, &holder);
	CHECK(block->users == 2);
	queue_free(&queue);
	CHECK(block->users == 1);
	block_drop(block);
	saw("a");
}

static void
test_fault(void)
{
	struct queue queue = QUEUE_OF(struct queue_item);

	add(&queue, 'a', FATE_FINAL);
	fault_set(&fault, STATUS_IO, "no place");
	queue_emit(&queue, &holder);
	CHECK(queue_is_empty(&queue));
	saw("");
	queue_free(&queue);
	fault_free(&fault);
}

/* An item of a stage, which knows more. */
struct step {
	struct queue_item held;
	uint64_t twice; /* the number of the record, twice */
};

/* One record leaves for each that comes, while some are always held. */
static void
test_stream(void)
{
	enum { HELD = 100, MANY = 100000 };
	struct queue queue = QUEUE_OF(struct step);
	size_t moved = 0;

	for (size_t i = 0; i < MANY; i++) {
		size_t start = queue.start;
		struct step *step = add(&queue, (char)('a' + i % 26), FATE_OPEN);

		CHECK(step->twice == 0);
		step->twice = 2 * i;
		if (queue.start != start)
			moved += queue.end - queue.first;
		if (i < HELD)
			continue;
		step = queue_at(&queue, i - HELD);
		CHECK(step->twice == 2 * queue.first && queue.first == i - HELD);
		queue_decide(&queue, queue.first, FATE_FINAL);
		CHECK(queue_emit_first(&queue, &holder));
		CHECK(sink.seen.len == 1 && sink.seen.ptr[0] == (char)('a' + (i - HELD) % 26));
		buf_reset(&sink.seen);
	}
	CHECK(queue.cap <= 3 * HELD);
	CHECK(moved > 0 && moved <= MANY); /* each record is moved once for one that has left */
	queue_free(&queue);
}

static void
add_many(struct queue *queue, int count)
{
	while (count-- > 0)
		add(queue, 'x', FATE_OPEN);
}

static void
drop_many(struct queue *queue, int count)
{
	while (count-- > 0) {
		queue_decide(queue, queue->first, FATE_GONE);
		queue_emit_first(queue, &holder);
	}
}

/* Where half has left, the array is used again; where more is held, it grows. */
static void
test_room(void)
{
	struct queue queue = QUEUE_OF(struct queue_item);

	add_many(&queue, 1);
	CHECK(queue.cap == 1);
	drop_many(&queue, 1);
	CHECK(queue.cap == 1 && queue.item != NULL && queue.start == 1);
	add_many(&queue, 4);
	CHECK(queue.cap == 4 && queue.start == 1);
	drop_many(&queue, 1);
	add_many(&queue, 1);
	CHECK(queue.cap == 7 && queue.start == 1); /* one had left, three were held */
	drop_many(&queue, 3);
	add_many(&queue, 2);
	CHECK(queue.cap == 7 && queue.end - queue.start == 7); /* four have left, */
	add_many(&queue, 1);
	CHECK(queue.cap == 7 && queue.start == 5 && queue.first == 5); /* three were held */
	add_many(&queue, 3);
	drop_many(&queue, 7);
	CHECK(queue.cap == 7 && queue.item != NULL && queue.start == 12);
	queue_free(&queue);
	CHECK(queue.cap == 0 && queue.item == NULL);
	add_many(&queue, 4);
	drop_many(&queue, 2);
	add_many(&queue, 1);
	CHECK(queue.cap == 4 && queue.start == 14); /* two had left, and two were held */
	queue_free(&queue);
}

/* An empty queue keeps an array of 4 KiB at most. */
static void
test_kept_room(void)
{
	struct queue queue = {.size = 256};

	queue.item = mem_alloc(16, queue.size);
	queue.cap = 16;
	add_many(&queue, 16);
	drop_many(&queue, 16);
	CHECK(queue.cap == 16 && queue.item != NULL);
	add_many(&queue, 17);
	CHECK(queue.cap == 25);
	drop_many(&queue, 17);
	CHECK(queue.cap == 0 && queue.item == NULL);
}

/* Adds a message, as a record of the letter of its number. */
static void
add_message(struct queue *queue, struct walk *walk, const char *text, enum fate fate)
{
	struct verdict verdict;
	struct message message;

	message_parse(&message, padded(text));
	walk_add(walk, &message, &verdict);
	add(queue, (char)('a' + queue->end), fate);
	queue_join(queue, queue->end - 1, walk, &verdict);
}

/* The messages of a group have one fate, those that come later as well. */
static void
test_groups(void)
{
	static const char *const lines[] = {"{\"role\":\"user\",\"content\":\"a\"}",
	    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"1\"},{\"id\":\"2\"}]}",
	    "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"3\"}]}",
	    "{\"role\":\"tool\",\"tool_call_id\":\"2\",\"content\":\"b\"}",
	    "{\"role\":\"tool\",\"tool_call_id\":\"3\",\"content\":\"c\"}",
	    "{\"role\":\"tool\",\"tool_call_id\":\"1\",\"content\":\"d\"}",
	    "{\"role\":\"tool\",\"tool_call_id\":\"4\",\"content\":\"e\"}"};
	enum { LINES = sizeof lines / sizeof *lines };
	struct queue queue = QUEUE_OF(struct queue_item);
	struct walk walk;

	walk_init(&walk);
	for (int i = 0; i < LINES; i++) {
		/* A result's own fate does not matter where it has a group. */
		add_message(&queue, &walk, lines[i], i > 2 && i < 6 ? FATE_OPEN : FATE_GONE);
		if (i == 3)
			queue_decide(&queue, 3, FATE_FINAL);
	}
	queue_decide(&queue, 6, FATE_FINAL);
	queue_emit(&queue, &holder);
	saw("bdfg");
	add_message(&queue, &walk, lines[2], FATE_GONE);
	add_message(&queue, &walk, lines[4], FATE_GONE);
	queue_emit(&queue, &holder);
	add(&queue, 'x', FATE_FINAL); /* in the same places, without a group */
	add(&queue, 'y', FATE_GONE);
	queue_emit(&queue, &holder);
	saw("x");
	walk_free(&walk);
	queue_free(&queue);
}

int
main(void)
{
	sink.stage = (struct stage){.take = sink_take};
	message_init();
	test_front();
	test_pass();
	test_blocks();
	test_fault();
	test_stream();
	test_room();
	test_kept_room();
	test_groups();
	buf_free(&sink.seen);
	arena_free(&padded_arena);
	return unit_end();
}
