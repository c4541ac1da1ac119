# agent-session.awk -v kind=codex|pi|gemini-cli|claude-code -v seed=N -v count=N: a random session file of that agent, so many
# records long, in which later records take back earlier ones.
function r(n) { return int(rand() * n) }
function j(type, payload) { printf "{\"timestamp\":\"t%d\",\"type\":\"%s\",\"payload\":%s}\n", NR2++, type, payload }
function item(t, m) { j("response_item", "{\"type\":\"" t "\"," m "}") }
function part(role, text) { return "\"role\":\"" role "\",\"content\":[{\"type\":\"" (role=="assistant"?"output_text":"input_text") "\",\"text\":\"" text "\"}]" }
# A first result behind the user's next words would stay in a pipe where a rollback takes it from a file.
function codex(   k, n, i, s) {
    k = r(14)
    if (k < 4) { item("message", part("user", "U" ++u)); late = is_answered }
    else if (k < 6) item("message", part("assistant", "A" ++u))
    else if (k < 8) { item("function_call", "\"call_id\":\"c" ++c "\",\"name\":\"f\",\"arguments\":\"{}\""); late = 1; if (is_answered = r(3) > 0) item("function_call_output", "\"call_id\":\"c" c "\",\"output\":\"o" c "\"") }
    else if (k < 9 && late) item("function_call_output", "\"call_id\":\"c" c "\",\"output\":\"late\"")
    else if (k < 10) item("reasoning", "\"summary\":[{\"type\":\"summary_text\",\"text\":\"T" ++u "\"}]")
    else if (k < 11) j("event_msg", "{\"type\":\"thread_rolled_back\",\"num_turns\":" r(3) "}")
    else if (k < 12) {
        s = ""; n = r(3)
        for (i = 0; i < n; i++) s = s "{\"type\":\"message\"," part(r(2) ? "user" : "assistant", "R" ++u) "},"
        j("compacted", "{\"message\":\"m\",\"replacement_history\":[" s "{\"type\":\"message\"," part("user", "Another language model started to solve " ++u) "}]}")
    } else if (k < 13 && r(3) == 0) j("compacted", "{\"message\":\"sum" ++u "\"}")
    else j("event_msg", "{\"type\":\"token_count\",\"info\":{\"last_token_usage\":{\"input_tokens\":" ++u "}}}")
}
function entry(type, rest,   p) {
    p = (e == 0) ? "null" : "\"e" (r(5) ? e : 1 + r(e)) "\""
    e++
    printf "{\"type\":\"%s\",\"id\":\"e%d\",\"parentId\":%s,\"timestamp\":\"t\",%s}\n", type, e, p, rest
}
function pi(   k) {
    k = r(12)
    if (k < 4) entry("message", "\"message\":{\"role\":\"user\",\"content\":\"U" ++u "\"}")
    else if (k < 6) entry("message", "\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"A" ++u "\"}]}")
    else if (k < 8) entry("message", "\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c" ++c "\",\"name\":\"f\",\"arguments\":{}}]}")
    else if (k < 9 && c) entry("message", "\"message\":{\"role\":\"toolResult\",\"toolCallId\":\"c" (r(2) ? c : 1 + r(c)) "\",\"toolName\":\"f\",\"content\":[{\"type\":\"text\",\"text\":\"o" ++u "\"}]}")
    else if (k < 10) entry("model_change", "\"x\":1")
    else if (k < 11 && e) entry("compaction", "\"summary\":\"S" ++u "\",\"firstKeptEntryId\":\"e" (1 + r(e)) "\"")
    else if (e) entry("branch_summary", "\"summary\":\"B" ++u "\"")
}
function said(id,   k) {
    k = r(3)
    if (k == 0) return "{\"id\":\"" id "\",\"timestamp\":\"t\",\"type\":\"user\",\"content\":\"U" ++u "\"}"
    if (k == 1) return "{\"id\":\"" id "\",\"timestamp\":\"t\",\"type\":\"gemini\",\"content\":\"G" ++u "\"}"
    ++c
    return "{\"id\":\"" id "\",\"timestamp\":\"t\",\"type\":\"gemini\",\"content\":\"G" ++u "\",\"toolCalls\":[{\"id\":\"c" c "\",\"name\":\"f\",\"args\":{}" (r(2) ? ",\"result\":[{\"functionResponse\":{\"id\":\"c" c "\",\"name\":\"f\",\"response\":{\"output\":\"o" u "\"}}}]" : "") "}]}"
}
function gemini_cli(   k, n, i, s) {
    k = r(12)
    if (k < 6) print said("m" ++e)
    else if (k < 9 && e) print said("m" (r(3) ? e : 1 + r(e)))
    else if (k < 10 && e) printf "{\"$rewindTo\":\"m%d\"}\n", 1 + r(e + 1)
    else if (k < 11 && r(2)) {
        s = ""; n = r(4)
        for (i = 0; i < n; i++) s = s (i ? "," : "") said(r(2) && e ? "m" (1 + r(e)) : "m" ++e)
        printf "{\"$set\":{\"messages\":[%s]}}\n", s
    } else print "{\"$set\":{\"lastUpdated\":\"x\"}}"
}
# A line of Claude Code, which follows the newest one of its agent, or now and then an older one.
function line(type, agent, rest,   p) {
    p = !(agent in newest) || r(60) == 0 ? "null" : "\"u" (r(14) ? newest[agent] : 1 + r(e)) "\""
    newest[agent] = ++e
    printf "{\"type\":\"%s\",\"uuid\":\"u%d\",\"parentUuid\":%s,\"sessionId\":\"S\",\"isSidechain\":%s,%s\"timestamp\":\"t%d\",%s}\n", type, e, p,
        agent ? "true" : "false", agent ? "\"agentId\":\"a" agent "\"," : "", e, rest
}
function block(   k) {
    k = r(4)
    if (k == 0) return "{\"type\":\"thinking\",\"thinking\":\"T" ++u "\"}"
    if (k < 3) return "{\"type\":\"text\",\"text\":\"A" ++u "\"}"
    return "{\"type\":\"tool_use\",\"id\":\"c" ++c "\",\"name\":\"f\",\"input\":{}}"
}
function found(call) { return "{\"type\":\"tool_result\",\"tool_use_id\":\"c" call "\",\"content\":\"o" ++u "\"}" }
function kept(   i, n, s) {
    if (r(3) == 0) return ""
    if (r(2)) return ",\"preservedSegment\":{\"headUuid\":\"u" (e - r(8)) "\",\"anchorUuid\":\"u" (e + 1 + r(2)) "\",\"tailUuid\":\"u" (e - r(3)) "\"}"
    n = 1 + r(3); s = ""
    for (i = 0; i < n; i++) s = s (i ? "," : "") "\"u" (1 + r(e)) "\""
    return ",\"preservedMessages\":{\"anchorUuid\":\"u" (e + 1 + r(2)) "\",\"uuids\":[" s "]}"
}
function claude_code(   k, agent) {
    k = r(24); agent = r(4) ? 0 : 1 + r(2)
    if (k < 5) line("user", agent, "\"message\":{\"role\":\"user\",\"content\":\"U" ++u "\"}")
    else if (k < 15) {
        if (!(agent in answer) || r(2)) answer[agent] = ++m
        line("assistant", agent, "\"message\":{\"role\":\"assistant\",\"id\":\"m" answer[agent] "\",\"stop_reason\":" (r(5) ? "null" : "\"end_turn\"") ",\"content\":[" block() "]}")
    } else if (k < 19 && c) line("user", agent, "\"message\":{\"role\":\"user\",\"content\":[" found(r(4) ? c : 1 + r(c)) (r(5) ? "" : "," found(1 + r(c))) (r(8) ? "" : ",{\"type\":\"text\",\"text\":\"U" ++u "\"}") "]}")
    else if (k < 20) line("user", agent, "\"isMeta\":true,\"message\":{\"role\":\"user\",\"content\":\"I" ++u "\"}")
    else if (k < 21 && r(2) && e > 8) {
        line("system", agent, "\"subtype\":\"compact_boundary\",\"compactMetadata\":{\"trigger\":\"auto\"" kept() "}")
        if (r(5)) line("user", agent, "\"isCompactSummary\":true,\"message\":{\"role\":\"user\",\"content\":\"S" ++u "\"}")
    } else line("progress", 0, "\"data\":{}")
}
BEGIN {
    srand(seed)
    if (kind == "codex") j("session_meta", "{\"id\":\"S\"}")
    if (kind == "pi") print "{\"type\":\"session\",\"id\":\"S\",\"cwd\":\"/\",\"timestamp\":\"t\"}"
    if (kind == "gemini-cli") print "{\"sessionId\":\"S\",\"projectHash\":\"h\"}"
    for (q = 0; q < count; q++) if (kind == "codex") codex(); else if (kind == "pi") pi(); else if (kind == "claude-code") claude_code(); else gemini_cli()
}
