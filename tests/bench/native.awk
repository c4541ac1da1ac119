# native.awk -v agent=NAME: the stream of generate as a session file of that agent, record by record; what
# agents write beside messages, such as usage and what the user saw, is there too.

# The inside of a string, as the JSON that it spells.
function spelled(text) {
    gsub(/\\\\/, "\001", text)
    gsub(/\\"/, "\"", text)
    gsub(/\001/, "\\", text)
    return text
}

# behind TEXT MARK, before TEXT MARK: what is there.
function behind(text, mark) { return substr(text, index(text, mark) + length(mark)) }
function before(text, mark) { return substr(text, 1, index(text, mark) - 1) }

function codex(type, payload) {
    printf "{\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"type\":\"%s\",\"payload\":%s}\n", type, payload
}

# One content block of Claude Code, or an entry of pi, in the envelope; each follows the one before.
function envelope(type, message) {
    printf "{\"parentUuid\":%s,\"isSidechain\":false,\"sessionId\":\"s\",\"type\":\"%s\",\"message\":%s,\"uuid\":\"u%d\",\"timestamp\":\"2026-01-01T00:00:00.000Z\"}\n", \
        (node > 0 ? "\"u" node "\"" : "null"), type, message, ++node
}
function entry(message) {
    printf "{\"type\":\"message\",\"id\":\"e%d\",\"parentId\":%s,\"timestamp\":\"2026-01-01T00:00:00.000Z\",\"message\":%s}\n", \
        node + 1, (node > 0 ? "\"e" node "\"" : "null"), message
    node++
}

# The blocks of an answer of Claude Code: lines with one id.
function block(content) {
    envelope("assistant", "{\"id\":\"msg_" NR "\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[" content "],\"usage\":{\"input_tokens\":1000,\"output_tokens\":100}}")
}

# Messages of gemini-cli and opencode have the results of their calls in themselves.
function flush_held(    i, parts) {
    if (!has_held)
        return
    for (i = 1; i <= held_calls; i++)
        if (agent == "gemini-cli")
            parts = parts (i > 1 ? "," : "") "{\"id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"args\":" spelled(args[i]) ",\"result\":[{\"functionResponse\":{\"id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"response\":{\"output\":\"" result[id[i]] "\"}}}],\"status\":\"success\"}"
        else
            parts = parts ",{\"id\":\"p" NR "_" i "\",\"type\":\"tool\",\"callID\":\"" id[i] "\",\"tool\":\"" name[i] "\",\"state\":{\"status\":\"completed\",\"input\":" spelled(args[i]) ",\"output\":\"" result[id[i]] "\"}}"
    if (agent == "gemini-cli")
        printf "{\"id\":\"m%d\",\"timestamp\":\"t\",\"type\":\"gemini\",\"content\":\"%s\",\"toolCalls\":[%s],\"model\":\"m\"}\n", ++node, held_text, parts
    else
        printf "{\"info\":{\"id\":\"m%d\",\"sessionID\":\"s\",\"role\":\"assistant\",\"modelID\":\"m\"},\"parts\":[{\"id\":\"p%d\",\"type\":\"text\",\"text\":\"%s\"}%s]}\n", ++node, NR, held_text, parts
    has_held = held_calls = 0
    delete result
}

BEGIN {
    if (agent == "codex")
        codex("session_meta", "{\"id\":\"s\",\"cwd\":\"/\"}")
    else if (agent == "pi")
        print "{\"type\":\"session\",\"id\":\"s\",\"cwd\":\"/\",\"timestamp\":\"t\"}"
    else if (agent == "gemini-cli")
        print "{\"sessionId\":\"s\",\"projectHash\":\"h\"}"
}

/^{"role":"tool"/ {
    rest = behind($0, "\"tool_call_id\":\"")
    call = before(rest, "\"")
    text = behind(rest, "\"content\":\"")
    text = substr(text, 1, length(text) - 2)
    if (agent == "codex")
        codex("response_item", "{\"type\":\"function_call_output\",\"call_id\":\"" call "\",\"output\":\"" text "\"}")
    else if (agent == "responses")
        print "{\"type\":\"function_call_output\",\"call_id\":\"" call "\",\"output\":\"" text "\"}"
    else if (agent == "claude-code")
        envelope("user", "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"" call "\",\"content\":\"" text "\"}]}")
    else if (agent == "pi")
        entry("{\"role\":\"toolResult\",\"toolCallId\":\"" call "\",\"toolName\":\"f\",\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}],\"isError\":false}")
    else
        result[call] = text
    next
}

{
    flush_held()
    role = before(behind($0, "\"role\":\""), "\"")
    # Of the last message of the stream the user's role keeps every line a message of each format.
    if (role == "system")
        role = "user"
    has_calls = index($0, ",\"tool_calls\":[{\"id\":\"call_")
    text = behind($0, "\"content\":\"")
    calls = has_calls ? substr(behind($0, ",\"tool_calls\":["), 1) : ""
    text = has_calls ? before(text, "\",\"tool_calls\":[{\"id\":\"call_") : substr(text, 1, length(text) - 2)
    count = 0
    while (calls != "" && (at = index(calls, "\"arguments\":\"")) > 0) {
        count++
        id[count] = before(behind(calls, "{\"id\":\""), "\"")
        name[count] = before(behind(calls, "\"name\":\""), "\"")
        calls = substr(calls, at + 13)
        at = index(calls, "\"}}")
        args[count] = substr(calls, 1, at - 1)
        calls = substr(calls, at + 3)
    }
    if (agent == "codex") {
        codex("response_item", "{\"type\":\"message\",\"role\":\"" role "\",\"content\":[{\"type\":\"" (role == "assistant" ? "output" : "input") "_text\",\"text\":\"" text "\"}]}")
        codex("event_msg", "{\"type\":\"" (role == "assistant" ? "agent" : "user") "_message\",\"message\":\"" text "\"}")
        for (i = 1; i <= count; i++)
            codex("response_item", "{\"type\":\"function_call\",\"call_id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"arguments\":\"" args[i] "\"}")
        codex("event_msg", "{\"type\":\"token_count\",\"info\":{\"total_token_usage\":{\"input_tokens\":" NR "},\"last_token_usage\":{\"input_tokens\":1000,\"output_tokens\":100}}}")
    } else if (agent == "responses") {
        print "{\"type\":\"message\",\"role\":\"" role "\",\"content\":[{\"type\":\"" (role == "assistant" ? "output" : "input") "_text\",\"text\":\"" text "\"}]}"
        for (i = 1; i <= count; i++)
            print "{\"type\":\"function_call\",\"call_id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"arguments\":\"" args[i] "\"}"
    } else if (agent == "claude-code" && role == "user") {
        envelope("user", "{\"role\":\"user\",\"content\":\"" text "\"}")
    } else if (agent == "claude-code") {
        block("{\"type\":\"text\",\"text\":\"" text "\"}")
        for (i = 1; i <= count; i++)
            block("{\"type\":\"tool_use\",\"id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"input\":" spelled(args[i]) "}")
    } else if (agent == "pi") {
        content = "{\"type\":\"text\",\"text\":\"" text "\"}"
        for (i = 1; i <= count; i++)
            content = content ",{\"type\":\"toolCall\",\"id\":\"" id[i] "\",\"name\":\"" name[i] "\",\"arguments\":" spelled(args[i]) "}"
        entry("{\"role\":\"" role "\",\"content\":[" content "]}")
    } else if (role == "assistant") {
        has_held = 1
        held_text = text
        held_calls = count
    } else if (agent == "gemini-cli") {
        printf "{\"id\":\"m%d\",\"timestamp\":\"t\",\"type\":\"user\",\"content\":[{\"text\":\"%s\"}]}\n", ++node, text
    } else {
        printf "{\"info\":{\"id\":\"m%d\",\"sessionID\":\"s\",\"role\":\"user\"},\"parts\":[{\"id\":\"p%d\",\"type\":\"text\",\"text\":\"%s\"}]}\n", ++node, NR, text
    }
}

END { flush_held() }
