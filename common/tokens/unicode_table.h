#ifndef TOKENS_UNICODE_TABLE_H
#define TOKENS_UNICODE_TABLE_H

/*
 * The classes of code points that the tokenizers use, by Unicode 16.0: the version of the published
 * tokenizer (npm tiktoken 1.0.22). The classes are disjoint.
 *
 *     code point   0000 0000 0011 0000 0011 1010
 *                  `--- block ---'   `- entry -'
 *                          |              |
 *     unicode_blocks [block] = n          |
 *     unicode_classes[n]     [entry / 2]  four bits each
 *
 * unicode_table.mjs writes the table.
 */

#include <stdint.h>

enum unicode_class {
	UNICODE_OTHER,
	UNICODE_UPPER,      /* Lu, Lt */
	UNICODE_LOWER,      /* Ll */
	UNICODE_LETTER,     /* Lm, Lo: letters without case */
	UNICODE_MARK,       /* M */
	UNICODE_NUMBER,     /* N */
	UNICODE_BLANK,      /* White_Space but CR and LF */
	UNICODE_LINE_BREAK, /* CR, LF */
};

#define UNICODE_TABLE_VERSION "16.0.0"
#define UNICODE_MAX 0x10ffffu

extern const uint8_t unicode_blocks[(UNICODE_MAX + 1) / 256];
extern const uint8_t unicode_classes[][128];

/* The class of a code point, which is at most UNICODE_MAX. */
static inline enum unicode_class
unicode_class_of(uint32_t code)
{
	uint8_t pair = unicode_classes[unicode_blocks[code >> 8]][(code & 0xff) >> 1];

	return (enum unicode_class)(code & 1 ? pair >> 4 : pair & 0xf);
}

#endif
