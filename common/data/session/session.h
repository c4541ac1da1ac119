#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

/*
 * A held session: every record in its place, and all that is derived from the whole session. An
 * entry keeps the span of its line and a few derived attributes; the message is parsed again when
 * it is needed. Policies work by a list of changes (data/change.h); entries are never moved.
 *
 *     entry      record  ─┬─ execution   a run of one id: first, last, final response
 *                         ├─ turn        counted
 *                         └─ group       a call message and its results
 *     group      calls first_call .. first_call + calls
 *     call       id, key, target, the entry of its result
 *
 * The walk's verdict on a message is set when the message is added. Two things are known only when
 * an execution is over: its final response, and which failures are unresolved. They are set when
 * the next execution begins, and by session_end for the last one. Here is what is known, and how
 * the parts lead to each other; records are added by data/session/session_builder.h.
 *
 * Lines belong to the caller of session_add; everything else lives in the session's arena.
 */

#include "base/arena.h"
#include "data/session/failures.h"
#include "data/session/session_key.h"
#include "data/walk.h"
#include "data/tool/tools.h"
#include "stream/input.h"

#define NONE WALK_NONE

struct entry {
	const char *raw; /* the record as it is now, with its line end */
	uint32_t len;
	uint8_t before; /* bytes of a BOM in front of the text */
	uint8_t after;  /* bytes of the line end behind the text */
	uint8_t kind;   /* enum record_kind */
	uint8_t role;
	uint8_t origin;
	bool outside : 1; /* a message of another agent, or no message */
	bool is_trace : 1;
	bool is_error : 1;
	bool is_pinned : 1;
	bool is_critical : 1; /* no transform drops it; long texts may be cut before a refusal */
	bool is_compacted : 1;
	bool is_artifact : 1; /* kind is summary or trace */
	bool is_summary : 1;  /* kind is summary */
	bool is_final : 1;    /* the final response of its execution, or the error in its place */
	bool has_calls : 1;
	bool has_metadata : 1;  /* an object of metadata, or a timestamp elsewhere */
	bool is_text : 1;       /* the content is no array of parts */
	bool says_resolves : 1; /* metadata has a member "resolves" */
	bool says_forgets : 1;  /* metadata has a member "forgets" */
	bool says_resolved : 1; /* metadata has a member "resolved" */
	bool says_id : 1;       /* metadata has a string "id" */
	bool says_keys : 1;     /* metadata has "call_keys", and they are digests */
	bool is_forgotten : 1;  /* a message that a later one forgets: kind is RECORD_FOREIGN */
	bool has_lost_call : 1; /* a result whose call a window forgot: in no group, and stays */
	bool is_dropped : 1;    /* a policy dropped the entry */
	bool is_continued : 1;  /* a piece of an overlong line, but not the first one */
	bool is_request : 1;    /* of origin user, and no trace of an execution that runs */
	bool is_named : 1;      /* of the nested execution that session_set_current names */
	bool is_changed : 1;    /* a policy changed the entry: raw is in the arena */
	uint32_t execution;
	uint32_t nested; /* the nested execution in that one, by the walk's number; 0: none */
	uint32_t turn;
	uint32_t group;
	uint32_t call;   /* of a result: the call that it answers, or NONE */
	uint32_t tokens; /* 0: not counted */
	uint32_t least;  /* the tokens are known to be that many or more; 0: nothing is known */
	uint32_t change; /* the newest change (data/change.h), or NONE */
	uint64_t place;  /* of the record in the whole input (stream/input.h) */
};

/* Whether the entry is a message of the agent whose context it is. */
static inline bool
entry_is_in_thread(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside;
}

struct execution {
	struct str id;
	uint32_t first; /* the first entry */
	uint32_t last;  /* the last entry */
	uint32_t final; /* the entry of the final response, or of the error in its place; or NONE */
	bool is_over;
	bool is_current;
};

struct group {
	uint32_t entry; /* the call message */
	uint32_t last;  /* the last entry of the group */
	uint32_t first_call;
	uint32_t calls;        /* the number of calls */
	uint32_t answered;     /* calls with a result */
	uint32_t waived;       /* calls without one when the execution ended, said to be resolved */
	uint32_t unresolved;   /* unresolved calls */
	uint32_t resolvable;   /* unresolved calls that a later record may resolve */
	uint32_t failed_again; /* calls that failed again */
	bool is_frozen;        /* a bad line may hold a missing result */
	bool is_pinned;        /* a message of the group is pinned */
	bool is_critical;      /* a message of the group is critical */
	bool is_crossed;       /* a late result of it resolves a failure behind its calls, or its
				* failure is resolved by such a result */
	bool is_given_up;      /* taken for unresolved for ever: see data/window.h */
	bool has_choice;       /* a policy has asked whether the user chose the group */
	bool is_chosen;        /* and the answer */
	bool is_noted;         /* a policy has noted that the group stays */
	struct str section;    /* set by session_section */
};

/* How the current execution is chosen: the values of --execution. An id that no execution has makes
 * none current: the first request of an execution comes before its first message. */
enum current { CURRENT_AUTO, CURRENT_LAST, CURRENT_NONE, CURRENT_ID };

struct call {
	struct str id;
	struct str name;
	struct json_value arguments; /* as in the line */
	struct tool_use use;         /* set by session_use and session_learn */
	struct hash key; /* set by session_learn: of tool name and canonical arguments, or digest */
	uint32_t group;
	uint32_t result;   /* the entry of the result, or NONE */
	uint32_t failure;  /* index into the failures, or NONE */
	uint32_t resolver; /* the number of the group that resolved the failure: an index and what
			    * a window forgot; or NONE */
	uint64_t resolved_at; /* the place in the stream of the entry that resolved it, from 1; or
			       * 0 */
	uint32_t again; /* a later call of its key that failed, too, before this one was resolved;
			   * or NONE */
	bool is_unresolved;
	bool was_refused;  /* by the user: the result says so, and is no failure */
	bool has_no_match; /* a search that found nothing, which is no failure */
	bool has_use;
	bool has_key;
};

struct change;

/* A call that a window forgot while the call had no result. Its success resolves failures by these
 * keys. */
struct forgotten_call {
	struct hash key;
	struct hash target; /* zeros: none */
};

/* What a window forgot (data/window.h). An index of the session is a number of the walk less the
 * count of what was forgotten. */
struct session_gone {
	uint64_t entries;
	uint32_t groups;
	uint32_t calls;
	uint32_t executions;
	struct map call_by_number; /* forgotten calls without a result */
	struct forgotten_call *call;
	uint32_t call_count, call_cap;
	/* From result_next on: the forgotten calls whose results are not judged yet. */
	uint32_t *result;
	uint32_t result_next, result_count, result_cap;
};

struct session {
	struct entry *entry;
	uint32_t count;
	uint32_t cap;
	struct execution *execution;
	uint32_t execution_count, execution_cap;
	struct group *group;
	uint32_t group_count, group_cap;
	struct call *call;
	uint32_t call_count, call_cap;
	struct change *change; /* the list of changes: data/change.h */
	uint32_t change_count, change_cap;
	bool counts_changes; /* change.after is wanted: set before the first change */
	uint32_t *added;     /* the changes that add a record, in the order of the stream */
	uint32_t added_count, added_cap;
	/* What a model types in front of a key to read what was taken out: "ctx-recall FILE "; "":
	 * nothing is archived. Owned by the caller. */
	struct str recall;
	struct session_key_value
	    name; /* of many in a stream: policies give it to what they write */
	/* The record whose key was computed last (archive_original_key), and that key. */
	const char *keyed;
	uint8_t key[16];
	struct str *list; /* texts of lists to archive: data/archive/archive.h */
	uint32_t list_count, list_cap;
	uint32_t message_count;
	uint32_t turn_count;
	enum current current;
	struct str current_id;
	bool ends_execution; /* the end of the records ends the last execution: set before it */
	bool has_ended;
	bool notes_digests; /* a message has "call_keys" */
	uint32_t judged;    /* failures are known from the entries before this one */
	struct failures failures;
	struct session_gone gone;
	uint32_t freeze_from; /* the first group since the last user message */
	uint32_t answer;      /* the entry that may be the next final response, or NONE */
	uint32_t error;       /* the error message that may stand in its place, or NONE */
	struct walk walk;
	struct arena arena; /* new texts, ids, targets */
	struct buf scratch;
};

void session_init(struct session *session);

/* Sets how the current execution is chosen; the default is CURRENT_AUTO. Call before session_add.
 * id is read for CURRENT_ID only and must live as long as the session. */
void session_set_current(struct session *session, enum current current, struct str id);

/* The entry of the next member of the group, or NONE at the end. The call message comes first, then
 * the results that there are, in the order of the calls. Begin with *at 0, or with 1 to get results
 * only. */
uint32_t session_member(const struct session *session, const struct group *group, uint32_t *at);

/* The same of a unit: of the group of that entry, or of the entry alone when it is in no group.
 * Begin with *at 0. */
uint32_t session_unit_member(const struct session *session, uint32_t entry, uint32_t *at);

/* The call message of the entry's group; the entry itself when it is in no group. */
uint32_t session_head_index(const struct session *session, uint32_t entry);
const struct entry *session_head(const struct session *session, const struct entry *entry);

/* The call that the entry answers, or the first one that it makes; or NONE. */
uint32_t session_call_of(const struct session *session, const struct entry *entry);

/* Whether the entry is that of its unit: the call message of its group, or an entry in no group. */
bool session_is_head(const struct session *session, uint32_t entry);

void session_free(struct session *session);

/* The JSON text of the record, with JSON_PADDING readable bytes behind it. */
struct str entry_text(const struct entry *entry);

/* The member "resolved" of a result's metadata: 1 for true, 0 for false, -1 when there is none. */
int entry_said_resolved(const struct entry *entry);

/* Parses the text of the entry. */
void entry_parse(const struct entry *entry, struct message *message);

/* The section of an entry. All members of a group have the section of the call message. Without one
 * in metadata, a summary is in "summary", all other entries in "messages". Valid until the next
 * call. */
struct str session_section(struct session *session, const struct entry *entry);

/* Whether the entry is a message of the session's agent in the section of that name. */
bool session_is_in_section(struct session *session, const struct entry *entry, struct str name);

/* Whether the entry is in the current execution. */
bool session_is_current(const struct session *session, const struct entry *entry);

/* The same without what is nested in that execution, unless it is current itself. */
bool session_is_current_trace(const struct session *session, const struct entry *entry);

#endif
