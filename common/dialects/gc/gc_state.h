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
};

/* Until gc_end, the verdict has these bits beside the cause; … */
enum {
	GC_CAUSE = 15,
	GC_SAYS = 16,  /* a message is made of it */
	GC_ASKS = 32,  /* it may begin a branch */
	GC_TAKES = 64, /* it takes all before it out of the context */
	GC_MAY = 128,  /* it goes if it is not loaded */
	/* … and after that: */
	GC_IS_VIA = 16, /* others get its parent */
};

/* A record that follows another one than it says. */
struct gc_link {
	size_t line, via;   /* via: the line of the record whose parent it gets */
	uint32_t node, old; /* old: its old parent */
	uint8_t old_type;
};

/* A record of the chain that names an id otherwise than as its parent. */
struct gc_name {
	uint32_t node, id;
};

/* The parent of a record that goes, for those that followed it. */
struct gc_said {
	size_t line, at; /* at: the offset of its text */
};

struct gc {
	const struct gc_form *form;
	struct load_pass pass;
	struct buf verdict;   /* of each line, from 0: enum gc_cause */
	struct gc_link *link; /* by line */
	uint32_t links, link_cap;
	struct gc_name *summary; /* compactions, with the first record that each keeps */
	uint32_t summaries, summary_cap;
	struct gc_name *resumed; /* records that resume, with what they follow */
	uint32_t resumes, resumed_cap;
	struct buf suffices;  /* nodes, uint32_t each */
	size_t compacted;     /* without a chain: the line of the last compaction, or 0 */
	bool is_retold;       /* the last record that took others out was no root */
	bool is_rooted;       /* a root came, and no record after it that retells */
	uint64_t messages;    /* records with messages of the conversation … */
	uint64_t missed;      /* … of which the agent does not load so many, by a fault */
	struct gc_said *said; /* by line */
	size_t saids, said_cap;
	struct buf parents; /* their texts */
	struct member_tree tree;
	struct conditions row[GC_ROWS], talk, compacts, revives, summarizes, enough, copied;
	struct conditions says, queues, asks, retells;
};

#endif
