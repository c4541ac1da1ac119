#ifndef CTX_SHOW_STEPS_H
#define CTX_SHOW_STEPS_H

/*
 * The stage that shows records: each is a step, of which all is told that is known when it comes,
 * and a list or whole messages are made of it.
 *
 *     reading -> steps -> step -> list | whole
 */

#include "policy/words/calls.h"
#include "reading.h"
#include "face/terminal/screen.h"

/* What is said of a message in words, as bits. */
enum step_mark {
	MARK_PINNED = 1,
	MARK_CRITICAL = 2,
	MARK_PROTECTED = 4,  /* compaction leaves it for another reason */
	MARK_UNRESOLVED = 8, /* a failure that matters still */
	MARK_MENDED = 16,    /* one that a later call made good */
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
	const struct message *message; /* of a message, and of no bad line */
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

/* Whether the tokens of the record are counted: those of a message that is forgotten are not. */
static inline bool
step_has_tokens(const struct step *step)
{
	return step->verdict != NULL || step->kind == RECORD_CONTEXT;
}

/* What the record is, in a word: the role of a message, "error", or the kind of an artifact or of
 * another record. */
void step_add_role(const struct step *step, struct buf *buf);

/* Appends the marks in words, each with the joint behind it. */
void step_add_marks(const struct step *step, struct str joint, struct buf *buf);

/* Appends what begins with the message, on a message that has a verdict: a turn behind the first,
 * an execution that has an id; or nothing. *turn is that of the message before, and becomes its. */
void step_add_turn(const struct step *step, uint32_t *turn, struct str joint, struct buf *buf);

/* Whether it is a sub-agent's, or of what runs within an execution. */
bool step_is_inner(const struct step *step);

/* The messages that the artifact of a compaction stands for; 0 where the step is none. */
uint64_t step_dropped(const struct step *step);

/* Appends how many they are, and the command that puts them back into the log, which may be NULL,
 * where the artifact names an archive. Returns false, and appends nothing, where there are none. */
bool step_add_compaction(const struct step *step, const char *log, struct buf *out);

void steps_free(struct steps *steps);

#endif
