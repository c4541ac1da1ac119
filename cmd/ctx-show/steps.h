#ifndef CTX_SHOW_STEPS_H
#define CTX_SHOW_STEPS_H

/*
 * The stage that shows records: each becomes a step, with everything known when it is read. Lists
 * and whole messages are made of steps.
 *
 *     reading -> steps -> step -> list | whole
 */

#include "policy/words/calls.h"
#include "reading.h"

/* Marks of a message that are shown in words, as bits. */
enum step_mark {
	MARK_PINNED = 1,
	MARK_CRITICAL = 2,
	MARK_PROTECTED = 4,  /* compaction keeps it for another reason */
	MARK_UNRESOLVED = 8, /* a failure that is not resolved */
	MARK_MENDED = 16,    /* a failure that a later call resolved */
	MARK_REFUSED = 32,   /* by the user */
	MARK_COMPACTED = 64,
	MARK_INJECTED = 128,
	MARK_FORGOTTEN = 256,
};

struct step {
	uint64_t number; /* data/line_number.h; 0: none */
	const char *file;
	unsigned file_index; /* how many files were before */
	enum record_kind kind;
	struct str text;               /* the record */
	const struct message *message; /* NULL for a bad line and for no message */
	const struct verdict *verdict; /* of a message that is not forgotten; or NULL */
	const struct walk *walk;
	const struct calls *calls;
	const struct reading_record *known;
	uint64_t tokens;
	unsigned marks;
	bool has_failed; /* a result */
	bool is_last;    /* the record has no line end */
	int64_t time;    /* milliseconds since 1970, or -1 */
};

struct steps {
	struct stage stage;
	const struct reading_record *known;
	struct estimator *estimator;
	struct walk walk;
	struct calls calls;
	const char *file; /* of the last step, */
	unsigned file_index;
	void (*show)(void *context, const struct step *step);
	void *context;
};

void steps_init(struct steps *steps, const struct reading_record *known,
    struct estimator *estimator, void (*show)(void *context, const struct step *step),
    void *context);

/* Whether the tokens of the record are counted: not those of a forgotten message. */
static inline bool
step_has_tokens(const struct step *step)
{
	return step->verdict != NULL || step->kind == RECORD_CONTEXT;
}

/* Appends the kind of the record in a word: the role of a message, "error", or the kind of an
 * artifact or of another record. */
void step_add_role(const struct step *step, struct buf *buf);

/* Appends the marks in words, each with the joint after it. */
void step_add_marks(const struct step *step, struct str joint, struct buf *buf);

/* If a turn after the first one or an execution with an id begins with the message, appends its
 * name. Appends nothing without a verdict. *turn is the turn of the message before, and is set to
 * the turn of this one. */
void step_add_turn(const struct step *step, uint32_t *turn, struct str joint, struct buf *buf);

/* Whether the message is a sub-agent's, or of a nested execution. */
bool step_is_inner(const struct step *step);

/* The number of messages that the artifact of a compaction replaces; 0 if the step is no
 * artifact. */
uint64_t step_dropped(const struct step *step);

/* Appends the number of replaced messages, and, if the artifact names an archive, the command that
 * restores them into the log, which may be NULL. Returns false, and appends nothing, if there are
 * none. */
bool step_add_compaction(const struct step *step, const char *log, struct buf *out);

void steps_free(struct steps *steps);

#endif
