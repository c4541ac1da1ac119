#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

/*
 * A held session: all its records, and all that is derived from them. An entry is a record: it
 * keeps the span of its line and a few derived attributes. Its message is parsed again whenever one
 * is needed. Policies change a session only by adding to its list of changes (data/change.h);
 * entries are never moved.
 *
 *     entry      record  ─┬─ execution   a run of one id: first, last, final response
 *                         ├─ turn        counted
 *                         └─ group       a call message and its results
 *     group      calls first_call .. first_call + calls
 *     call       id, key, target, the entry of its result
 *
 * A unit is a group, or an entry that is in no group.
 *
 * When a message is added, its entry gets the verdict of the walk (data/walk.h). The final response
 * and the unresolved failures of an execution are known only when the execution is over. They are
 * set when the next execution begins; for the last execution, by session_end.
 *
 * This header has the types, and the functions that lead from one part to another. To add records,
 * use data/session/session_builder.h.
 *
 * The caller of session_add owns the lines. New texts, ids and targets live in the arena of the
 * session. session_free frees all that the session owns.
 */

#include "base/arena.h"
#include "base/hash/map.h"
#include "data/session/failures.h"
#include "data/session/session_key.h"
#include "data/walk.h"
#include "data/tool/tools.h"
#include "stream/input.h"

#define NONE WALK_NONE

struct entry {
	const char *raw; /* the record as it is now, with its line end */
	uint32_t len;
	uint8_t before; /* bytes of a BOM before the text */
	uint8_t after;  /* bytes of the line end after the text */
	uint8_t kind;   /* enum record_kind */
	uint8_t role;
	uint8_t origin;
	bool outside : 1; /* a message of another agent, or no message */
	bool is_trace : 1;
	bool is_error : 1;
	bool is_pinned : 1;
	bool is_critical : 1; /* never dropped; its long texts may be cut to avoid a refusal */
	bool is_compacted : 1;
	bool is_artifact : 1; /* kind is summary or trace */
	bool is_summary : 1;  /* kind is summary */
	bool is_final : 1;    /* the final response of its execution, or the error instead of one */
	bool has_calls : 1;
	bool has_metadata : 1;  /* an object of metadata, or a timestamp elsewhere */
	bool is_text : 1;       /* the content is no array of parts */
	bool says_resolves : 1; /* metadata has a member "resolves" */
	bool says_forgets : 1;  /* metadata has a member "forgets" */
	bool says_resolved : 1; /* metadata has a member "resolved" */
	bool says_id : 1;       /* metadata has a string "id" */
	bool says_section : 1;  /* metadata has a string "section" */
	bool says_keys : 1;     /* metadata has "call_keys", and they are digests */
	bool is_forgotten : 1;  /* a message that a later one forgets: kind is RECORD_FOREIGN */
	bool is_dropped : 1;    /* a policy dropped the entry */
	bool is_continued : 1;  /* a piece of an overlong line, but not the first one */
	bool is_request : 1;    /* its origin is user, and it is no trace of a running execution */
	bool is_named : 1;      /* in the nested execution that session_set_current names */
	bool is_changed : 1;    /* a policy changed the entry: raw is in the arena */
	bool is_escaped : 1;    /* the content is a string with escapes */
	bool has_texts_in_metadata : 1; /* calls or a result */
	uint32_t execution;
	uint32_t nested; /* the walk's number of the nested execution within execution; 0: none */
	uint32_t turn;
	uint32_t group;
	uint32_t call;   /* for a result: its call, or NONE */
	uint32_t lost;   /* for a result whose call is lost: index into gone.lost; or NONE */
	uint32_t tokens; /* 0: not counted */
	uint32_t least;  /* a lower bound of the tokens; 0: not known */
	uint32_t change; /* the newest change (data/change.h), or NONE */
	uint64_t place;  /* of the record in the whole input (stream/input.h) */
	/* Content, calls and metadata in the record as it came, at known_in: entry_parse does not
	 * read them again. A length of 0: none, or not known. */
	const char *known_in;
	struct entry_span {
		uint32_t at, len;
	} known[MESSAGE_KNOWN];
};

/* Whether the entry is a message of the agent whose session this is. */
static inline bool
entry_is_in_thread(const struct entry *entry)
{
	return entry->kind == RECORD_MESSAGE && !entry->outside;
}

/* Whether the entry is a result, in the thread, whose call is lost: the entry is kept, in no
 * group. */
static inline bool
entry_has_lost_call(const struct entry *entry)
{
	return entry->lost != NONE && !entry->outside;
}

struct execution {
	struct str id;
	uint32_t first; /* the first entry */
	uint32_t last;  /* the last entry */
	uint32_t final; /* the entry of the final response, or of an error instead; or NONE */
	bool is_over;
	bool is_current;
};

struct group {
	uint32_t entry; /* the call message */
	uint32_t last;  /* the last entry of the group */
	uint32_t first_call;
	uint32_t calls;        /* the number of calls */
	uint32_t answered;     /* calls with a result */
	uint32_t waived;       /* calls without a result that metadata says are resolved */
	uint32_t unresolved;   /* calls whose failure is unresolved */
	uint32_t resolvable;   /* unresolved calls that a later record may resolve */
	uint32_t failed_again; /* failed calls that were repeated and failed again */
	bool is_frozen;        /* a bad line may hold a missing result */
	bool is_pinned;        /* a message of the group is pinned */
	bool is_critical;      /* a message of the group is critical */
	bool is_crossed;       /* a late result of a group resolved a failure that came after its
				* call message: set for both groups */
	bool is_given_up;      /* its failure counts as unresolved for good: see data/window.h */
	bool has_choice;       /* is_chosen is set: a policy has asked for it */
	bool is_chosen;        /* whether the user chose the group */
	bool is_noted;         /* a policy has noted that the group is kept */
	struct str section;    /* set by session_section */
};

/* How the current execution is chosen: the values of --execution. CURRENT_ID with an id that no
 * execution has makes no execution current. This is the state before the first request of a new
 * execution. */
enum current { CURRENT_AUTO, CURRENT_LAST, CURRENT_NONE, CURRENT_ID };

struct call {
	struct str id;
	struct str name;
	struct json_value arguments; /* points into the line */
	struct tool_use use;         /* set by session_use and session_learn */
	struct hash key; /* set by session_learn: the hash of tool name and arguments, or digest */
	uint32_t group;
	uint32_t result;      /* the entry of the result, or NONE */
	uint32_t failure;     /* index into the failures, or NONE */
	uint32_t resolver;    /* the group that resolved the failure, or NONE: its number in the
			       * stream, which is its index plus gone.groups */
	uint64_t resolved_at; /* the number in the stream, from 1, of the entry that resolved the
			       * failure; 0: none */
	uint32_t again;       /* a later call with the same key that failed before this failure was
			       * resolved; or NONE */
	bool is_unresolved;
	bool was_refused;  /* the result says that the user refused the call: no failure */
	bool has_no_match; /* a search that found nothing: no failure */
	bool has_use;
	bool has_key;
};

struct change;

/* A call without a result that a window forgot or gave up. If a result comes and is no error, it
 * resolves the failures that have one of these keys. */
struct lost_call {
	struct hash key;
	struct hash target;   /* zeros: none */
	uint32_t group;       /* its number in the stream */
	bool is_head_dropped; /* set when the group is forgotten */
};

/* The parts that a window forgot (data/window.h): how many of each. The walk numbers the parts of
 * the whole stream; an index of the session is such a number minus the count here. */
struct session_gone {
	uint64_t entries;
	uint32_t groups;
	uint32_t calls;
	uint32_t executions;
	struct map lost_by_number; /* indexes into lost by the hash of the call's number */
	struct lost_call *lost;
	uint32_t lost_count, lost_cap;
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
	bool counts_changes; /* change.after must be counted: set before the first change */
	uint32_t *added;     /* the changes that add a record, in the order of the stream */
	uint32_t added_count, added_cap;
	/* The command with which a model reads an archived text, up to the key: "ctx-recall FILE ".
	 * "" when nothing is archived. Owned by the caller. */
	struct str recall;
	struct session_key_value
	    name; /* for one session of many in a stream: new records get this key */
	/* The record whose key was computed last (archive_original_key), and that key. */
	const char *keyed;
	uint8_t key[16];
	struct str *list; /* the texts of list entries to archive: data/archive/archive.h */
	uint32_t list_count, list_cap;
	uint32_t message_count;
	uint32_t turn_count;
	enum current current;
	struct str current_id;
	bool ends_execution; /* session_end ends the last execution: set before session_end */
	bool has_ended;
	bool notes_digests; /* a message has "call_keys" */
	uint32_t judged;    /* the failures of all entries before this one are known */
	struct failures failures;
	struct session_gone gone;
	uint32_t freeze_from; /* the first group that a bad line may freeze: those since the last
			       * user message */
	uint32_t answer;      /* the entry that may be the next final response, or NONE */
	uint32_t error;       /* the error message that may be used instead of one, or NONE */
	struct walk walk;
	struct arena arena; /* new texts, ids, targets */
	struct buf scratch;
};

void session_init(struct session *session);

/* Sets how the current execution is chosen; the default is CURRENT_AUTO. Call before session_add.
 * id is read for CURRENT_ID only and must live as long as the session. */
void session_set_current(struct session *session, enum current current, struct str id);

/* The next entry of the group, or NONE at the end. The call message comes first, then the results
 * that have come, in the order of the calls. Begin with *at 0, or with 1 to get results only. */
uint32_t session_member(const struct session *session, const struct group *group, uint32_t *at);

/* The same for the unit of an entry: its group, or the entry alone when it is in no group. Begin
 * with *at 0. */
uint32_t session_unit_member(const struct session *session, uint32_t entry, uint32_t *at);

/* The call message of the entry's group; the entry itself when it is in no group. */
uint32_t session_head_index(const struct session *session, uint32_t entry);
const struct entry *session_head(const struct session *session, const struct entry *entry);

/* Adds to gone.lost the call with that number in the stream. */
void session_add_lost(struct session *session, uint32_t number, const struct lost_call *lost);

/* The index in gone.lost of the lost call with that number in the stream. */
uint32_t session_find_lost(const struct session *session, uint32_t number);

/* Whether the call message of a result whose call is lost was dropped. */
bool session_is_lost_head_dropped(const struct session *session, const struct entry *entry);

/* For a result, its call; for a call message, its first call; for other entries NONE. */
uint32_t session_call_of(const struct session *session, const struct entry *entry);

/* Whether the entry is the first of its unit: the call message of a group, or an entry in no
 * group. */
bool session_is_head(const struct session *session, uint32_t entry);

void session_free(struct session *session);

/* The JSON text of the record, with JSON_PADDING readable bytes after it. */
struct str entry_text(const struct entry *entry);

/* The member "resolved" of a result's metadata: 1 for true, 0 for false, -1 when there is none. */
int entry_said_resolved(const struct entry *entry);

/* entry_parse_texts is for one who asks for texts, role and calls only: meta may be absent. */
void entry_parse(const struct entry *entry, struct message *message);
void entry_parse_texts(const struct entry *entry, struct message *message);

/* The section of an entry. All entries of a group have the section of the call message. When
 * metadata names no section, it is "summary" for a summary, and "messages" for other entries. The
 * result is valid until the next call. */
struct str session_section(struct session *session, const struct entry *entry);

/* Whether the entry is a message of the session's agent, and in the section with that name. */
bool session_is_in_section(struct session *session, const struct entry *entry, struct str name);

/* Whether the entry is in the current execution. */
bool session_is_current(const struct session *session, const struct entry *entry);

/* The same, but entries of a nested execution count only when that execution is current itself. */
bool session_is_current_trace(const struct session *session, const struct entry *entry);

#endif
