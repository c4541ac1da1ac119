#ifndef CTX_ROUTE_METADATA_RULES_H
#define CTX_ROUTE_METADATA_RULES_H

/*
 * The rules of --set and --where, as the stage before the routing: it edits the metadata of each
 * message that a rule is about. A rule is a run of --set options and the run of --where options
 * behind it, which are alternatives:
 *
 *     --set pinned=true --where id=m1 --where id=m2    --set a=1 --set b=2
 *     [ rule 1 ................................... ]    [ rule 2, for all ]
 *
 * All rules that hold apply, and of one member the last counts. Selectors look at the messages as
 * they came in, each by itself. A stage of rules that look at the message alone holds nothing;
 * other rules need a window (data/window.h), which holds a message until all of them are certain.
 */

#include "assigned_value.h"
#include "data/window.h"
#include "face/options/options.h"
#include "policy/selection.h"

struct metadata_rule_set {
	struct assigned_value assignment;
	uint32_t rule;
	uint32_t member; /* the number of its key among all keys, in the order of their coming */
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
	const struct assigned_value **last; /* by member: what the message in hand gets, or NULL */
	uint32_t members;
	bool needs_session;
	bool needs_tokens;
	bool recalls;      /* messages of the log come, which stay as they are */
	bool sets_section; /* a rule says the section of the message that was emitted last */
	struct json_edit edit;
	struct buf text;
};

/* Reads the options. Ends the program with status 64 when one is malformed or a --where comes
 * without a --set before it. */
void metadata_rules_init(struct metadata_rules *rules, const struct option_sequence *options);

/* Says how tokens are counted, for rules that need them. */
void metadata_rules_set_estimator(struct metadata_rules *rules, struct estimator *estimator);

/* Takes a record of the log that the stream continues. All of them come before the stream's first
 * record, before the stage is linked, and none is emitted. */
void metadata_rules_recall(
    struct metadata_rules *rules, struct record *record, struct fault *fault);

void metadata_rules_free(struct metadata_rules *rules);

#endif
