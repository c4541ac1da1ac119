# What ctx-project --view all leaves of a tree of messages, by definition: the numbers of the lines.
# Reads the messages as an array; each says its number and its unit in its metadata.  The options:
#
#     $leaf         an id, "last", or "" for no path
#     $forgotten    "hide" or "show"

def ids: [.metadata.forgets | if type == "array" then .[] else . end | strings];

# The index of the parent, or -1.
def parent($all; $i):
    $all[$i].metadata as $m
    | if ($m | has("parent_id")) and $m.parent_id == null then -1
      elif ($m.parent_id | type) != "string" then $i - 1
      else ([range(0; $i) | select($all[.].metadata.id == $m.parent_id)] | last)
        // ([range($i; $all | length) | select($all[.].metadata.id == $m.parent_id)] | last)
        // ($i - 1)
      end;

def path($all; $i; $seen):
    if $i < 0 or ($seen | index($i)) then $seen
    else path($all; parent($all; $i); $seen + [$i]) end;

def leading: (map(.role == "system" or .role == "developer") | index(false)) as $n | .[:($n // length)];

def by_leaf:
    . as $all
    | if $leaf == "" then .
      else
        (if $leaf == "last" then length - 1 else [range(0; length) | select($all[.].metadata.id == $leaf)] | last end) as $stop
        | ([path($all; $stop; [])[] | $all[.].metadata.unit] + (leading | map(.metadata.unit))) as $units
        | map(select(.metadata.unit as $unit | $units | index($unit)))
      end;

def by_tombstones:
    . as $all
    | if $forgotten == "show" then .
      else
        (map(.metadata.id != null) | index(true) // length) as $first
        | [.[:$first][] | .metadata.unit] as $before
        | [range(0; length) as $i | $all[$i] | ids[] as $id
            | $all[:$i][] | select(.metadata.id == $id) | .metadata.unit] as $named
        | [.[] | select(.metadata.forgets != null and .role != "tool" and .content == "" and .tool_calls == null) | .metadata.unit] as $blank
        | map(.metadata.unit as $unit
            | select(($before | index($unit) | not) as $held
                | ($named | index($unit) and $held | not) and (($blank | index($unit)) and ($held or .metadata.forgets != null) | not)))
      end;

by_leaf | by_tombstones | .[].metadata.n
