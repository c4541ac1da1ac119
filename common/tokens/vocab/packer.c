#include "tokens/vocab/packer.h"

#include <stdlib.h>

#include "base/mem.h"

#define CONTEXT_COUNT 6
#define SLOT_BITS 20
#define GROUP 16        /* slots of a nibble: 1 to 15 by its bits so far, 0 says "the end" */
#define MIXER_COUNT 784 /* 16 for the end flag by length, 3 x 256 for bits by place */
#define CONFIDENCE_MAX 5
#define PROBABILITY_ONE 4096

struct packer {
	/* A slot is a probability of 12 bits and how often it was right or wrong, up to a limit. */
	uint16_t slots[CONTEXT_COUNT][1 << SLOT_BITS];
	int weights[MIXER_COUNT][CONTEXT_COUNT + 1];
	int stretch[PROBABILITY_ONE];
	uint32_t hashes[CONTEXT_COUNT];
	uint16_t *groups[CONTEXT_COUNT];
	uint32_t low, high, code;
	struct str in;
	struct buf *out;
};

/* 4096 / (1 + exp(-x / 256)) for x = -2048, -1920 ... 2048. */
static const int squash_points[33] = {1, 2, 4, 6, 10, 17, 27, 45, 74, 120, 194, 311, 488, 747, 1102,
    1546, 2048, 2550, 2994, 3349, 3608, 3785, 3902, 3976, 4022, 4051, 4069, 4079, 4086, 4090, 4092,
    4094, 4095};

static int
squash(int x)
{
	int place, rest;

	if (x >= 2047)
		return PROBABILITY_ONE - 1;
	if (x <= -2047)
		return 1;
	place = (x + 2048) >> 7;
	rest = (x + 2048) & 127;
	return (squash_points[place] * (128 - rest) + squash_points[place + 1] * rest + 64) >> 7;
}

static uint8_t
next_byte(struct packer *packer)
{
	if (packer->in.len == 0)
		return 0;
	packer->in.len--;
	return (uint8_t)*packer->in.ptr++;
}

struct packer *
packer_open(struct str in, struct buf *out)
{
	struct packer *packer = mem_alloc(1, sizeof(*packer));

	for (size_t i = 0; i < CONTEXT_COUNT; i++)
		for (size_t j = 0; j < 1 << SLOT_BITS; j++)
			packer->slots[i][j] = PROBABILITY_ONE / 2 << 4;
	for (size_t i = 0; i < MIXER_COUNT; i++)
		for (size_t j = 0; j <= CONTEXT_COUNT; j++)
			packer->weights[i][j] = j < CONTEXT_COUNT ? 24000 : 0;
	for (int x = -2047, p = 0; p < PROBABILITY_ONE; p++) {
		while (x < 2047 && squash(x) < p)
			x++;
		packer->stretch[p] = x;
	}
	packer->low = 0;
	packer->high = UINT32_MAX;
	packer->in = in;
	packer->out = out;
	packer->code = 0;
	for (int i = 0; out == NULL && i < 4; i++)
		packer->code = packer->code << 8 | next_byte(packer);
	return packer;
}

/* Narrows [low, high] to the part of the bit, and takes or gives the bytes that are certain. */
static bool
arithmetic(struct packer *packer, bool bit, int probability)
{
	uint32_t range = packer->high - packer->low;
	uint32_t middle = packer->low + (range >> 12) * (uint32_t)probability;

	if (packer->out == NULL)
		bit = packer->code <= middle;
	if (bit)
		packer->high = middle;
	else
		packer->low = middle + 1;
	while ((packer->low ^ packer->high) >> 24 == 0) {
		if (packer->out != NULL)
			buf_add_char(packer->out, (char)(packer->high >> 24));
		else
			packer->code = packer->code << 8 | next_byte(packer);
		packer->low <<= 8;
		packer->high = packer->high << 8 | 255;
	}
	return bit;
}

static void
learn(uint16_t *slot, bool bit)
{
	static const int rates[CONFIDENCE_MAX + 1] = {40960, 25206, 18204, 14247, 11703, 9930};
	int probability = *slot >> 4, confidence = *slot & 15;

	probability += ((bit ? PROBABILITY_ONE - 1 : 0) - probability) * rates[confidence] / 65536;
	if (confidence < CONFIDENCE_MAX)
		confidence++;
	*slot = (uint16_t)(probability << 4 | confidence);
}

/* Codes one bit, predicted by slot node of the groups and by one mixer. */
static bool
code_bit(struct packer *packer, bool bit, unsigned node, unsigned mixer)
{
	int inputs[CONTEXT_COUNT + 1], *weights = packer->weights[mixer], probability, error;
	int64_t sum;

	inputs[CONTEXT_COUNT] = 256;
	sum = (int64_t)256 * weights[CONTEXT_COUNT];
	for (size_t i = 0; i < CONTEXT_COUNT; i++) {
		int slot = packer->groups[i][node];

		inputs[i] = packer->stretch[slot >> 4] * ((slot & 15) + 2) / 8;
		sum += (int64_t)inputs[i] * weights[i];
	}
	sum = sum / 65536;
	probability = squash(sum > 2047 ? 2047 : sum < -2047 ? -2047 : (int)sum);
	bit = arithmetic(packer, bit, probability);
	error = ((bit ? PROBABILITY_ONE : 0) - probability) * 6;
	for (size_t i = 0; i <= CONTEXT_COUNT; i++)
		weights[i] += inputs[i] * error / 4096;
	for (size_t i = 0; i < CONTEXT_COUNT; i++)
		learn(&packer->groups[i][node], bit);
	return bit;
}

static void
choose_groups(struct packer *packer, uint32_t nibble)
{
	for (size_t i = 0; i < CONTEXT_COUNT; i++) {
		uint32_t hash = (packer->hashes[i] + nibble * 0x9e3779b1u) * 0x85ebca6bu;

		hash = (hash ^ hash >> 15) * 0xc2b2ae35u;
		packer->groups[i] = &packer->slots[i][(hash >> (32 - SLOT_BITS)) & ~(GROUP - 1u)];
	}
}

/* What is known before byte i: the last two, three, four bytes, all of them, and by length. */
static void
choose_contexts(struct packer *packer, const uint8_t *ptr, size_t i, uint32_t *all)
{
	uint32_t last = 0, place = (uint32_t)(i > 20 ? 20 : i) << 24;

	for (size_t j = i < 4 ? 0 : i - 4; j < i; j++)
		last = last << 8 | ptr[j];
	if (i > 0)
		*all = (*all + ptr[i - 1] + 1) * 0x9e3779b1u;
	*all ^= *all >> 13;
	packer->hashes[0] = 0x30000000u + (last & 0xffff) * 3;
	packer->hashes[1] = 0x50000000u ^ (last & 0xffffff) * 7;
	packer->hashes[2] = last * 0x2f0b4c47u + 0x77;
	packer->hashes[3] = *all * 0x3d4d51cbu + 99;
	packer->hashes[4] = (last & 0xff) * 0x10001u + place * 3 + 5;
	packer->hashes[5] = ((last & 0xffff) * 77 + place + (i > 0 ? ptr[0] : 0)) * 0x97654321u;
}

static uint8_t
code_byte(struct packer *packer, uint8_t byte, size_t i)
{
	unsigned mixer = 16 + 256 * (unsigned)(i > 2 ? 2 : i), node = 1;

	for (int shift = 7; shift >= 0; shift--) {
		bool bit = byte >> shift & 1;
		unsigned low =
		    node < 16 ? node : (node & ((1u << (3 - shift)) - 1)) | 1u << (3 - shift);

		if (shift == 3)
			choose_groups(packer, node);
		node = node << 1 | code_bit(packer, bit, low, mixer + node);
	}
	return (uint8_t)node;
}

bool
packer_string(struct packer *packer, uint8_t *ptr, size_t *len, size_t cap)
{
	uint32_t all = 0;

	for (size_t i = 0;; i++) {
		choose_contexts(packer, ptr, i, &all);
		choose_groups(packer, 0);
		if (i > 0 && code_bit(packer, i == *len, 0, i > 15 ? 15 : (unsigned)i)) {
			*len = i;
			return true;
		}
		if (i == cap)
			return false;
		ptr[i] = code_byte(packer, ptr[i], i);
	}
}

void
packer_close(struct packer *packer)
{
	for (int shift = 24; packer->out != NULL && shift >= 0; shift -= 8)
		buf_add_char(packer->out, (char)(packer->high >> shift));
	free(packer);
}
