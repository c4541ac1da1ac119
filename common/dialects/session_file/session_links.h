#ifndef SESSION_FILE_SESSION_LINKS_H
#define SESSION_FILE_SESSION_LINKS_H

/* The ids in a record of a session file that name others, each absent if there is none. */

#include "dialects/rows/member_path.h"
#include "dialects/session_file/session_layout.h"

struct session_links {
	struct json_value parent; /* may be null */
	struct json_value refers[INTO_REFERS], keeps[2], kept[2];
};

/* The paths of the ids, compiled: all ids of a record are found in one walk. */
struct session_links_paths {
	struct member_tree tree;
	struct member_path parent, refers[INTO_REFERS], keeps[2], kept[2];
};

/* The caller frees the paths. */
void session_links_init(struct session_links_paths *paths, const struct session_layout *format);
void session_links_free(struct session_links_paths *paths);

struct session_links session_links_find(
    const struct session_links_paths *paths, struct json_value record);

#endif
