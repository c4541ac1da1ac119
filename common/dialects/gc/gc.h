#ifndef GC_GC_H
#define GC_GC_H

/*
 * Finds in the file of a session what its agent does not load (gc_form.h), in two passes:
 *
 *     gc_take, for each line of the file; gc_end      judges the records, as --check does
 *     gc_cause_of and gc_edit, for each line again    what goes, and how the others are edited
 *
 * What the agent loads is what dialects/load says. A record whose parent goes follows what the
 * parent followed. The chain is then walked again without what goes: if it begins elsewhere or
 * reaches other records, what is in it stays. So it does where the agent misses messages that the
 * reader finds, since the file may still be mended (load_mend.h).
 *
 * The texts of records are not held, except by the reader of the format. Time is that of
 * dialects/load.
 */

#include "dialects/gc/gc_form.h"
#include "dialects/load/load.h"
#include "json/edit.h"

/* Why a record goes. */
enum gc_cause {
	GC_STAYS,
	GC_BRANCH,    /* the user left it */
	GC_COMPACTED, /* a compaction took it out */
	GC_ROW,       /* the first row of the form */
	GC_CAUSES = GC_ROW + GC_ROWS,
	GC_MAY = 128, /* until gc_end: it goes if it is not loaded */
};

/* A record that follows another one than it says. */
struct gc_link {
	size_t line;
	uint32_t node;
	uint32_t via;    /* the node whose parent it gets */
	struct hash old; /* what it followed */
	uint8_t old_type;
};

/* A compaction in the chain. */
struct gc_summary {
	uint32_t node;
	struct hash keeps; /* the key of the first record that it keeps */
};

struct gc {
	const struct gc_form *form;
	struct load load;
	struct stage last;
	struct dialect_stage *reader;
	struct dialect_reading reading;
	struct tally skipped, sealed;
	struct buf verdict;   /* of each line, from 0: enum gc_cause */
	struct gc_link *link; /* by line */
	uint32_t links, link_cap;
	struct gc_summary *summary;
	uint32_t summaries, summary_cap;
	struct buf suffices; /* nodes, uint32_t each */
	size_t compacted;    /* without a chain: the line of the last compaction, or 0 */
	uint64_t missed;     /* messages that the agent does not load by a fault */
	struct member_tree tree;
	struct conditions row[GC_ROWS], talk, compacts, revives, summarizes, enough, copied;
	struct fault *fault;
};

/* fault must live as long as gc. */
void gc_init(struct gc *gc, const struct gc_form *form, struct fault *fault);

/* Takes the next line of the file, which may be bad or blank, with JSON_PADDING behind it. */
void gc_take(struct gc *gc, const struct line *line);

/* Call after the last line. */
void gc_end(struct gc *gc);

/* Why the record of the line goes, or GC_STAYS. */
enum gc_cause gc_cause_of(const struct gc *gc, size_t line);

/* The cause in words. */
const char *gc_cause_name(const struct gc *gc, enum gc_cause cause);

/* Notes the edits of a record that stays. Sets *copies to the bytes of copies that go. */
void gc_edit(
    struct gc *gc, size_t line, struct json_value value, struct json_edit *edit, uint64_t *copies);

void gc_free(struct gc *gc);

#endif
