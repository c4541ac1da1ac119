#!/usr/bin/env bats
#
# ctx-normalize --to X, and --from X of that: the same messages, but for what --to counted as having no place.

load helper

formats='claude-code codex pi gemini-cli opencode openai anthropic responses gemini ai-sdk sharegpt instructor instructor-storage'

# session N: a canonical session, which N tells: parallel calls, errors, images, thinking, texts in two parts, empty
# and non-ASCII texts, calls without arguments, ids that come back, and texts between calls.
session() {
    awk -v n="$1" '
        function random(below) { seed = (seed * 1103515245 + 12345) % 2147483648; return int(seed / 65536) % below }
        function text() { return word[1 + random(words)] " " ++said }
        function part(t) { return "{\"type\":\"text\",\"text\":\"" t "\"}" }
        function image() { return "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"media_type\":\"image/png\",\"data\":\"" substr("QUJD" ++said "AAAA", 1, 8) "\"}}" }
        function thought() {
            thought_of = "{\"type\":\"thinking\",\"thinking\":\"" text() "\""
            return thought_of (random(2) ? ",\"signature\":\"U2ln\"}" : "}")
        }
        function content(images) {
            if (random(9) == 0) return "\"\""
            if (random(3)) return "\"" text() "\""
            return "[" part(text()) (random(2) ? "," part(text()) : "") (images && random(2) ? "," image() : "") "]"
        }
        function time() { return sprintf("\"timestamp\":\"2026-05-01T09:%02d:%02d.000Z\"", clock / 60 % 60, clock++ % 60) }
        function say(role, rest) { print "{\"role\":\"" role "\"," rest "}" }
        function answer(    calls, i, id, list, words) {
            calls = random(4)
            words = random(3) ? "[" (random(2) ? thought() "," : "") part(text()) (random(3) ? "" : "," part(text())) "]" : "null"
            if (calls == 0) { say("assistant", "\"content\":" (words == "null" ? "\"" text() "\"" : words) ",\"metadata\":{" time() ",\"model\":\"m\"}"); return }
            for (i = 1; i <= calls; i++) {
                id[i] = "call_" (random(5) ? ++ids : 1)
                list = list (i > 1 ? "," : "") "{\"id\":\"" id[i] "_" i "\",\"type\":\"function\",\"function\":{\"name\":\"" name[1 + random(3)] "\"" argument[1 + random(4)] "}}"
            }
            say("assistant", "\"content\":" words ",\"tool_calls\":[" list "],\"metadata\":{" time() ",\"model\":\"m\"}")
            for (i = 1; i <= calls; i++)
                say("tool", "\"tool_call_id\":\"" id[i] "_" i "\",\"content\":" content(1) ",\"metadata\":{" time() (random(4) ? "" : ",\"is_error\":true") "}")
        }
        BEGIN {
            seed = n * 7919 + 17
            words = split("How deep is it?|Tief: 4,2 m — \\u00fc|港は深い|a\\nb|\\ttabs and \\\"quotes\\\"|<b>&amp;</b>|{\\\"k\\\":[1]}|\\ud83d\\ude00 smile", word, "|")
            split("sound read_file run-shell", name, " ")
            split(",\"arguments\":\"{}\";;,\"arguments\":\"{\\\"at\\\":\\\"quay 港\\\",\\\"n\\\":[1,2.50,null]}\";,\"arguments\":\"\"", argument, ";")
            say("user", "\"content\":\"" text() "\",\"metadata\":{" time() "}")
            for (i = 0; i < 12; i++) {
                if (random(3) == 0) say("user", "\"content\":" content(1) ",\"metadata\":{" time() "}")
                else answer()
            }
        }' </dev/null
}

# neutral: what the messages say, however they are spelled: texts and images of neighbours of one role together, calls
# and results by the number of the call.
neutral() {
    jq -c -n '
        def blank: test("^\\s*$");
        def parts: (.content // "") | if type == "string" then [{type: "text", text: .}] elif type == "array" then map(if type == "string" then {type: "text", text: .} else . end) else [{type: "text", text: tojson}] end;
        def thinks: (.type // "") | test("thinking|reasoning");
        def shown: (.type // "") | test("image") ;
        def url: if .source.data then "data:\(.source.media_type);base64,\(.source.data)" else (.image_url.url? // .image_url? // .source.url? // "") end;
        def arguments: if . == null or . == "" then {} else (objects // fromjson? // {arguments: .}) | if type == "object" then . else {arguments: .} end end;
        def role: if . == "developer" then "system" else . end;
        reduce inputs as $m ({out: [], ids: {}, n: 0};
            ($m | parts) as $parts |
            {role: ($m.role | role), text: [$parts[] | select(thinks or shown | not) | .text // .refusal // "[\(.type)]" | select(blank | not)],
             images: [$parts[] | select(shown) | url], calls: []} as $new |
            (reduce ($m.tool_calls // [])[] as $c ({ids, n, calls: []}; .n += 1 | .ids[$c.id] = .n | .calls += [[.n, ($c.function | .name? // $c.name), ($c.function | .arguments? // $c.arguments | arguments)]])) as $noted |
            .ids = $noted.ids | .n = $noted.n | ($new + {calls: $noted.calls}) as $new |
            if $m.role == null then .
            elif $m.role == "tool" then .out += [{result: .ids[$m.tool_call_id // $m.tool_result.call_id], text: ($new.text | join("\n")), images: $new.images}]
            elif ($new.text + $new.images + $new.calls) == [] then .
            elif .out[-1].role? == $new.role then .out[-1].text += $new.text | .out[-1].images += $new.images | .out[-1].calls += $new.calls
            else .out += [$new] end) |
        .out[] | if .role then .text |= join("\n") else . end' "$1"
}

# counted FILE: which results are errors, and how many parts of thinking say something.
counted() {
    jq -s -c '{errors: [.[] | select(.role == "tool") | .metadata.is_error == true],
        thinking: [.[] | (.content | arrays | .[] | objects | select(.type == "thinking" and (.thinking | test("\\S")))), (.reasoning_content | strings | select(test("\\S")))] | length}' "$1"
}

# goes_round FORMAT FILE: the canonical session there comes back.  What has no place leaves a text, and is counted:
# images beside an error of opencode, and of results of openai and ai-sdk; sharegpt has no part without a text.
# openai and sharegpt have no errors at all.
goes_round() {
    local sent=. placed=. options= no_images= put='if .type | test("image") then {type: "text", text: "[image]"} else . end'
    case $1 in
    # Their places are another matter.
    anthropic | gemini) options='--system keep' ;;
    claude-code | pi | gemini-cli | opencode) sent='select(.role != "system" and .role != "developer")' ;;
    esac
    case $1 in
    opencode) no_images='.metadata.is_error == true' ;;
    openai | ai-sdk) no_images='.role == "tool"' ;;
    sharegpt) no_images=true put='select(.text // .refusal)' ;;
    esac
    [[ ! $no_images ]] || placed="if $no_images and (.content | type) == \"array\" then
        .content |= [.[] | $put] else . end"
    case $1 in
    openai | sharegpt) sent+=' | del(.metadata.is_error)' ;;
    esac
    jq -c "$sent" "$2" >wanted
    # shellcheck disable=SC2086
    ctx-normalize --report report --to "$1" $options wanted >written 2>said || fail "$1 $2: $(<said)"
    ctx-normalize --report again --from "${1%-storage}" written >back 2>said || fail "$1 $2: $(<said)"
    same "$1: ${2##*/}" <(jq -c "$placed" wanted | neutral /dev/stdin) <(neutral back)
    same "$1: ${2##*/}: told by itself" back <(ctx-normalize written)
    same "$1: ${2##*/}: errors and thinking that are not the same, and what was counted" <(
        { counted wanted; counted back; } | jq -s -c '[([.[0].errors, .[1].errors] | transpose | map(select(.[0] != .[1])) | length), .[0].thinking - .[1].thinking]'
    ) <(jq -c '.dropped | [.is_error // 0, ([to_entries[] | select(.key | test("thinking|reasoning")).value] | add // 0)]' report)
}

@test "round trips: generated sessions come back from every format, but for what was counted" {
    local format n
    for n in {1..30}; do
        session "$n" >in
        for format in $formats; do
            goes_round "$format" in
        done
    done
    rm -f wanted written back report again said
}

# real FILE: the one session of the real file, whole, without what no format has, into in; or fails.  The user begins,
# as for the APIs that want it.
real() {
    ctx-normalize --lossy "$1" 2>said |
        jq -c 'objects | select((.role | strings) and (has("content") or has("tool_calls")) and .metadata.agent_id == null)' |
        ctx-normalize --open-calls close >in 2>said || [[ $? == 65 ]]
    [[ -s in && $(jq -c .metadata.session_id in | sort -u | wc -l) == 1 ]] || return
    [[ $(jq -n -r 'first(inputs | select(.role != "system" and .role != "developer")).role' in) == user ]]
}

# bats test_tags=slow
@test "round trips: real sessions come back from every format, but for what was counted" {
    local format file count=0
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    while read -r file; do
        real "$file" || continue
        for format in $formats; do
            goes_round "$format" in || fail "$file"
        done
        count=$((count + 1))
    done < <(find "$CTX_SHARED" -type f ! -name 'storage_*' ! -name SOURCES.tsv -size -200k | sort)
    ((count > 100))
    rm -f wanted written back report again said
}
