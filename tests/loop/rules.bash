#!/bin/bash
#
# rules.bash API FILE: what that API, openai or anthropic, refuses of the request body in FILE, a line
# for each fault; see ../api.bash.  Beyond that, no call's id comes twice in a body, and the answer is to
# be a stream.

BATS_TEST_DIRNAME=${BASH_SOURCE%/*}
# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/api.bash
. "$BATS_TEST_DIRNAME/../api.bash"

"$1_faults" "$2"
jq -r '
    select(.stream != true) | "wants no stream"' "$2"
[[ $1 != openai ]] || jq -r '
    select(.stream_options.include_usage != true) | "wants no usage"' "$2"
jq -r '
    [.messages[]? | objects | (.tool_calls[]?, (.content | arrays | .[] | select(.type == "tool_use"))).id] | group_by(.)[] | select(length > 1) | "has the id \(.[0]) twice"' "$2"
