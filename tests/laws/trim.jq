# What ctx-project --view all leaves of a session by its trimming options, by definition: the numbers
# of the lines.  Reads the messages as an array; each says its number, its unit and its turn in its
# metadata, and its tokens.  The options:
#
#     $size, $unit      a number of "messages", "turns" or "tokens", or a "share" in percent, or "none"
#     $from             "start" or "end"
#     $words, $starts, $ends    lists

def is_in($list): . as $word | $list | split(",") | index($word) != null;

# The users before the first answer.
def framing:
    map(select(.metadata.kind == null))
    | (map(.role == "user" and .metadata.origin != "injected") | index(true)) as $first
    | if $first == null then [] else
        .[$first:]
        | (map(.role == "assistant") | index(true)) as $answer
        | .[:($answer // length)]
        | map(select(.role == "user" and .metadata.origin != "injected").metadata.unit)
      end;

def kept: framing as $framing | map(select(
    (.role == "system" and ("system" | is_in($words)))
    or (.role == "developer" and ("developer" | is_in($words)))
    or (.metadata.pinned and ("pinned" | is_in($words)))
    or (.metadata.critical and ("critical" | is_in($words)))
    or (.metadata.kind == "summary" and ("summary" | is_in($words)))
    or ((.metadata.unit as $unit | $framing | index($unit)) and ("first" | is_in($words))))
    .metadata.unit);

def without($unit): map(select(.metadata.unit != $unit));

# Takes units off the front, or the back, until a message of one of the roles stands there.
def start_on($roles):
    if $roles == "" or length == 0 or (.[0].role | is_in($roles)) then .
    else without(.[0].metadata.unit) | start_on($roles) end;
def end_on($roles): reverse | start_on($roles) | reverse;

def units: reduce .[].metadata.unit as $unit ([]; if index($unit) then . else . + [$unit] end);

def weight:
    if $unit == "tokens" then map(.metadata.tokens) | add // 0
    elif $unit == "turns" then 0
    else length end;

# The messages of the units.
def of($units): map(select(.metadata.unit as $unit | $units | index($unit)));

def fits($room; $turns):
    weight <= $room and ($unit != "turns" or
        if $from == "end" then all(.[]; .call_turn > $turns - $size)
        else all(.[]; .last_turn <= $size) and $size > 0 end);

# The longest run of units from one end that fits.
def fit($room; $turns):
    if $unit == "none" then . else
        . as $all
        | (if $from == "end" then reverse else . end | units) as $units
        | last(range(0; $units | length + 1) as $count
            | select(all(range(1; $count + 1) as $n | $all | of($units[:$n]); fits($room; $turns)))
            | $units[:$count]) as $chosen
        | of($chosen)
    end;

([.[].metadata.turn] | max) as $turns
| group_by(.metadata.unit) | map(map(.metadata.turn) as $turn | map(.call_turn = ($turn | min) | .last_turn = ($turn | max)))
| add | sort_by(.metadata.n)
| . as $all
| kept as $kept
| of($kept) as $stays
| (if $unit == "share" then (length * $size / 100 | floor) else $size end - ($stays | weight)) as $room
| map(select(.metadata.unit as $unit | $kept | index($unit) | not))
| if $from == "end" then end_on($ends) | fit([$room, 0] | max; $turns) | start_on($starts)
  else start_on($starts) | fit([$room, 0] | max; $turns) | end_on($ends) end
| . + $stays | map(.metadata.n) | sort[]
