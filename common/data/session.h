#ifndef DATA_SESSION_H
#define DATA_SESSION_H

/*
 * A held session: every record in its place, and what the whole session tells about them. An entry
 * keeps the span of its line and a few derived attributes; the message itself is parsed again when
 * it is needed. What policies do is a list of changes (data/change.h); nothing is moved.
 *
 *     entry      record  ─┬─ execution   a run of one id: first, last, final response
 *                         ├─ turn        counted
 *                         └─ group       a call message and its results
 *     group      calls first_call .. first_call + calls
 *     call       id, key, target, the entry of its result
 *
 * What the walk says of messages is set as they come. What takes an execution as a whole is set
 * when the execution is over, that is, when the next one begins, and by session_end for the last
 * one: its final response, and which failures need attention. A failed result, or a call without
 * one in an execution that is over, is unresolved until it says so (resolved), a later message
 * resolves its id, or a later call with the same key, or with the same tool and target, succeeds;
 * "resolved":false keeps it open. A result that comes late takes back that its call had none.
 *
 * Lines are the input's (held) bytes; everything else lives in the session's arena.
 */

#include "base/arena.h"
#include "data/failures.h"
#include "data/walk.h"
#include "data/tools.h"
#include "stream/input.h"

#define NONE WALK_NONE

struct entry {
	const char *raw; /* the record as it leaves, its line end included */
	uint32_t len;
	uint8_t before;  /* bytes of a BOM in front of the text */
	uint8_t after;   /* bytes of line end behind it */
	uint8_t kind;    /* enum record_kind */
	uint8_t role;
	uint8_t origin;
	bool outside : 1;     /* another agent's */
	bool is_trace : 1;
	bool is_error : 1;
	bool is_pinned : 1;
	bool is_compacted : 1;
	bool is_artifact : 1; /* kind is summary or trace */
	bool is_summary : 1;  /* kind is summary */
	bool is_final : 1;    /* its execution's final response, or the error that stands for it */
	bool has_calls : 1;
	bool is_text : 1;       /* its content is a string, or nothing */
	bool says_resolves : 1; /* metadata has a member of that name */
	bool says_resolved : 1;
	bool is_forgotten : 1; /* a result whose call a window forgot: in no group, and stays */
	bool is_dropped : 1;  /* by a policy */
	bool is_continued : 1; /* a later piece of one overlong line */
	bool is_changed : 1;  /* by a policy: raw is in the arena */
	uint32_t execution;
	uint32_t turn;
	uint32_t group;
	uint32_t call;        /* a result's: the call that it answers; NONE */
	uint32_t tokens;      /* 0: nobody weighed */
	uint32_t change;      /* the newest of data/change.h, or NONE */
};

struct execution {
	struct str id;
	uint32_t first; /* entries */
	uint32_t last;
	uint32_t final; /* the final response or what stands for it, or NONE */
	bool is_over;
	bool is_current;
};

struct group {
	uint32_t entry;      /* of the calls */
	uint32_t last;       /* the last entry that belongs to it */
	uint32_t first_call;
	uint32_t calls;
	uint32_t answered;
	uint32_t unresolved;  /* of its calls */
	uint32_t resolvable;  /* of these: what comes may resolve them */
	bool is_frozen;       /* a bad line may hold its missing result */
	bool is_pinned;       /* one of its messages is */
	bool is_given_up;     /* taken for unresolved, whatever comes: see data/window.h */
	struct str section;   /* once somebody asked for it */
};

/* Why a group must not be touched. */
enum group_lock {
	LOCK_NONE,
	LOCK_UNRESOLVED, /* a failure needs attention: stays, but error text may be cut */
	LOCK_OPEN,       /* it still waits for a result */
	LOCK_FROZEN,     /* a bad line may hold its missing result */
	LOCK_PINNED,
};

/* Which execution is current: enum, or an id. */
enum current { CURRENT_AUTO, CURRENT_LAST, CURRENT_NONE, CURRENT_ID };

struct call {
	struct str id;
	struct str name;
	struct json_value arguments; /* as the line has them */
	struct tool_use use; /* what session_learn finds out */
	struct hash key;     /* the same: of tool name and canonical arguments */
	uint32_t group;
	uint32_t result;     /* entry, or NONE */
	uint32_t failure;    /* of data/failures.h, or NONE */
	bool is_unresolved;
	bool is_learned;     /* use and key are set */
};

struct change;

/* A call that a window forgot while it had no result: by what its success resolves others. */
struct forgotten_call {
	struct hash key;
	struct hash target; /* zeros: none */
};

/* What a window forgot (data/window.h): indexes are the walk's numbers less these. */
struct session_gone {
	uint32_t groups;
	uint32_t calls;
	uint32_t executions;
	struct map call_by_number; /* forgotten calls without a result */
	struct forgotten_call *call;
	uint32_t call_count, call_cap;
	uint32_t *result; /* the forgotten calls of results that are not judged, from result_next on */
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
	struct change *change;  /* what policies did: data/change.h */
	uint32_t change_count, change_cap;
	uint32_t *added;        /* the changes that add a record, oldest first */
	uint32_t added_count, added_cap;
	uint32_t message_count;
	uint32_t turn_count;
	uint32_t first_user;    /* entry of the task framing, or NONE */
	enum current current;
	struct str current_id;
	bool has_current_id;
	bool has_ended;
	uint32_t judged;        /* entries before were asked what fails and what succeeds */
	struct failures failures;
	struct session_gone gone;
	uint32_t freeze_from;   /* groups since the last user message */
	uint32_t answer;        /* entries that may stand for the running execution, or NONE */
	uint32_t error;
	struct walk walk;
	struct arena arena;     /* replaced bytes, ids, targets */
	struct buf scratch;
};

void session_init(struct session *session);

/* Says which execution is current, CURRENT_AUTO otherwise; call before session_add. id, which is
 * read for CURRENT_ID alone, must live as long as the session. */
void session_set_current(struct session *session, enum current current, struct str id);

/* Adds the next record; line and what message points to must live as long as the session. */
void session_add(struct session *session, const struct line *line,
    const struct message *message);

/* Call once after the last record. False when no execution has the current id. */
bool session_end(struct session *session);

/* Whether a group lacks a result in an execution that is current or not over. */
bool session_is_open(const struct session *session, const struct group *group);

/* The strongest reason not to touch the group. */
enum group_lock session_group_lock(const struct session *session, const struct group *group);

/* Whether nothing that comes can change what is known of the group. */
bool session_is_settled(const struct session *session, const struct group *group);

/* Whether an execution is over, or current whatever comes. */
bool session_is_known(const struct session *session, uint32_t execution);

/* The next member of a group, the call message first and then the results that came, in the order
 * of the calls; NONE at the end. Begin with *at 0, or with 1 for results alone. */
uint32_t session_member(const struct session *session, const struct group *group, uint32_t *at);

/* The call message of the entry's group, or the entry itself. */
const struct entry *session_head(const struct session *session, const struct entry *entry);

/* Puts an unresolved call, which is learned, among the failures again. */
void session_list_failure(struct session *session, uint32_t call);

/* The key of what a call is made on. */
struct hash session_target_key(const struct call *call);

/* Sets use and key of a call, which cost a look at all its arguments and are not always asked for.
 * Returns the call. */
const struct call *session_learn(struct session *session, uint32_t call);

/* The same for all calls. */
void session_learn_all(struct session *session);

void session_free(struct session *session);

/* The record's JSON text (JSON_PADDING readable bytes follow it). */
struct str entry_text(const struct entry *entry);

/* Parses the entry's text again. */
void entry_parse(const struct entry *entry, struct message *message);

/* The section of an entry: a group has its call's, a summary is in "summary", the rest in
 * "messages". Valid until the next call. */
struct str session_section(struct session *session, const struct entry *entry);

/* Whether the entry is in the current execution. */
bool session_is_current(const struct session *session, const struct entry *entry);

#endif
