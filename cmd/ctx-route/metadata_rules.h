#ifndef CTX_ROUTE_METADATA_RULES_H
#define CTX_ROUTE_METADATA_RULES_H

/*
 * The rules of --set and --where, as the stage before the routing: it edits the metadata of each
 * message to which a rule applies. A rule is a run of --set options with the run of --where options
 * after it, which are alternatives:
 *
 *     --set pinned=true --where id=m1 --where id=m2    --set a=1 --set b=2
 *     [ rule 1 ................................... ]    [ rule 2, for all ]
 *
 * All rules that hold apply; for one member, the last rule counts. Selectors match the messages as
 * they were read, each by itself. If all rules depend on the message alone, the stage holds
 * nothing. Other rules need a window (data/window.h), which holds a message until all rules are
 * decided.
 */

#include "assigned_value.h"
#include "data/window.h"
#include "face/options/options.h"
#include "policy/selection.h"

struct metadata_rule_set {
	struct assigned_value assignment;
	uint32_t rule;
	uint32_t member; /* the number of its key among all keys, in the order of the options */
};

struct metadata_rule {
	struct selection where; /* empty: all messages */
	bool holds;             /* for the message in hand */
};

struct metadata_rules {
	struct window window; /* first, so that it is a stage */
	struct metadata_rule *rule;
	uint32_t count, cap;
	struct metadata_rule_set *set;
	uint32_t set_count, set_cap;
	/* by member: the value that the message at hand gets, or NULL */
	const struct assigned_value **last;
	uint32_t members;
	bool needs_session;
	bool needs_tokens;
	bool recalls;      /* messages of the log are read, which stay as they are */
	bool sets_section; /* a rule sets the section of the last emitted message */
	struct json_edit edit;
	struct buf text;
};

/* Reads the options. Ends the program with status 64 when one is malformed or a --where comes
 * without a --set before it. */
void metadata_rules_init(struct metadata_rules *rules, const struct option_sequence *options);

/* Sets the estimator for rules that need tokens. */
void metadata_rules_set_estimator(struct metadata_rules *rules, struct estimator *estimator);

/* Takes a record of the log that the stream continues. All of these come before the stream's first
 * record, before the stage is linked, and none is emitted. */
void metadata_rules_recall(
    struct metadata_rules *rules, struct record *record, struct fault *fault);

void metadata_rules_free(struct metadata_rules *rules);

#endif
