#ifndef CTX_DIFF_AGAINST_H
#define CTX_DIFF_AGAINST_H

/*
 * Finds out why a provider's cache missed: two requests or logs are compared in the order in which
 * a cache reads them, up to the first part that differs.
 *
 *     model | tools | answer's format | system prompt | tool_choice, thinking | message 1 | 2 | ...
 *     ------------- shared ------------>| differs
 *
 * This is Anthropic's order (platform.claude.com, "Prompt caching"). OpenAI says only that the
 * format is before the system message and that tools are cached; the same order is assumed for
 * OpenAI. tool_choice and thinking of Anthropic affect only the cache of the messages.
 *
 * Both inputs are read once, side by side. In a log, the newest context record counts, so both are
 * read to their ends. Memory holds whole bodies, or one record and one context record of a log.
 */

#include "face/run.h"
#include "policy/diff/prefix.h"
#include "side.h"

enum { AGAINST_MESSAGE = HEAD_COUNT };

/* The first part that differs. */
struct against_place {
	unsigned part;   /* enum side_head, or AGAINST_MESSAGE */
	uint64_t number; /* of the tool, block or message, from 1 */
	/* of tools or system: the part is a list, and number is the element in it */
	bool is_element;
	struct buf label; /* the role of the message, or the name of the tool; may be empty */
	enum prefix_change change;
	struct buf member;  /* of the message: the member that differs, or empty */
	uint32_t element;   /* of the member, from 1; 0: the member is no list */
	struct buf pointer; /* JSON pointer in the body, or in the record of a log */
	/* in the text at pointer, from 1; 0: the difference is not in a text */
	uint64_t character;
	size_t was_line, now_line; /* of a log; 0: there is none */
	struct buf was, now;       /* excerpts; empty if that side has nothing */
};

struct against {
	char *path;           /* of the earlier request */
	struct source source; /* the same */
	struct side was, now;
	struct estimator *estimator;
	bool differs;
	struct against_place place;
	uint64_t was_tokens, now_tokens, shared; /* shared is part of both */
	struct prefix_difference difference;
	struct fault *fault;
};

/* Opens the earlier request at path; the later request is the input of the run. Sets the fault of
 * the run, with status 66, when the earlier one cannot be read. */
void against_open(
    struct against *against, const char *path, struct run *run, struct estimator *estimator);

/* Reads and compares both. */
void against_compare(struct against *against);

/* Whether both sides have something to compare: a body, messages, or a context. An empty input is
 * an empty log; an input of bad lines or foreign records is no log. */
bool against_is_known(const struct against *against);

void against_free(struct against *against);

#endif
