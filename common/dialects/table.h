#ifndef DIALECTS_TABLE_H
#define DIALECTS_TABLE_H

/*
 * The dialects, in the order in which options list them. Each has one row here, and the file NAME.c
 * defines the struct dialect that the row names.
 */

/* A line a row: tests read it. */
/* clang-format off */
#define DIALECT_TABLE(row) \
	row(auto_dialect) \
	row(ctx_dialect) \
	row(openai_dialect) \
	row(anthropic_dialect) \
	row(sharegpt_dialect) \
	row(claude_code_dialect) \
	row(instructor_dialect)
/* clang-format on */

struct dialect;
#define DIALECT_DECLARE(name) extern const struct dialect name;
DIALECT_TABLE(DIALECT_DECLARE)
#undef DIALECT_DECLARE

#endif
