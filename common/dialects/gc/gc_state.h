#ifndef GC_GC_STATE_H
#define GC_GC_STATE_H

/* What is known of a file whose records may go (gc.h). */

#include "dialects/gc/gc_form.h"
#include "dialects/load/load_pass.h"

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
	struct hash old; /* its old parent */
	uint8_t old_type;
};

/* A compaction in the chain. */
struct gc_summary {
	uint32_t node;
	struct hash keeps; /* the key of the first record that it keeps */
};

struct gc {
	const struct gc_form *form;
	struct load_pass pass;
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
};

#endif
