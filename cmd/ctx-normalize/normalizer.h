#ifndef CTX_NORMALIZE_NORMALIZER_H
#define CTX_NORMALIZE_NORMALIZER_H

/*
 * One run of ctx-normalize: a reader makes canonical records of the input, the repair puts them in
 * order, a writer says them in the output's dialect.
 *
 *     line -> chat or claude_code -> repair -> pass, openai_write or anthropic_write
 *              (read)                          (put)
 */

#include "dialects/anthropic_write.h"
#include "dialects/chat.h"
#include "dialects/claude_code.h"
#include "dialects/detect.h"
#include "face/filter.h"
#include "policy/normalize/repair.h"

struct options {
	struct common_options common;
	int from;
	int to;
	bool check;
	bool all;
};

struct normalizer {
	const struct options *options;
	struct filter filter;
	enum dialect from; /* DIALECT_AUTO until a record tells */
	enum dialect to;
	struct chat chat;
	struct claude_code claude_code;
	struct repair repair;
	struct anthropic_writer anthropic;
	struct buf text;
	struct buf prompt; /* the last message that a context record became */
	struct buf next_prompt;  /* what the last context record would become, */
	struct line prompt_line; /* where it stood, */
	bool prompt_waits;       /* and whether it waits for the message behind it */
	bool is_source;    /* the repair was given the filter's record, not one that a reader made */
	bool converts;     /* a record came in another dialect */
	bool is_noted;     /* that was said */
	uint64_t found[VIOLATION_COUNT];
	uint64_t left_out; /* records that the output's dialect has no place for */
};

/* Takes the filter's record. */
void normalizer_read(struct normalizer *n);

/* A record that a reader made: for struct sink. */
void normalizer_take(void *context, const struct line *line, bool is_bad);

/* Takes the prompt that waits as a message, unless the last one was the same. */
void normalizer_take_prompt(struct normalizer *n);

/* Writes what the repair puts: for struct repair_sink. */
void normalizer_put(void *context, const struct repair_record *record);

/* Writes a record in the output's dialect: for the writer. */
void normalizer_put_text(void *context, struct str text);

/* Counts a violation, and says it with --check: for struct repair_sink. */
void normalizer_found(void *context, enum violation violation, const char *file, size_t line,
    struct str subject);

/* The record is of another dialect, which --check says once. */
void normalizer_found_dialect(struct normalizer *n);

#endif
