# A session of everything that ctx-project trims by, in random order, of count messages from a seed.
# Each message says its line, its unit and its turn in its metadata. With tree, messages have ids and
# parents, and forget others.
function pick(list,    part, n) { n = split(list, part, "|"); return part[int(rand() * n) + 1] }
# The name of one of the messages; a name may be another message's, too.
function name(n) { return "m" (n % 17 == 0 ? n - 5 : n) }
function kin(    all, some) {
    all = some = ""
    if (rand() < 0.8) all = ",\"id\":\"" name(n) "\""
    if (rand() < 0.6) all = all ",\"parent_id\":" pick("null|\"gone\"|\"" name(n + 3) "\"|" near() "|" near() "|" near() "|" near() "|" near())
    if (rand() < 0.1) {
        some = "\"" name(int(rand() * (n + 4))) "\""
        all = all ",\"forgets\":" pick(some "|[" some "]|[" some ",\"" name(n - 2) "\",7]")
    }
    return all
}
function near() { return "\"" name(n - 1 - int(rand() * rand() * 6)) "\"" }
function put(role, unit, more, beside) {
    if (tree) { n++; more = more kin(); n-- }
    printf "{\"role\":\"%s\",%s\"metadata\":{\"n\":%d,\"unit\":%d,\"turn\":%d%s}}\n", role, beside, ++n, unit, turn, more
}
function text(    all, left) {
    for (left = tree && rand() < 0.2 ? 0 : int(rand() * 40); left > 0; left--) all = all "x"
    return "\"content\":\"" all "\","
}
function answer(    i) {
    i = int(rand() * open) + 1
    put("tool", owner[i], "", "\"tool_call_id\":\"" id[i] "\"," text())
    owner[i] = owner[open]; id[i] = id[open--]
}
BEGIN {
    srand(seed)
    while (n < count) {
        what = pick("user|user|assistant|assistant|calls|calls|system|developer|injected|summary|answer|answer")
        mark = pick("|||||,\"pinned\":true|,\"critical\":true")
        if (what == "user") { turn++; put("user", ++unit, mark, text()) }
        else if (what == "injected") put("user", ++unit, mark ",\"origin\":\"injected\"", text())
        else if (what == "summary") put("user", ++unit, mark ",\"kind\":\"summary\"", text())
        else if (what == "calls") {
            unit++
            list = ""
            for (i = int(rand() * 3); i >= 0; i--) {
                owner[++open] = unit
                id[open] = "c" ++ids
                list = list ",{\"id\":\"" id[open] "\",\"function\":{\"name\":\"f\"}}"
            }
            put("assistant", unit, "", "\"tool_calls\":[" substr(list, 2) "],")
            while (open > 0 && rand() < 0.8) answer()
        } else if (what != "answer") put(what, ++unit, mark, text())
        else if (open > 0) answer()
    }
}
