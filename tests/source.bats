#!/usr/bin/env bats
#
# What the source promises about itself: layers without a cycle, headers that stand alone, nothing
# extern that could be static, functions that fit on a screen.

load helper

# From the lowest.  A file of common/LAYER/ includes its own layer and lower ones.
layers='base stream json data tokens policy dialects face'

setup() {
    fresh_directory
    cd "$ROOT" || return
    objects=${CTX_BIN%/bin}
    scratch=$BATS_TEST_TMPDIR
}

# includes: "FILE INCLUDED" for each quoted include of the code, both below common/ or cmd/.
# shellcheck disable=SC2016
includes() {
    find common cmd -name '*.[ch]' -o -name '*.inc' | sort | xargs awk '
        /^#[ \t]*include "/ {
            split($0, part, "\"")
            path = part[2]
            if (path ~ /^\.\.\//) { sub(/^\.\./, "cmd", path) }
            else if (path !~ /\//) { dir = FILENAME; sub(/[^\/]*$/, "", dir); path = dir path }
            else path = "common/" path
            print FILENAME, path
        }'
}

# functions: "FILE NAME LINES" for each function; LINES counts from the opening brace to the closing.
# shellcheck disable=SC2016
functions() {
    find common cmd tests/bench tests/unit tests/fuzz tests/tools -name '*.[ch]' | sort | xargs awk '
        /^[a-z_].*\(/ && !/;/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
        /^\{/ { start = FNR }
        /^\}/ && start { print FILENAME, name, FNR - start + 1; start = 0 }'
}

# symbols NM_OPTION FOLDER...: "NAME FILE" for each name that nm lists in the object of a source file
# below the folders, those of the sanitizers left out.
symbols() {
    local option=$1
    shift
    find "$@" -name '*.c' | sort >"$scratch/sources"
    while read -r file; do
        [[ ! -e $objects/${file%.c}.o ]] || printf '%s\0' "${file%.c}.o"
    done <"$scratch/sources" | (cd "$objects" && xargs -0 nm -A -g "$option") |
        awk 'NF > 1 { file = $1; sub(/\.o:.*/, ".c", file); print $NF, file }' |
        grep -v '^__\|^_GLOBAL_\|^\.L\|^main ' | sort -u
}

@test "the tree: at the top level stands what is documented and nothing else" {
    printf '%s\n' .ci .clang-format .editorconfig .gitignore LICENSE Makefile README.md cmd common completions man tests >"$scratch/want"
    find . -mindepth 1 -maxdepth 1 ! -name .git ! -name 'build*' -printf '%f\n' | sort >"$scratch/got"
    same 'the top level' "$scratch/want" "$scratch/got"
}

@test "the include graph: every included file is there" {
    includes | while read -r file included; do
        [[ -e $included ]] || printf '%s includes %s\n' "$file" "$included"
    done >"$scratch/lost"
    same 'includes of nothing' /dev/null "$scratch/lost"
}

@test "the include graph: no module includes a higher layer" {
    includes | awk -v layers="$layers" '
        function rank(path,    part) {
            split(path, part, "/")
            if (part[1] == "cmd") return 100
            if (!(part[2] in order)) { print path ": of no layer"; return 0 }
            return order[part[2]]
        }
        BEGIN { count = split(layers, name, " "); for (i = 1; i <= count; i++) order[name[i]] = i }
        rank($2) > rank($1) { print $1 " includes " $2 }
        { seen++ }
        END { if (seen < 20) print "only " seen + 0 " includes were found" }
    ' >"$scratch/wrong"
    same 'layers' /dev/null "$scratch/wrong"
}

@test "the include graph: tsort finds no cycle among the modules" {
    includes | sed -E 's/\.([ch]|inc)( |$)/\2/g' | awk '$1 != $2' | sort -u >"$scratch/edges"
    tsort "$scratch/edges" >/dev/null 2>"$scratch/cycles" || true
    same 'cycles' /dev/null "$scratch/cycles"
}

# Below, a module includes its own header first, so that the build has compiled that alone.
@test "every header compiles alone" {
    local header
    for header in common/*/*.h common/*/*/*.h cmd/*/*.h; do
        [[ ! -e ${header%.h}.c ]] || continue
        printf '%s\n' "$header"
        "${CC:-cc}" -std=c11 -D_GNU_SOURCE -Icommon -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -x c "$header"
    done
}

@test "every module includes its own header first" {
    local file included header own count=0
    while read -r file included; do
        header=${file%.c}.h
        [[ -e $header ]] || continue
        count=$((count + 1))
        own=${header#common/}
        [[ $file != cmd/* ]] || own=${header##*/}
        [[ $included == "\"$own\"" ]] || printf '%s\n' "$file"
    done < <(find common cmd -name '*.c' | xargs awk '
        FNR == 1 { first[FILENAME] = "" }
        /^#[ \t]*include/ && first[FILENAME] == "" { first[FILENAME] = $2 }
        END { for (file in first) print file, first[file] }') >"$scratch/wrong"
    same 'own header first' /dev/null "$scratch/wrong"
    ((count > 200))
}

@test "every extern name is declared in a header" {
    find common cmd -name '*.h' -exec cat {} + | grep -o '[A-Za-z_][A-Za-z0-9_]*' | sort -u >"$scratch/declared"
    symbols --defined-only common cmd >"$scratch/defined"
    awk 'NR == FNR { declared[$1] = 1; next } !($1 in declared) { print $2 ": " $1 }' \
        "$scratch/declared" "$scratch/defined" >"$scratch/wrong"
    [[ $(wc -l <"$scratch/declared") -gt 100 ]]
    grep -q '^buf_free common/base/buf.c$' "$scratch/defined"
    same 'not declared' /dev/null "$scratch/wrong"
}

@test "every extern name is used by another file" {
    symbols --undefined-only common cmd >"$scratch/used"
    # What the unit tests use is read from their sources, without comments: they need not be built.
    sed -e 's|/\*.*\*/||' -e '\|/\*|,\|\*/|d' tests/unit/*.[ch] | grep -o '[A-Za-z_][A-Za-z0-9_]*' | sort -u >>"$scratch/used"
    echo 'runner_main cmd/main.c' >>"$scratch/used" # which has an object for each command
    symbols --defined-only common >"$scratch/defined"
    # An object's own undefined names are never its defined ones, so any user is another file.
    awk 'NR == FNR { used[$1] = 1; next } !($1 in used) { print $2 ": " $1 }' "$scratch/used" "$scratch/defined" >"$scratch/wrong"
    [[ -s $scratch/defined ]]
    same 'could be static' /dev/null "$scratch/wrong"
}

@test "no function has more than 60 lines, no main more than 40" {
    functions >"$scratch/functions"
    [[ $(wc -l <"$scratch/functions") -gt 100 ]]
    awk '$3 > 60 || ($2 == "main" && $1 ~ /^cmd/ && $3 > 40)' "$scratch/functions" >"$scratch/long"
    same 'too long' /dev/null "$scratch/long"
}

@test "common/README.md: each table, module and target of make that it names is there" {
    local name file module target
    # shellcheck disable=SC2016
    sed -n 's/^| [a-z].* | `\([A-Za-z_]*\)` | `\([^`]*\)`.*/\1 \2/p' common/README.md >"$scratch/tables"
    (($(wc -l <"$scratch/tables") >= 22))
    [[ $(grep -c '^| ' common/README.md) == $(($(wc -l <"$scratch/tables") + 3)) ]]
    while read -r name file; do
        grep -qE "(^#define |[ *])$name(\(|\[|,| )" "$file" || printf '%s is not in %s\n' "$name" "$file"
    done <"$scratch/tables" >"$scratch/wrong"
    # shellcheck disable=SC2016
    grep -oE '`(common|cmd|tests|man)/[^` ]*`' common/README.md | tr -d '`' | grep -v NAME | while read -r file; do
        [[ -e $file ]] || printf '%s\n' "$file"
    done >>"$scratch/wrong"
    # The modules of the drawing, second of their lines.
    sed -n '/^## The way/,/^A record/p' common/README.md | grep -oE ' (stream|face|data|policy|dialects)/[a-z/]*' | while read -r module; do
        [[ -e common/$module.h || -d common/$module ]] || printf '%s\n' "$module"
    done >>"$scratch/wrong"
    sed -n 's/^    make //p' common/README.md | grep -oE '^[A-Z=1 ]*[a-z-]*( check-[a-z]*| pictures)*|make [a-z-]*' |
        tr ' ' '\n' | grep -v '^make$\|=' | while read -r target; do
        grep -q "^$target:" Makefile || printf 'make %s\n' "$target"
    done >>"$scratch/wrong"
    same 'not there' /dev/null "$scratch/wrong"
}

@test "the README has no more than 200 lines" {
    (($(wc -l <README.md) <= 200))
}

@test "no command has mutable globals" {
    local file
    find cmd -name '*.c' ! -path cmd/main.c | sort | while read -r file; do
        objdump -t "$objects/${file%.c}.o" |
            awk -v file="$file" '/ O (\.data|\.bss)[ \t]/ && $NF !~ /^_/ { print file ": " $NF }'
    done >"$scratch/globals"
    same 'mutable globals' /dev/null "$scratch/globals"
}

# The library, of which the compiler of vocabularies, a program of the build, is no part.
library() {
    symbols "$1" common | grep -v ' common/tokens/vocab/'
}

@test "layers by symbol: no object needs what only a higher layer defines" {
    library --defined-only >"$scratch/defined"
    library --undefined-only >"$scratch/used"
    awk -v layers="$layers" '
        function rank(path,    part) { split(path, part, "/"); return order[part[2]] }
        BEGIN { count = split(layers, name, " "); for (i = 1; i <= count; i++) order[name[i]] = i }
        NR == FNR { home[$1] = $2; next }
        $1 in home { seen++ }
        $1 in home && rank(home[$1]) > rank($2) { print $2 " needs " $1 " of " home[$1] }
        END { if (seen < 500) print "only " seen + 0 " uses were found" }
    ' "$scratch/defined" "$scratch/used" >"$scratch/wrong"
    same 'layers' /dev/null "$scratch/wrong"
}

@test "below face nothing ends the process or prints; out of memory alone does" {
    library --undefined-only | grep -E '^(_?[eE]xit|abort|quick_exit|diag_[a-z_]*|v?f?printf|f?puts|fwrite|putchar|perror) ' |
        grep -v ' common/face/' >"$scratch/ends"
    # diag is what face prints with; mem may end the process, for which it says why.
    same 'what ends or prints' - "$scratch/ends" <<'END'
diag_die common/base/mem.c
exit common/base/diag.c
END
}

# What the tests alone need of a module, each with its reason.
for_tests='
json_scan_use          the paths of the scanner must agree, whatever the machine has
tokens_set_portable    counts must not depend on the instruction set
vocabulary_use         a vocabulary that is no file, whose bounds are tried
json_put_bool          the writer has one function for each type of value
json_put_real
json_put_value
'

@test "no extern name is there for the tests alone" {
    symbols --undefined-only common cmd | cut -d' ' -f1 | sort -u >"$scratch/used"
    echo runner_main >>"$scratch/used"
    awk 'NF { print $1 }' <<<"$for_tests" >>"$scratch/used"
    library --defined-only | awk 'NR == FNR { used[$1] = 1; next } !($1 in used) { print $2 ": " $1 }' \
        "$scratch/used" - >"$scratch/wrong"
    same 'used by tests alone' /dev/null "$scratch/wrong"
}

# Modules whose names begin with more than their own, with the prefixes and the reason.
prefixes='
base/number             size_       the sizes that people write, as numbers
data/message/content            message_    the content of a message
dialects/gc/gc_state      gc_         the terms of a session of which records go
dialects/into/into_state  into_       the terms of a session that is written back
data/message/message            call_ metadata_   the terms of a message
data/message/message_names      role_ origin_ metadata_     the terms in the stream
data/message/tool_call          call_       the call of a tool
data/session/session            entry_      the entries of the session
data/session/session_builder    session_    the parts of the session: what each says of it
data/session/session_calls      session_
data/session/session_judgement  session_
data/session/session_locks      session_
data/nested_execution       nested_     the executions nested in one
data/tool/shell              tool_       the shell as one of the tools of data/tools
data/message/texts              message_    the texts of a message
dialects/ai-sdk/ai_sdk_stream  ai_     what the dialect and its stream share
dialects/rows/member_path       member_     the tree of the paths of a table, and its views
dialects/rows/row_table         row_        rows as they are compiled
dialects/draft/draft_meta       draft_      metadata of a draft
dialects/rows/row_place         row_        what is read by a row
face/options/options            bad_        --bad-lines, an option of all commands
face/terminal/screen_json       screen_     what is laid out on the screen
policy/filter/invariants   normalize_  the transform of that name
policy/normalize/group  pair_       the groups of pairs
tokens/count            tokens_     the layer
tokens/pieces/split_window     split_      the other half of tokens/split
tokens/unicode_table    unicode_    the table of code points
'

@test "names of a module begin with the name of the module, or of json" {
    library --defined-only | awk '
        NR == FNR { for (i = 2; i <= NF && $i ~ /_$/; i++) also[$1, $i]; next }
        {
            path = $2
            sub(/^common\//, "", path); sub(/\.c$/, "", path)
            module = path; sub(/.*\//, "", module)
            singular = module; sub(/s$/, "", singular)
            first = $1; sub(/_.*/, "_", first)
            seen++
            if (index($1 "_", module "_") == 1 || index($1 "_", singular "_") == 1) next
            if ((path, first) in also || (path ~ /^json\// && first == "json_")) next
            print $2 ": " $1
        }
        END { if (seen < 200) print "only " seen + 0 " names were found" }' <(printf '%s' "$prefixes") - >"$scratch/wrong"
    same 'prefixes' /dev/null "$scratch/wrong"
}

# Tags in headers that do not begin with the name of their module, each with what it is.
tags='
data/message/message            record_kind                 what a line is
data/message/part               text_kind                   the kinds of text that parts and messages have
data/session/session            execution group call current lost_call   terms of the session
data/session/session_locks      group_lock                  why a group must not be touched
data/open_calls         open_call                   what is opened
data/walk               verdict fate      what the walk says, and what it remembers
dialects/parts/joined         joiner_thread joiner_session  of the joiner that has the records
face/choices/limits             estimator_options           what options say of it
face/choices/model_choice       model_options               what options say of the model
face/command            option_type option_flags option sessions_keys   what a command has
cmd/ctx-normalize/conversion   ctx_normalize       one run
face/options/common_options     option_list option_sequence bad_lines forgotten in_place_options  values of options
face/options/common_options     option_list option_sequence bad_lines in_place_options  values of options
policy/compact/edit_rows    edit edit_when edit_link edit_order edit_until edit_walk    a row, its columns, and a walk
policy/compact/shorten_entry    shorten_what        of an entry
policy/facts/places   range                       of places
policy/budget/models           price                       of a request
data/select/term_types         term term_needs term_answer term_candidate  what the kinds of terms read
stream/input            line                        of the input
tokens/estimator        calibration                 what reports say of counts
tokens/vocab/compile    table token_map pair_tables trie_tables front_tables the parts that the compiler hands on
tokens/vocabulary_format    vocabulary_section vocabulary_header    of the file that vocabulary reads
cmd/ctx-budget/ctx_budget options session_count     of the command
cmd/ctx-budget/meter    scale                       the stage before the meter
cmd/ctx-budget/report   cut                         a row of the list of cuts
face/terminal/terminal           color                       whether the terminal shows it
cmd/ctx-compact/job     options ctx_compact         of the command
cmd/ctx-project/project options project_choice             of the command
'

@test "tags in headers begin with the name of the module, or are among its terms" {
    # shellcheck disable=SC2046
    awk '
        FILENAME == ARGV[1] { for (i = 2; i <= NF && $i ~ /_$/; i++) prefix[$1, $i]; next }
        FILENAME == ARGV[2] { for (i = 2; i <= NF; i++) term[$1, $i]; next }
        /^(struct|enum|union) [a-z_0-9]+ \{/ {
            path = FILENAME
            sub(/^common\//, "", path); sub(/\.h$/, "", path)
            module = path; sub(/.*\//, "", module)
            singular = module; sub(/s$/, "", singular)
            first = $2 "_"; sub(/_.*/, "_", first)
            seen++
            if (index($2 "_", module "_") == 1 || index($2 "_", singular "_") == 1) next
            if ((path, first) in prefix || (path, $2) in term || (path ~ /^json\// && first == "json_")) next
            print FILENAME ": " $1 " " $2
        }
        END { if (seen < 150) print "only " seen + 0 " tags were found" }' \
        <(printf '%s' "$prefixes") <(printf '%s' "$tags") $(find common cmd -name '*.h' | sort) >"$scratch/wrong"
    same 'tags' /dev/null "$scratch/wrong"
    # A term of the table that no header has any more goes.
    while read -r path words; do
        [[ -z $path ]] || grep -qE "^(struct|enum|union) (${words%%[ ]*}) \\{" "common/$path.h" "$path.h" 2>/dev/null || echo "$path: ${words%% *}"
    done <<<"$tags" >"$scratch/gone"
    same 'terms that are gone' /dev/null "$scratch/gone"
}

# A folder is a room that can be looked over; headers and sources count.
@test "no folder of the code has more than 25 files of its own, and no two files have one name" {
    find common cmd -name '*.[ch]' >"$scratch/files"
    (($(wc -l <"$scratch/files") > 500))
    sed 's|/[^/]*$||' "$scratch/files" | sort | uniq -c | awk '$1 > 25 { print $2 ": " $1 }' >"$scratch/wrong"
    # Every program begins in a main.c, and the canonical dialect has the name of the command.
    sed 's|.*/||' "$scratch/files" | sort | uniq -d | grep -vxE 'main\.c|ctx\.c' >>"$scratch/wrong" || true
    same 'rooms' /dev/null "$scratch/wrong"
}

@test "no line of the code has more than 100 columns" {
    # Bytes of UTF-8 that go on are no columns; tables of numbers are made by a program.
    find common cmd -name '*.[ch]' ! -name 'unicode_table*' -print0 | sort -z | xargs -0 awk '{
        gsub(/[\200-\277]/, "")
        for (columns = 0; (tab = index($0, "\t")); $0 = substr($0, tab + 1))
            columns += 8 * int((columns % 8 + tab + 7) / 8) - columns % 8
        if (columns + length > 100) print FILENAME ":" FNR
    }' >"$scratch/wide"
    same 'too wide' /dev/null "$scratch/wide"
}

# The list of tests/mutation/run.bash, which takes too long to run here.
mutants() {
    grep -v '^#' tests/mutation/mutants
}

@test "mutants: each changes a line that stands once in its file, and names tests that are there" {
    # shellcheck disable=SC2016
    mutants | awk -F '\t' '
        function load(file,    line) {
            if (file in text) return
            text[file] = ""
            while ((getline line <file) > 0) {
                text[file] = text[file] line "\n"
                if (line ~ /^@test /) name[file, ++names[file]] = line
            }
            close(file)
        }
        function is_named(file, part,    i) {
            for (i = 1; i <= names[file]; i++) if (name[file, i] ~ ("^@test .*(" part ")")) return 1
            return 0
        }
        function is_there(test,    file, part, count, i) {
            file = "tests/" test
            if (test ~ /^unit\//) file = file ".c"
            sub(/:.*/, "", file)
            load(file)
            if (test ~ /^unit\// || test !~ /:/) return text[file] != ""
            count = split(substr(test, index(test, ":") + 1), part, "|")
            for (i = 1; i <= count; i++) if (!is_named(file, part[i])) return 0
            return 1
        }
        {
            load($1)
            at = index(text[$1], $2)
            if (!at || index(substr(text[$1], at + length($2)), $2) || $2 == $3) print $1 ": " $2
            count = split($4, test, " ")
            for (i = 1; i <= count; i++) if (!is_there(test[i])) print $1 ": " $2 ": no test " test[i]
        }' >"$scratch/wrong" 2>&1
    (($(mutants | wc -l) > 250))
    same 'mutants' /dev/null "$scratch/wrong"
}

@test "mutants: every module has one" {
    local file
    # A table that a program writes, which make check-tokens holds against the published tokenizer.
    comm -23 <(find common cmd -name '*.c' ! -name unicode_table.c | sort) <(mutants | cut -f 1 | sort -u) |
        while read -r file; do
            printf '%s: add a line to tests/mutation/mutants, and see it killed: tests/mutation/run.bash %s\n' "$file" "$file"
        done >"$scratch/wrong"
    same 'modules without a mutant' /dev/null "$scratch/wrong"
}

@test "source: a negated command of a test says what fails, since bash lets no other one fail" {
    # The tests of the runner have one that says nothing.
    grep -nE '^ *! ' "$ROOT"/tests/*.bats | grep -v '|| \|; then$\|/run.bats:' >"$scratch/silent" || true
    same 'without ||' /dev/null "$scratch/silent"
}
