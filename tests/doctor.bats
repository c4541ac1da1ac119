#!/usr/bin/env bats
#
# ctx-normalize --check --from AGENT: what that agent loads of a file, and what its loader does not bear.  That it is so
# is held against the agents' own clients by tests/clients.

load helper
load dialogue

# finds FROM LINE...: what --check says of the file in, without the program and the file; without lines it is sound.
finds() {
    local from=$1 status=0
    shift
    (($# == 0)) || status=1
    [[ $# == 0 ]] || printf '%s\n' "$@" >expected
    [[ $# != 0 ]] || : >expected
    status_of "$status" ctx-normalize --check --from "$from" in >out 2>err
    sed '/^ctx-normalize: to mend it: /d;s/^ctx-normalize: in://' err >said
    same "$from" expected said
    same 'output' /dev/null out
}

# claude TYPE ID PARENT [MEMBERS]: a record of Claude Code; PARENT is an id, null, or empty: it names none.
claude() {
    local parent=
    [[ -z $3 ]] || parent="\"parentUuid\":\"$3\","
    [[ $3 != null ]] || parent='"parentUuid":null,'
    printf '{"type":"%s",%s"uuid":"%s"%s}\n' "$1" "$parent" "$2" "${4:+,$4}"
}
asks() { claude user "$1" "$2" "\"message\":{\"role\":\"user\",\"content\":\"$1?\"}"; }
answers() { claude assistant "$1" "$2" "\"message\":{\"id\":\"m$1\",\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"$1.\"}]}"; }
talk() { asks a null; answers b a; asks c b; answers d c; }
# timed SECONDS: the records, each so much later than the one before.
timed() { awk -v step="$1" '{ t = NR * step; sub(/}$/, sprintf(",\"timestamp\":\"2026-01-01T00:%02d:%02dZ\"}", t / 60, t % 60)); print }'; }

codex() { printf '{"timestamp":"2026-01-01T00:00:00Z","type":"%s","payload":{%s}%s}\n' "$1" "$2" "${3:+,$3}"; }
header() { codex session_meta "\"id\":\"01990000-0000-7000-8000-000000000001\",\"timestamp\":\"t\",\"cwd\":\"/\",\"originator\":\"o\",\"cli_version\":\"1\"${1:+,$1}"; }
item() { codex response_item "\"type\":\"message\",\"role\":\"$1\",\"content\":[{\"type\":\"input_text\",\"text\":\"$2\"}]" "${3-}"; }

# entry ID PARENT ROLE, with PARENT as above: a message of pi.
pi_header() { printf '{"type":"session","version":3,"id":"s","timestamp":"t","cwd":"/"}\n'; }
entry() {
    local parent="\"parentId\":\"$2\","
    [[ -n $2 ]] || parent=
    [[ $2 != null ]] || parent='"parentId":null,'
    printf '{"type":"message","id":"%s",%s"timestamp":"t","message":{"role":"%s","content":[{"type":"text","text":"%s"}]}}\n' "$1" "$parent" "$3" "$1"
}
path() { entry a null user; entry b a assistant; entry c "${1-b}" user; entry d c assistant; }

gemini() { printf '{%s"type":"%s","content":"%s"}\n' "${3-\"id\":\"$2\",}" "$1" "$2"; }

# opencode MEMBERS USER PART: a session with these members left out, and of its first message and part.
opencode() {
    jq -c --arg a " $1 " --arg b " $2 " --arg c " $3 " '
        def without(names): with_entries(select(.key as $k | names | contains(" " + $k + " ") | not));
        .info |= without($a) | .messages[0].info |= without($b) | .messages[0].parts[0] |= without($c)' <<'END'
{"info":{"id":"ses_1","slug":"s","title":"t","version":"1","time":{"created":1,"updated":1}},"messages":[{"info":{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1},"agent":"build","model":{"providerID":"p","modelID":"m"}},"parts":[{"id":"prt_1","sessionID":"ses_1","messageID":"msg_1","type":"text","text":"a"}]},{"info":{"id":"msg_2","sessionID":"ses_1","role":"assistant","time":{"created":2},"parentID":"msg_1","modelID":"m","providerID":"p","mode":"b","agent":"b","path":{"cwd":"/","root":"/"},"cost":0,"tokens":{}},"parts":[{"id":"prt_2","sessionID":"ses_1","messageID":"msg_2","type":"text","text":"b"}]}]}
END
}

@test "doctor: a sound file of each agent has nothing wrong with it" {
    local agent
    for agent in claude-code codex pi gemini-cli; do
        for file in "$FIXTURES/$agent"-*.jsonl; do
            cp "$file" in
            status_of 0 ctx-normalize --check --from "$agent" in >out 2>err || fail "$file: $(cat err)"
        done
    done
    opencode '' '' '' >in
    finds opencode
}

@test "doctor: claude-code: the chain that its loader walks from the last record" {
    talk >in
    finds claude-code
    { talk; claude progress p b; asks e p; answers f e; } >in
    finds claude-code "3: unreached: the agent loads '4 of 6' messages" \
        "6: progress-parent: parent 'p' is a progress record that bypasses messages"
    { asks a null; answers b a; claude progress p b; asks c p; answers d c; } >in
    finds claude-code
    { talk; claude system s b; } >in
    finds claude-code "3: unreached: the agent loads '2 of 4' messages" \
        "5: other-branch: parent 'b' comes before messages that do not follow it"
    { asks a ''; answers b ''; asks c ''; } >in
    finds claude-code "1: unreached: the agent loads '1 of 3' messages" \
        "3: no-parent: parent '' names no record"
    # What the user left by going back is no message of the conversation.
    { talk; asks e b; answers f e; } >in
    finds claude-code
    { talk; asks e null; answers f e; } >in
    finds claude-code
}

@test "doctor: claude-code: by time it goes on from a parent that is not there, and begins with what is latest" {
    local lost="1: unreached: the agent loads '2 of 6' messages" dangling="5: dangling-parent: parent 'none' is not in the file"
    { talk; asks e none; answers f e; } >untimed
    timed 5 <untimed >in
    finds claude-code "$dangling"
    timed 6 <untimed >in
    finds claude-code "$lost" "$dangling"
    cp untimed in
    finds claude-code "$lost" "$dangling"
    # The one before by time, not in the file, and none that it has come from.
    { asks a null; answers b a; answers d c; asks c none; } | timed 1 | sed '2s/00:02Z/00:05Z/;4s/00:04Z/00:03Z/' >in
    finds claude-code "2: unreached: the agent loads '3 of 4' messages" "4: dangling-parent: parent 'none' is not in the file"
    { asks a null; answers b d; asks c b; answers d c; } | timed 6 >in
    finds claude-code "1: unreached: the agent loads '3 of 4' messages" "2: parent-cycle: parent 'd' follows the record itself"
    { asks a null; answers b d; asks c b; answers d c; } | timed 5 >in
    finds claude-code "2: parent-cycle: parent 'd' follows the record itself"
    # Records that stand before their parents.
    talk | timed 1 | tac >in
    finds claude-code
    talk | tac >in
    finds claude-code "1: unreached: the agent loads '1 of 4' messages" "4: no-parent: parent 'null' names no record"
    { talk | timed 1; asks e none; } >in
    finds claude-code "1: unreached: the agent loads '1 of 5' messages" "$dangling"
    # Of records with one id the last one stands in the place of the first.
    { talk; asks c b; } >in
    finds claude-code "4: unreached: the agent loads '3 of 4' messages" "5: other-branch: parent 'b' comes before messages that do not follow it"
    # Progress that comes after what follows it is no way on.
    { talk; asks e p; claude progress p d; answers f e; } >in
    finds claude-code "$lost" "5: dangling-parent: parent 'p' is not in the file"
}

@test "doctor: claude-code: it begins where the user stood, as the client noted it" {
    stood() { printf '{"type":"last-prompt","lastPrompt":"p","leafUuid":%s,"sessionId":"s"}\n' "$1"; }
    other() { printf "%s: other-branch: parent '%s' comes before messages that do not follow it" "$1" "$2"; }
    # What follows it is loaded, too.
    { talk; stood '"b"'; } >in
    finds claude-code
    { talk; stood '"d"'; claude system s b; } >in
    finds claude-code
    # So the conversation goes there: what follows another record was left.
    reads() { ctx-normalize in | jq -r '.content // empty' | tr -d '\n' | same "read of $1" - <(printf %s "$1"); }
    { talk; asks e b; answers f e; stood '"d"'; } >in
    finds claude-code
    reads 'a?b.c?d.'
    { talk; asks e b; stood '"d"'; answers f e; } >in
    finds claude-code
    reads 'a?b.c?d.'
    # Where the user went, nothing that follows is; but what was said there.
    { talk; stood '"b","explicit":true'; } >in
    finds claude-code
    reads 'a?b.'
    { talk | sed 's/^{/{"sessionId":"s",/'; stood '"b","explicit":true'; } >in
    reads 'a?b.'
    { talk; stood '"b","explicit":true'; stood null; } >in
    finds claude-code
    ctx-normalize --from claude-code <in | ctx-project --view all | jq -r '.content // empty' | tr -d '\n' | same 'in a pipe' - <(printf 'a?b.')
    { talk; stood '"b","explicit":true'; asks e d; } >in
    finds claude-code
    reads 'a?b.c?d.e?'
    # A line that nothing links is lost, and not left.
    { talk; asks e ''; stood '"d"'; } >in
    finds claude-code "5: unreached: the agent loads '4 of 5' messages" "$(other 6 d)"
    { talk; asks x none; asks e d; stood '"b","explicit":true'; } >in
    finds claude-code "5: unreached: the agent loads '2 of 3' messages" "$(other 7 b)"
    { talk; stood 'null,"explicit":true'; } >in
    finds claude-code "1: unreached: the agent loads '0 of 4' messages" "$(other 5 null)"
    # A record that is not there is none, and neither is one before a compaction; but time says nothing then.
    { talk; stood '"z"'; } >in
    finds claude-code
    { talk | timed 1 | sed '3{h;d};4G'; stood '"z"'; } >in
    finds claude-code "3: unreached: the agent loads '3 of 4' messages" "4: other-branch: parent 'b' comes before messages that do not follow it"
    { talk; stood '"d"'; claude system e null '"subtype":"compact_boundary"'; asks f e; } >in
    finds claude-code
}

@test "doctor: claude-code: what hangs beside the chain is loaded, too" {
    local block='"message":{"id":"m","role":"assistant","content":[{"type":"tool_use","name":"f","input":{},"id"'
    local result='"message":{"role":"user","content":[{"type":"tool_result","content":"r","tool_use_id"'
    {
        asks a null
        claude assistant b1 a "$block:\"t1\"}]}"
        claude assistant b2 b1 "$block:\"t2\"}]}"
        claude user r1 b1 "$result:\"t1\"}]}"
        claude user r2 b2 "$result:\"t2\"}]}"
        answers c r2
    } >in
    finds claude-code
    # Both lines of the answer hang on the question.
    sed -i 's/"parentUuid":"b1","uuid":"b2"/"parentUuid":"a","uuid":"b2"/' in
    finds claude-code
    {
        talk
        claude system e null '"subtype":"compact_boundary","compactMetadata":{"preservedMessages":{"anchorUuid":"f","uuids":["c","d"]}}'
        claude user f e '"isCompactSummary":true,"message":{"role":"user","content":"sum"}'
        asks g f
    } >in
    finds claude-code
    sed -i 's/"preservedMessages":{[^}]*}/"preservedSegment":{"headUuid":"c","anchorUuid":"f","tailUuid":"d"}/' in
    finds claude-code
}

@test "doctor: claude-code: a sub-agent's records are none of the conversation; empty thinking is sent" {
    { claude user x null '"isSidechain":true,"message":{"role":"user","content":"x"}'; talk; } >in
    finds claude-code
    claude user x null '"isSidechain":true,"message":{"role":"user","content":"x"}' >in
    finds claude-code "1: unreached: the agent loads '0 of 1' messages"
    { talk; claude assistant e d '"message":{"id":"me","role":"assistant","content":[{"type":"thinking","thinking":"","signature":"c2ln"},{"type":"text","text":"e"}]}'; } >in
    finds claude-code "5: empty-thinking: thinking with the signature 'c2ln' is empty, which the API refuses"
}

@test "doctor: codex: the header, times and the last ordinal" {
    { header; item user a; item assistant b; } >in
    finds codex
    sed -i 1d in
    finds codex "1: unreached: the agent loads '0 of 2' messages" "1: no-header: header 'session_meta' is missing"
    { header | sed 's/"cwd":"\/",//'; item user a; } >in
    finds codex "2: unreached: the agent loads '0 of 1' messages" "1: no-member: member 'cwd' is missing"
    { header | sed 's/01990000-/s-/'; item user a; } >in
    finds codex "2: unreached: the agent loads '0 of 1' messages" \
        "1: bad-value: value 's-0000-7000-8000-000000000001' is refused by the agent"
    { header '"history_mode":"new"'; item user a; } >in
    finds codex "2: unreached: the agent loads '0 of 1' messages" "1: bad-value: value 'new' is refused by the agent"
    { header; item user a; item assistant b; item user c; } | sed '2s/"timestamp":"[^"]*",//;3s/"2026[^"]*"/7/' >in
    finds codex "2: unreached: the agent loads '1 of 3' messages" "2: no-member: member 'timestamp' is missing" \
        "3: bad-value: value '7' is refused by the agent"
    { header '"history_mode":"paginated"'; item user a; item assistant b; } >in
    finds codex "2: unreached: the agent loads '0 of 2' messages" "3: no-member: member 'ordinal' is missing"
    { header '"history_mode":"paginated"'; item user a; item assistant b '"ordinal":9'; } >in
    finds codex
    local ordinal
    cp in ordered
    for ordinal in '"1"' 1.5 1.0 1e0 -1 18446744073709551616 99999999999999999999; do
        sed "2s/}\$/,\"ordinal\":$ordinal}/" ordered >in
        finds codex "2: unreached: the agent loads '1 of 2' messages" "2: bad-value: value '${ordinal//\"/}' is refused by the agent"
    done
    for ordinal in 0 null 18446744073709551615; do
        sed "2s/}\$/,\"ordinal\":$ordinal}/" ordered >in
        finds codex
    done
}

@test "doctor: codex: the header is the first line that is not blank, and has its own time" {
    local missing="1: no-header: header 'session_meta' is missing"
    { raw ''; header; item user a; } >in
    finds codex
    { codex event_msg '"type":"task_started"'; header; item user a; } >in
    finds codex "3: unreached: the agent loads '0 of 1' messages" "$missing"
    { raw torn; header; item user a; } >in
    status_of 1 ctx-normalize --check --from codex in 2>err
    same 'a torn first line' <(sed '/: to mend it: /d;s/^ctx-normalize: in://' err | tail -n 2) <(raw "3: unreached: the agent loads '0 of 1' messages" "$missing")
    ctx-normalize --from codex in >log 2>err || may 65
    (ctx-normalize --repair --into in <log >mended || may 65) 2>err
    same 'mended' <(sed 1d mended) in
    [[ $(head -n 1 mended) == *'"type":"session_meta"'* ]]
    { header | sed 's/"timestamp":"2026[^"]*",//'; item user a; } >in
    finds codex "2: unreached: the agent loads '0 of 1' messages" "1: no-member: member 'timestamp' is missing"
}

@test "doctor: pi: without a header nothing is loaded, and nothing before a parent that is not there" {
    { pi_header; path; } >in
    finds pi
    path >in
    finds pi "1: unreached: the agent loads '0 of 4' messages" "1: no-header: header 'session' is missing"
    { pi_header; path none; } >in
    finds pi "2: unreached: the agent loads '2 of 4' messages" "4: dangling-parent: parent 'none' is not in the file"
    { pi_header; path ''; } >in
    finds pi "2: unreached: the agent loads '2 of 4' messages" "4: no-parent: parent '' names no record"
    { pi_header; path; } | sed '3s/"parentId":"a"/"parentId":"d"/' >in
    finds pi "2: unreached: the agent loads '0 of 4' messages" "3: parent-cycle: parent 'd' follows the record itself"
    { pi_header; path; } | sed '4s/"user","content":.*/"toolResult","toolCallId":"t","content":"r"}}/' >in
    finds pi "2: unreached: the agent loads '0 of 4' messages" "4: bad-value: value 'r' is refused by the agent" \
        "4: orphan-result: result 't' answers no call"
    # The first version has neither ids nor a version.
    { pi_header | sed 's/"version":3,//'; path | sed -E 's/"(id|parentId)":("[a-d]"|null),//g'; } >in
    finds pi
    { pi_header; path | sed -E 's/"(id|parentId)":("[a-d]"|null),//g'; } >in
    finds pi "2: unreached: the agent loads '1 of 4' messages" "5: no-parent: parent '' names no record"
}

@test "doctor: gemini-cli: the header anywhere, ids, and texts that are taken for commands" {
    local header='{"sessionId":"s","projectHash":"h"}'
    { gemini user a; gemini gemini b; raw "$header"; } >in
    finds gemini-cli
    { raw '{"sessionId":"s"}'; gemini user a; } >in
    finds gemini-cli "2: unreached: the agent loads '0 of 1' messages" "1: no-header: header 'sessionId projectHash' is missing"
    { raw "$header"; gemini user a ''; gemini gemini b; gemini user c '"id":7,'; } >in
    finds gemini-cli "2: unreached: the agent loads '1 of 3' messages" "2: no-member: member 'id' is missing" \
        "4: bad-value: value '7' is refused by the agent"
    { raw "$header"; gemini user ' /etc is full'; gemini gemini b; gemini user '?'; } >in
    finds gemini-cli "2: unreached: the agent loads '1 of 2' messages" \
        "2: command-text: text ' /etc is full' is taken for a command and not sent" \
        "4: command-text: text '?' is taken for a command and not sent"
    # One document of all messages, each result of which is a message, too.
    raw '{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"a"},{"type":"gemini","content":"b","toolCalls":[{"id":"c","name":"f","args":{},"result":[{"functionResponse":{"id":"c","name":"f","response":{"output":"r"}}}]}]}]}' >in
    finds gemini-cli "1: unreached: the agent loads '1 of 3' messages" "1: no-member: member 'id' is missing"
    # On one line that is all of the file, too, when it is no header; with a line beside it nothing is loaded of it.
    jq -c 'del(.projectHash)' in >alone
    for line in '' '{"id":"9","type":"user","content":"d"}' torn; do
        { cat alone; echo "$line"; } >in
        case $line in
        '') finds gemini-cli ;;
        torn) [[ $(ctx-normalize --check --from gemini-cli in 2>&1) == *"in:1: unreached: the agent loads '0 of 3' messages"* ]] ;;
        *) finds gemini-cli "1: unreached: the agent loads '0 of 4' messages" "1: no-member: member 'projectHash' is missing" "1: no-member: member 'id' is missing" ;;
        esac
    done
    # Nor of the line beside it.
    { jq -c '.messages |= .[:1]' alone; gemini user d; } >in
    finds gemini-cli "1: unreached: the agent loads '0 of 2' messages" "1: no-member: member 'projectHash' is missing"
    # What is lost with its record is not lost again.
    { raw "$header"; cat alone; gemini user d; } >in
    finds gemini-cli "2: no-member: member 'projectHash' is missing" "2: no-member: member 'id' is missing"
    { echo torn; cat alone; } >in
    [[ $(ctx-normalize --check --from gemini-cli in 2>&1) == *"in:2: unreached: the agent loads '0 of 3' messages"* ]]
    jq -c 'del(.sessionId)' alone >in
    finds gemini-cli "1: unreached: the agent loads '0 of 3' messages" "1: no-member: member 'sessionId' is missing"
    jq -c '.projectHash = "h"' alone >in
    # Over several lines it is read as a whole, and ids are not asked for.
    jq . in >spread && mv spread in
    finds gemini-cli
    # It needs no more than the session's id then.
    jq 'del(.projectHash)' in >spread && mv spread in
    finds gemini-cli
    jq 'del(.sessionId)' in >spread && mv spread in
    finds gemini-cli "1: unreached: the agent loads '0 of 3' messages" "1: no-member: member 'sessionId' is missing"
    { raw '{"sessionId":"","projectHash":"h"}'; gemini user a; } >in
    finds gemini-cli "2: unreached: the agent loads '0 of 1' messages" "1: no-header: header 'sessionId projectHash' is missing"
}

@test "doctor: opencode: a file goes in as a whole, or not at all" {
    local lost="1: unreached: the agent loads '0 of 2' messages"
    opencode slug agent messageID >in
    finds opencode "$lost" "1: no-member: member 'slug' is missing" "1: no-member: member 'agent' is missing" \
        "1: no-member: member 'messageID' is missing"
    opencode '' '' '' | sed 's/"prt_1"/"p1"/;s/"type":"text","text":"b"/"type":"new","text":"b"/' >in
    finds opencode "$lost" "1: bad-value: value 'p1' is refused by the agent" "1: bad-value: value 'new' is refused by the agent"
    opencode '' '' '' | jq -c '.messages[]' >in
    finds opencode "$lost" "1: no-header: header 'info' is missing"
}

@test "doctor: of many faults ten are named, -v names all and weighs the file, and the report counts" {
    { header; for i in {1..13}; do item user "$i" | sed 's/"timestamp":"[^"]*",//'; done; codex event_msg '"type":"user_message","message":"13"'; } >in
    status_of 1 ctx-normalize --check --from codex in 2>err
    [[ $(grep -c no-member err) == 10 && $(tail -n 2 err | head -n 1) == 'ctx-normalize: and 3 more' ]]
    # What is to be typed next.
    [[ $(tail -n 1 err) == 'ctx-normalize: to mend it: ctx-normalize in | ctx-normalize --repair --into in -o NEW' ]]
    status_of 1 ctx-normalize -v --check --from codex --report report in 2>err
    [[ $(grep -c no-member err) == 13 && $(tail -n 1 err) == *'; of 1739 bytes, beside the conversation: 104 user_message' ]] || fail "$(tail -n 1 err)"
    jq -c '[.found, .loaded, .weight]' report >got
    raw '[{"unreached":1,"no-member":13},[{"file":"in","messages":13,"reached":0,"missed":[2,3,4,5,6,7,8,9,10,11,12,13,14]}],{"user_message":104}]' | same report - got
}

@test "doctor: files are judged one by one, and standard input, too" {
    talk >in
    { talk; claude system s b; } | sed 's/"\(m\?[a-d]\)"/"\1x"/g' >other
    status_of 1 ctx-normalize --check --from claude-code in other 2>err
    raw "ctx-normalize: other:3: unreached: the agent loads '2 of 4' messages" \
        "ctx-normalize: other:5: other-branch: parent 'bx' comes before messages that do not follow it" \
        'ctx-normalize: to mend it: ctx-normalize other | ctx-normalize --repair --into other -o NEW' | same files - err
    # Nothing mends a value of a wrong kind.
    opencode slug '' '' >in
    status_of 1 ctx-normalize --check --from opencode in 2>err
    ! grep -q 'to mend' err || fail 'found'
    status_of 1 ctx-normalize --check --from claude-code <other 2>err
    sed 's/other:/-:/' <<<"ctx-normalize: other:3: unreached: the agent loads '2 of 4' messages" | same 'standard input' - <(head -n 1 err)
}

@test "doctor: members that are missing, doubled or of a wrong type do no harm, and chains of any length are walked" {
    local agent
    for agent in claude-code codex pi gemini-cli opencode; do
        for value in null 7 '"x"' '[]' '{}' '[[{}]]' true; do
            for name in type uuid parentUuid message id parentId timestamp payload info messages parts content compactMetadata ordinal; do
                printf '{"type":"user","%s":%s,"%s":{"type":"message","role":"user","content":"a"},"%s":%s}\n' "$name" "$value" "$name" "$name" "$value"
            done
        done >in
        ctx-normalize --check --from "$agent" in >out 2>err || may 1 65
    done
    awk -v said=',"message":{"role":"user","content":"a"}' 'BEGIN { for (i = 0; i < 200000; i++) printf "{\"type\":\"%s\"%s,\"uuid\":\"u%d\",\"parentUuid\":\"u%d\"}\n", i % 2 ? "user" : "progress", i % 2 ? said : "", i, (i + 199999) % 200000 }' >in
    status_of 1 timeout 60 ctx-normalize --check --from claude-code in 2>err
    sed 's/.*: //' err | same 'a circle' - <(raw "parent 'u0' follows the record itself")
}

@test "doctor: hostile files take time that is linear in their size" {
    local shape records=100000
    # The sanitizers take many times as long.
    ! grep -q __asan_init "$CTX_BIN/ctx-normalize" || records=25000
    for shape in circle dangling same ladder bridges; do
        awk -v shape="$shape" -v n="$records" 'BEGIN { for (i = 0; i < n; i++) {
            id = shape == "same" ? 0 : i
            parent = shape == "circle" ? (i + n - 1) % n : shape == "dangling" ? -1 - i : shape == "same" ? 0 : shape == "ladder" ? i * 7919 % n : i - 1
            printf "{\"type\":\"%s\",\"uuid\":\"u%d\",\"parentUuid\":\"u%d\",\"timestamp\":\"2026-01-01T%02d:%02d:%02dZ\",\"message\":{\"role\":\"user\",\"content\":\"a\"}}\n", \
                shape == "bridges" && i < n - 1 ? "progress" : "user", id, parent, i / 3600, i / 60 % 60, i % 60
        } }' >in
        printf '%s\n' "$shape"
        ctx-normalize --from claude-code in >log
        (ulimit -t 10; ctx-normalize --check --from claude-code in >out 2>err || may 1; ctx-normalize --repair --into in <log >mended)
        sed 's/"uuid"/"id"/;s/"parentUuid"/"parentId"/;s/"type":"[a-z]*"/"type":"message"/' in >entries
        (ulimit -t 10; { pi_header; cat entries; } | ctx-normalize --check --from pi >out 2>err || may 1)
    done
}

# mends FROM: the file in, repaired, has nothing wrong with it, says what it said, and had its lines but for N changed.
mends() {
    local from=$1 changed=$2
    ctx-normalize --from "$from" in >log
    ctx-normalize --repair --into in <log >mended
    ctx-normalize --from "$from" mended >again
    same "$from: what it says" <(jq -c '[.role, .content, .tool_calls]' log) <(jq -c '[.role, .content, .tool_calls]' again)
    [[ $(diff in mended | grep -c '^>') == "$changed" ]] || fail "$(diff in mended)"
    mv mended in
    finds "$from"
}

@test "doctor: --repair --into links the chain anew, adds what is missing, and changes nothing else" {
    { talk; claude progress p b; asks e p; answers f e; } >in
    mends claude-code 1
    [[ $(sed -n 6p in) == *'"parentUuid":"d"'* ]]
    talk | tac >in
    mends claude-code 4
    talk | timed 1 | tac >in
    mends claude-code 0
    { talk; asks e none; answers f e; claude system s b; } >in
    mends claude-code 2
    { asks a ''; answers b ''; asks c ''; } | sed 's/"uuid":"[^"]*",//' >in
    mends claude-code 3
    { talk; asks e ''; printf '{"type":"last-prompt","leafUuid":"d"}\n'; } >in
    mends claude-code 2
    [[ $(sed -n 6p in) == '{"type":"last-prompt","leafUuid":null}' ]]
    { talk; printf '{"type":"last-prompt","leafUuid":"b","explicit":true}\n'; } >in
    ctx-normalize in | ctx-normalize --repair --into in | same 'where the user went' in -
    { talk; asks e b; answers f e; printf '{"type":"last-prompt","leafUuid":"d"}\n'; } >in
    ctx-normalize in | ctx-normalize --repair --into in | same 'where the user stood' in -
    # What the user left stays where it is.
    { talk; asks e b; answers f e; claude system s e; } >in
    mends claude-code 1
    ctx-normalize in >out
    [[ $(wc -l <out) == 5 ]]
    path >in
    mends pi 1
    { pi_header; path none; } >in
    mends pi 1
    { pi_header; path | sed -E 's/"(id|parentId)":("[a-d]"|null),//g'; } >in
    mends pi 4
    { item user a; item assistant b; } >in
    mends codex 1
    { header '"history_mode":"paginated"' | sed 's/"cwd":"\/",//'; item user a; item assistant b; } >in
    mends codex 2
    { gemini user a ''; gemini gemini b; } >in
    mends gemini-cli 2
    # One message alone is a line, before which a header goes. Over several lines it stays what it is.
    gemini user a '"id":"a","timestamp":"2026-01-01T00:00:00.000Z",' >in
    jq . in >spread
    mends gemini-cli 1
    same 'the header first' <(echo '["user"]') <(jq -c 'select(.type) | [.type]' in)
    mv spread in
    ctx-normalize in | ctx-normalize --repair --into in | same 'over several lines' in -
    finds gemini-cli "1: unreached: the agent loads '0 of 1' messages" "1: bad-value: value 'user' is refused by the agent"
    # A document gets what it lacks itself, on one line or on several.
    raw '{"messages":[{"type":"user","content":"a"},{"id":"2","type":"gemini","content":"b"}]}' >in
    jq . in >spread
    mends gemini-cli 1
    jq -c '[keys, (.messages | map(keys))]' in | same 'on one line' - <(raw '[["messages","projectHash","sessionId"],[["content","id","type"],["content","id","type"]]]')
    mv spread in
    jq -c '.messages' in >messages
    mends gemini-cli 1
    jq -c '.messages' in | same 'on several' messages -
    jq -c 'keys' in | same 'of the session' - <(raw '["messages","sessionId"]')
}

@test "doctor: --repair --into leaves a sound file as it is" {
    local agent
    for agent in claude-code codex pi gemini-cli; do
        for file in "$FIXTURES/$agent"-*.jsonl; do
            cp "$file" in
            ctx-normalize --from "$agent" in >log
            ctx-normalize --repair --into in <log | same "$file" in -
        done
    done
}

@test "doctor: half of a character, for which an API refuses the session, is named and mended, and stays without --repair" {
    local agent at name
    {
        raw '{"role":"user","content":"a\ud83d, \ud83d\ude00"}'
        raw '{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"write","arguments":"{\"path\":\"x\",\"content\":\"b\\udc00\"}"}}]}'
        raw '{"role":"tool","tool_call_id":"c","content":"ok"}'
    } >log
    # In a log, --repair replaces it, in arguments, too.
    ctx-normalize log | cmp - log
    ctx-normalize --repair log >mended
    same 'log' - mended <<'END'
{"role":"user","content":"a\ufffd, \ud83d\ude00"}
{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"write","arguments":"{\"path\":\"x\",\"content\":\"b\\ufffd\"}"}}]}
{"role":"tool","tool_call_id":"c","content":"ok"}
END
    for agent in claude-code pi gemini-cli opencode codex; do
        ctx-normalize --to "$agent" log >made
        ! grep -v 'ud83d.ude00' made | grep 'ud83d\|udc00' || fail "$agent: $(<made)"
        sed 's/a\\ufffd/a\\ud83d/g' made >in
        at=$(grep -n -m 1 'a\\ud83d' in | cut -d : -f 1) name=$(basename "$PWD/in")
        status_of 1 ctx-normalize --check --from "$agent" in 2>err
        grep -q "^ctx-normalize: $name:$at: lone-surrogate: escape '.ud83d' is half of a character" err || fail "$agent: $(<err)"
        grep -q 'to mend it: ctx-normalize in | ctx-normalize --repair --into in' err || fail "$agent: $(<err)"
        ctx-normalize in | ctx-normalize --into in | cmp - in
        ctx-normalize in | ctx-normalize --repair --into in | cmp - made
        ctx-normalize --repair in | ctx-normalize --into in >out
        ctx-normalize out | grep -q 'a\\ufffd' || fail "$agent: $(<out)"
        # The start of a torn record is no JSON: it stays.
        [ "$(wc -l <made)" -gt 1 ] || continue
        { cat in; raw '{"torn":"\ud83d'; } >torn
        { ctx-normalize torn 2>err || true; } >messages
        status_of 65 ctx-normalize --repair --into torn messages >out 2>err
        { cat made; raw '{"torn":"\ud83d'; } | cmp - out
    done
    # A branch that the user left, turns that were taken back and records that were replaced are not sent.
    claude user h b '"message":{"role":"user","content":"\ud83d"}' >half
    { talk | sed 2q; cat half; talk | sed 1,2d; } >in
    finds claude-code
    ctx-normalize --from claude-code in | ctx-normalize --repair --into in | cmp - in
    { talk | sed 2q; cat half; } >in
    finds claude-code "3: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses"
    { pi_header; path; raw '{"type":"message","id":"h","parentId":"b","message":{"role":"user","content":"\ud83d"}}'; } >in
    finds pi "6: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses"
    { cat in; raw '{"type":"message","id":"i","parentId":"d","message":{"role":"user","content":"e"}}'; } >left
    mv left in
    finds pi
    { header; item user a; item assistant b; item user '\ud83d'; item assistant '\udc00'; } >in
    finds codex "4: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses" \
        "5: lone-surrogate: escape '\\udc00' is half of a character, which the API refuses"
    raw '{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}' >>in
    finds codex
    { item user c; item assistant d; item assistant 'e\ud83d'; } >>in
    finds codex "9: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses"
    { raw '{"sessionId":"s","projectHash":"h"}'; gemini user 'a\ud83d' '"id":"1",'; gemini user b '"id":"1",'; gemini gemini 'c\ud83d'; } >in
    finds gemini-cli "4: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses"
    # Of a document each message counts.
    raw '{"sessionId":"s","projectHash":"\ud83d","messages":[{"id":"1","type":"user","content":"a"},{"id":"2","type":"gemini","content":"\ud83d"}]}' >in
    finds gemini-cli "1: lone-surrogate: escape '\\ud83d' is half of a character, which the API refuses"
    # Arguments that are JSON in a string have the escape as a text, in which no API sees it.
    { header; item user a; raw '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{\"a\":\"\\ud83d\"}","call_id":"c"}}' \
        '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"r"}}'; } >in
    finds codex
    ctx-normalize in | ctx-normalize --repair --into in | cmp - in
    ctx-normalize --repair in | ctx-normalize --into in | cmp - <(sed 's/ud83d/ufffd/' in)
    # What an agent notes beside a message is not sent.
    { talk; claude assistant e d '"toolUseResult":"\ud83d","message":{"id":"me","role":"assistant","content":"e"}'; } >in
    finds claude-code
}
