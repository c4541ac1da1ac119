#ifndef FACTS_COMMIT_H
#define FACTS_COMMIT_H

/*
 * The subject of a commit, from the command that makes it:
 *
 *     git commit -m 'lamp: oil it'
 *     git commit -m "$(cat <<'EOF'        git commit -F - <<EOF
 *     lamp: oil it                        lamp: oil it
 *     ...                                 ...
 */

#include "base/str.h"

/* The first line of the message of the last commit that the shell command makes, a span of it; ""
 * where it makes none, or the message is not there. */
struct str commit_subject(struct str command);

#endif
