#!/usr/bin/env bats
#
# ctx-redact: what is found and what is not, in which members, and what is told of it.
# Secrets are made up when a test runs (redact/secrets.pl): none stands in a file, not even a false
# one.

load helper

# redact [OPTION...] [FILE]: every record of the file, or of standard input, redacted.
redact() {
    ctx-redact "$@"
}

# secrets SEED COUNT: makes up secrets in every nesting: in, and want, what is to become of it.
secrets() {
    perl "$ROOT/tests/redact/secrets.pl" "$ROOT/common/policy/secret/shapes.c" "$1" "$2" in want
}

# letters N: a text of N letters and digits that looks drawn at random.
letters() {
    perl -e 'srand 5; print map { ("a".."z", "A".."Z", 0..9)[rand 62] } 1 .. $ARGV[0]; print 7' "$1"
}

@test "ctx-redact: secrets of every shape in every nesting become marks, and all other bytes stay" {
    secrets 1 2
    (($(wc -l <in) > 5000))
    ctx-redact in >got
    same 'marks' want got
    ctx-redact got >again
    same 'the second run' got again
}

@test "ctx-redact: a view that streams takes no more memory for more input, whatever stands before the redaction and behind it" {
    local tools=${CTX_BIN%/bin}/tests/bench options count rss
    echo note >note
    for count in 5000 20000; do
        perl -e 'my ($word, $count) = @ARGV; my $text = "x" x 100;
            print qq({"role":"user","content":"$text"}\n) x 2 . qq({"role":"assistant","content":"A_TOKEN=$word"}\n) for 1 .. $count' \
            "$(letters 12)" "$count" >"$count"
    done
    export ASAN_OPTIONS=quarantine_size_mb=0:thread_local_quarantine_size_kb=0
    for options in '--view conversation' '--view conversation --merge --shorten 40' \
        '--view conversation --inject note@before-last-user'; do
        printf 'view: ctx-project %s\nredact: ctx-redact\nshort: ctx-project --view all --shorten 80\n' "$options" >profile
        for count in 5000 20000; do
            "$tools/run" figures ctx-compile --profile ./profile "$count" >out
            rss[count]=$(cut -d' ' -f3 figures)
        done
        printf '%s: %s kB, then %s kB\n' "$options" "${rss[5000]}" "${rss[20000]}"
        grep -q REDACTED out
        ((rss[20000] <= rss[5000] + 1024))
    done
}

# bats test_tags=slow
@test "ctx-redact: secrets of many seeds" {
    local seed
    for seed in {2..60}; do
        printf 'seed %s\n' "$seed"
        secrets "$seed" 3
        ctx-redact in >got
        same 'marks' want got
    done
}

@test "ctx-redact: the table has at least 60 shapes, each with a name of its own, and each is found" {
    sed -n 's/.*ROW("\([^"]*\)".*/\1/p' "$ROOT/common/policy/secret/shapes.c" | sort >names
    (($(wc -l <names) >= 60))
    sort -u names | same 'names' names /dev/stdin
    secrets 3 3
    ctx-redact --report report in >got
    jq -r '.redacted | keys[]' report | sort >found
    comm -23 names found >missing
    same 'rules that find nothing' /dev/null missing
}

@test "ctx-redact: --only secrets leaves personal data, --only pii leaves secrets, --only none both" {
    local word
    word=$(letters 12)
    printf '{"role":"user","content":"A_TOKEN=%s bob@mail.example.org"}\n' "$word" >in
    printf '{"role":"user","content":"A_TOKEN=[REDACTED:token-value] bob@mail.example.org"}\n' >secrets
    printf '{"role":"user","content":"A_TOKEN=%s [REDACTED:email]"}\n' "$word" >pii
    ctx-redact --only secrets in | same 'secrets' secrets -
    ctx-redact --only pii in | same 'pii' pii -
    ctx-redact --only pii,secrets in >both
    ctx-redact in | same 'both' both -
    ctx-redact --only none --pattern 'b=bob' in | same 'none' <(sed 's/bob/[REDACTED:b]/' in) -
    local list
    for list in names=names = secrets,= none,pii=none pii,none=none; do
        status_of 64 ctx-redact --only "${list%=*}" in >out 2>said
        same "$list" <(printf "ctx-redact: bad value '%s' of --only, expected secrets, pii or none; try 'ctx-redact --help'\n" "${list#*=}") said
    done
    spec <<'END'
ctx-redact --only none in
>>>2 ctx-redact: --only none requires --pattern: nothing else would be replaced; try 'ctx-redact --help'
>>>= 64
END
}

@test "ctx-redact: signatures and ids of the record stay, whatever they hold; those in what tools get do not" {
    local key
    key=AKIA$(perl -e 'srand 3; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    {
        printf '{"role":"assistant","id":"%s","content":[{"type":"thinking","thinking":"x","signature":"%s"}],' "$key" "$key"
        printf '"tool_calls":[{"id":"%s","function":{"name":"f","arguments":"{\\"id\\":\\"%s\\"}"}}],"metadata":{"execution_id":"%s"}}\n' "$key" "$key" "$key"
        printf '{"uuid":"%s","parentUuid":"%s","toolUseResult":{"id":"%s"},"name":"%s"}\n' "$key" "$key" "$key" "$key"
    } >in
    {
        printf '{"role":"assistant","id":"%s","content":[{"type":"thinking","thinking":"x","signature":"%s"}],' "$key" "$key"
        printf '"tool_calls":[{"id":"%s","function":{"name":"f","arguments":"{\\"id\\":\\"[REDACTED:aws-access-key]\\"}"}}],"metadata":{"execution_id":"%s"}}\n' "$key" "$key"
        printf '{"uuid":"%s","parentUuid":"%s","toolUseResult":{"id":"[REDACTED:aws-access-key]"},"name":"[REDACTED:aws-access-key]"}\n' "$key" "$key"
    } >want
    ctx-redact in >got
    same 'members' want got
}

@test "ctx-redact: the pass of an archive stays, and what else is called so is judged by its value" {
    local key
    key=AKIA$(perl -e 'srand 4; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    {
        printf '{"role":"user","content":"x","metadata":{"pass":"%s"}}\n' 0123456789ab 4b1d00a5e7c9 999999999999
        printf '{"role":"user","content":"x","_metadata":{"pass":"%s"}}\n' 0123456789ab
    } >in
    ctx-redact in | cmp - in
    printf '{"role":"user","content":"x","metadata":{"pass":"%s"}}\n' "$key" | ctx-redact >got
    same 'a key' <(echo '{"role":"user","content":"x","metadata":{"pass":"[REDACTED:aws-access-key]"}}') got
}

@test "ctx-redact: a value of a name that asks for one goes, in JSON too; a card that is a number becomes a string" {
    local word card
    word=$(letters 12)
    card=4$(perl -e 'print "1" x 15')
    printf '{"a":{"password":"swordfish","MY_TOKEN":"%s","n":%s,"s":"[{\\"n\\":%s}]"}}\n' "$word" "$card" "$card" >in
    printf '{"a":{"password":"[REDACTED:password]","MY_TOKEN":"[REDACTED:token-value]","n":"[REDACTED:card]","s":"[{\\"n\\":\\"[REDACTED:card]\\"}]"}}\n' >want
    ctx-redact in >got || [[ $? == 65 ]]
    same 'values' want got
}

@test "ctx-redact: a member that asks for a secret is found in JSON that stands in a string, alone or in text" {
    local word
    word=$(letters 12)
    {
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\\"password\\":\\"%s\\"}"}}]}\n' "$word"
        printf '{"role":"user","content":"{\\"client_secret\\" : \\"%s\\"}"}\n' "$word"
        printf '{"role":"user","content":"see {\\"a_token\\":\\"%s\\"} there"}\n' "$word"
        printf '{"role":"user","content":"{\\"a\\":\\"{\\\\\\"pwd\\\\\\":\\\\\\"%s\\\\\\"}\\"}"}\n' "$word"
    } >in
    sed "1s/$word/[REDACTED:password]/;2s/$word/[REDACTED:secret-value]/;3s/$word/[REDACTED:token-value]/;4s/$word/[REDACTED:password]/" in >want
    while IFS= read -r line; do
        printf '%s\n' "$line" | ctx-redact
    done <in >got
    same 'marks' want got
}

@test "ctx-redact: the value of a member Authorization goes, in JSON in a string too; its scheme stays" {
    local word
    word=$(letters 20)
    {
        printf '{"role":"tool","content":"x","h":{"Authorization":"Basic %s"}}\n' "$word"
        printf '{"role":"tool","content":"x","h":{"Proxy-Authorization":"token %s"}}\n' "$word"
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"authorization":"%s"}}}]}\n' "$word"
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\\"Authorization\\":[\\"Basic %s\\"]}"}}]}\n' "$word"
        printf '{"role":"user","content":"x","Authorization":"Basic authentication","authorization":"granted"}\n'
    } >in
    sed "s/$word/[REDACTED:basic-auth]/" in >want
    ctx-redact in >got
    same 'marks' want got
    ctx-redact got | same 'the second run' got -
}

# Each line as a log of its own: dialects must not be mixed in one.
redact_each() {
    local line
    while read -r line; do
        ctx-redact <<<"$line"
    done
}

@test "ctx-redact: a list of ids stays as a single one does; an id in the result of a tool does not" {
    local key
    key=AKIA$(perl -e 'srand 7; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    {
        printf '{"role":"user","content":"x","metadata":{"id":"m","resolves":["%s"],"forgets":["a@mail.example.org","%s"]}}\n' "$key" "$key"
        printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":"x"},{"type":"text","text":"x","id":"%s"}]}\n' "$key" "$key"
    } >in
    redact_each <in >got
    same 'ids' in got
    {
        printf '{"role":"tool","tool_call_id":"c","content":{"session_id":"%s","rows":[{"id":"%s"}]}}\n' "$key" "$key"
        printf '{"role":"tool","tool_call_id":"c","content":[{"type":"json","json":{"request_id":"%s"}}]}\n' "$key"
        printf '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","id":["%s"]}]}]}\n' "$key"
        printf '{"role":"user","content":"x","metadata":{"facts":[{"id":"%s"}]}}\n' "$key"
    } >in
    sed "s/$key/[REDACTED:aws-access-key]/g" in >want
    redact_each <in >got
    same 'marks' want got
}

@test "ctx-redact: the values of a list go as a single one does; a password in a member may have spaces" {
    local word
    word=$(letters 12)
    printf '{"role":"user","content":"x","a":{"password":["%s",null,"%s"],"passphrase":"ab %s"}}\n' "$word" "$word" "$word" >in
    printf '{"role":"user","content":"x","a":{"password":["[REDACTED:password]",null,"[REDACTED:password]"],"passphrase":"[REDACTED:password]"}}\n' >want
    ctx-redact in >got
    same 'marks' want got
    printf '{"role":"user","content":"x","a":{"password":"ask the owner","max_tokens":[4096],"token":["a","b"]}}\n' >in
    ctx-redact in | same 'what stays' in -
}

@test "ctx-redact: what only looks like a secret stays" {
    spec <<'END'
ctx-redact
<<< {"role":"user","content":"password: string; token = next_token(); api_key=os.environ[1] TOKEN=$(cat f) {\"max_tokens\":4096}"}
<<< {"role":"user","content":"my_password=${PASSWORD} secret: ${{ secrets.X }} AKIAXXXXXXXXXXXXXXXX sk-learn-something bearer authentication"}
<<< {"role":"user","content":"git@github.com:a/b.git icon@2x.png @decorator pkg@1.2.3 1700000000000 2024-05-06 +12345 555-12-3456 4111111111111112"}
<<< {"role":"user","content":"-----BEGIN RSA PRIVATE KEY----- begins a key. http://host:8080/@scope next_page_token: \"abc12345XY\" self.token1"}
>>> {"role":"user","content":"password: string; token = next_token(); api_key=os.environ[1] TOKEN=$(cat f) {\"max_tokens\":4096}"}
>>> {"role":"user","content":"my_password=${PASSWORD} secret: ${{ secrets.X }} AKIAXXXXXXXXXXXXXXXX sk-learn-something bearer authentication"}
>>> {"role":"user","content":"git@github.com:a/b.git icon@2x.png @decorator pkg@1.2.3 1700000000000 2024-05-06 +12345 555-12-3456 4111111111111112"}
>>> {"role":"user","content":"-----BEGIN RSA PRIVATE KEY----- begins a key. http://host:8080/@scope next_page_token: \"abc12345XY\" self.token1"}
END
}

@test "ctx-redact: a private key goes whole, with headers, indented, behind names of files, cut" {
    perl - <<'END'
srand 8;
my @all = ('a' .. 'z', 'A' .. 'Z', 0 .. 9, '+', '/');
sub word { join '', map { $all[rand @all] } 1 .. $_[0] }
sub lines { my ($width, $last) = @_; (map { word($width - 2) . 'a7' } 1 .. 5), word($last) }
my ($five, $end) = map { "-----$_ RSA PRIVATE KEY-----" } 'BEGIN', 'END';
my @headers = ('Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,' . '0F' x 16, '');
my @pgp = ('Version: GnuPG v2.0.22 (GNU/Linux)', 'Comment: of somebody, for nothing', '');
my @keys = (
    [$five, @headers, lines(64, 20), $end],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----', @pgp, lines(64, 20), '=' . word(4), '-----END PGP PRIVATE KEY BLOCK-----'],
    [$five, (map { ' ' x 20 . $_ } lines(64, 20), $end)],
    [$five, (map { "deploy/certs/server.key:$_" } lines(64, 20), $end)],
    [$five, lines(32, 20), $end],
    [$five, lines(16, 9), $end]);
# cut: the END line is lost
push @keys, map { my @key = @$_; pop @key; pop @key if $key[-1] =~ /^=....$/; [@key] } @keys[0 .. 4];
open my $in, '>', 'in'; open my $want, '>', 'want';
for my $key (@keys) {
    for my $break ('\n', '\r\n', '\\\\n') {
        for (['', ''], ['see ', $break . 'The end'], ['PASSWORD=', $break . '}']) {
            printf $in qq({"role":"user","content":"%s%s%s"}\n), $_->[0], join($break, @$key), $_->[1];
            printf $want qq({"role":"user","content":"%s[REDACTED:private-key]%s"}\n), @$_;
        }
    }
}
END
    (($(wc -l <in) == 99))
    ctx-redact in >got
    same 'keys' want got
}

@test "ctx-redact: of two things side by side both are found, and a second run finds no more" {
    secrets 9 1
    perl "$ROOT/tests/redact/contexts.pl" words 9 3 "$ROOT/common/policy/secret/assignment.c" | grep ^alone | cut -f3 >>in
    perl -ne '
        BEGIN { srand 10 }
        push @made, $1 if /^\{"role":"user","content":"((?!see ).*)"\}$/;
        END {
            my @between = ("", " ", "-", ".", ",", ", ", "/", ":", "=", "_", "+", "(", ") ", "@", "\\n", "TOKEN=", "x", "7", " 12 ", "; ", "; b=", "curl -u a:", " -u ", "mysql -p", "Cookie: a=", "machine x login ", " password ", "auth=");
            my $any = sub { $_[rand @_] };
            my @people = grep { !/[A-Za-z]{3}/ || /@/ } @made;
            for (1 .. 20000) {
                my $from = rand() < 0.5 ? \@made : \@people;
                print qq({"role":"user","content":"), join($any->(@between), map { $any->(@$from) } 1 .. 2 + rand 2), qq("}\n);
            }
        }' in >pairs
    ctx-redact pairs >got
    ctx-redact got | same 'the second run' got -
    {
        printf '{"role":"user","content":"+49 30 1234567 %s"}\n' "4$(printf '1%.0s' {1..15})" '4111 1111 1111 1111' '(415) 555-0132'
        printf '{"role":"user","content":"4111 1111 1111 1111-%s"}\n' "AKIA$(perl -e 'srand 3; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')"
    } >in
    {
        printf '{"role":"user","content":"[REDACTED:phone] [REDACTED:%s]"}\n' card card phone
        printf '{"role":"user","content":"[REDACTED:card]-[REDACTED:aws-access-key]"}\n'
    } >want
    ctx-redact in >got
    same 'both' want got
}

@test "ctx-redact: a number with a sign and one in a line that was added are no phone numbers" {
    spec <<'END'
ctx-redact
<<< {"role":"user","content":"+3.14159265358979 +52.5200066, +27.182818284 +1.6180339887\n+1234567890,\n+1700000000000"}
<<< {"role":"user","content":"+1.2125550132 +12125550132, +49 30 1234567 +442012345678"}
>>> {"role":"user","content":"+3.14159265358979 +52.5200066, +27.182818284 +1.6180339887\n+1234567890,\n+1700000000000"}
>>> {"role":"user","content":"[REDACTED:phone] [REDACTED:phone], [REDACTED:phone] [REDACTED:phone]"}
END
}

@test "ctx-redact: a mark of a rule stays, and one that only looks like a mark hides nothing" {
    local key
    key=AKIA$(perl -e 'srand 4; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    printf '{"role":"user","content":"password: [REDACTED:password] [REDACTED:%s]"}\n' "$key" >in
    printf '{"role":"user","content":"password: [REDACTED:password] [REDACTED:[REDACTED:aws-access-key]]"}\n' >want
    ctx-redact in >got
    same 'marks' want got
}

@test "ctx-redact: a line that is not valid stops the output, goes to the bad file, and is never kept" {
    printf '{"role":"user","content":"a"}\n{"role":\n{"role":"user","content":"b"}\n' >in
    spec <<'END'
ctx-redact in
>>> {"role":"user","content":"a"}
>>>2 ctx-redact: in:2: unexpected end, at byte 9
>>>= 65
END
    spec <<'END'
ctx-redact --bad-lines=drop --bad-file=bad in 2>/dev/null
>>> {"role":"user","content":"a"}
>>> {"role":"user","content":"b"}
>>>= 65
>>>+ bad
END
    spec <<'END'
ctx-redact --bad-lines=keep in
>>>2 ctx-redact: bad value 'keep' of --bad-lines, expected stop or drop: a line that is not valid may hold a secret; try 'ctx-redact --help'
>>>= 64
END
}

@test "ctx-redact: before a view that cuts a text in two no half of a secret is left; behind it, half has no shape" {
    local key
    key=AKIA$(perl -e 'srand 2; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    printf '{"role":"user","content":"%s%s%s"}\n' "$(printf 'word %.0s' {1..42})" "$key" "$(printf ' word%.0s' {1..44})" >in
    local view='ctx-project --first 0.06k --partial head --estimator bytes/4'
    $view in | ctx-redact | grep -q "${key:0:8}"
    ctx-redact in | $view >out
    [[ -s out ]]
    ! grep -q "${key:0:8}" out || fail 'half a secret'
}

@test "ctx-redact: --where picks messages, each by itself; all other records are redacted" {
    spec <<'END'
ctx-redact --where role=tool --where 'turn>-1'
<<< {"type":"context","system_prompt":"bob@mail.example.org"}
<<< {"role":"user","content":"bob@mail.example.org"}
<<< {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"bob@mail.example.org"}}]}
<<< {"role":"tool","tool_call_id":"c1","content":"bob@mail.example.org"}
<<< {"role":"user","content":"bob@mail.example.org"}
>>> {"type":"context","system_prompt":"[REDACTED:email]"}
>>> {"role":"user","content":"bob@mail.example.org"}
>>> {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"bob@mail.example.org"}}]}
>>> {"role":"tool","tool_call_id":"c1","content":"[REDACTED:email]"}
>>> {"role":"user","content":"bob@mail.example.org"}
END
    spec <<'END'
ctx-redact --where 'turn>-2'
<<< {"role":"user","content":"bob@mail.example.org"}
<<< {"role":"user","content":"bob@mail.example.org"}
>>> {"role":"user","content":"bob@mail.example.org"}
>>> {"role":"user","content":"[REDACTED:email]"}
END
}

@test "ctx-redact: --pattern replaces matches, alone or beside the rules, within one line and whole code points" {
    spec <<'END'
ctx-redact --only none --pattern 'ticket=T-[0-9]+' --pattern 'word=^x.z$' --pattern 'dot=q.r'
<<< {"role":"user","content":"T-1, T-22; bob@mail.example.org\nxyz\nxyzT-3\u0000T-4 qéx qér T-\n5"}
>>> {"role":"user","content":"[REDACTED:ticket], [REDACTED:ticket]; bob@mail.example.org\n[REDACTED:word]\nxyz[REDACTED:ticket]\u0000[REDACTED:ticket] qéx qér T-\n5"}
END
    spec <<'END'
ctx-redact --only pii --pattern 'b=b.b@' --pattern 'e=é|\xa9.'
<<< {"role":"user","content":"bob@mail.example.org, eve@mail.example.org é"}
>>> {"role":"user","content":"[REDACTED:b]mail.example.org, [REDACTED:email] [REDACTED:e]"}
END
}

@test "ctx-redact: a pattern finds what is at the border of what it sees at a time, and costs no more for a long line" {
    perl -e 'print qq({"role":"user","content":"), "a" x 2040, "T-", "1" x 300, "b" x 5000, "T-9", qq("}\n)' >in
    perl -e 'print qq({"role":"user","content":"), "a" x 2040, "[REDACTED:t]", "b" x 5000, "[REDACTED:t]", qq("}\n)' >want
    ctx-redact --only none --pattern 't=T-[0-9]+' in >got
    same 'borders' want got
    perl -e 'print qq({"role":"user","content":"), "a" x 200000, qq("}\n)' >in
    perl -e 'srand 1; print qq({"role":"user","content":"), map({ ("a", "b")[rand 2] } 1 .. 200000), qq("}\n)' >mixed
    local pattern
    for pattern in 't=a.*a.*c' 't=a[ab]{20}Z' 't=(a|b)*a(a|b){12}Z' 't=(a*)*Z' 't=a[ab]{0,400}Z'; do
        (ulimit -t 20; ctx-redact --only none --pattern "$pattern" in mixed) >got
        cat in mixed | same "$pattern" - got
    done
    # Very many matches in one line.
    perl -e 'print qq({"role":"user","content":"), "T." x 400000, qq("}\n)' >in
    (ulimit -t 5; ctx-redact --only none --pattern t=T in) >got
    sed 's/T/[REDACTED:t]/g' in | same 'many matches' - got
}

@test "ctx-redact: a pattern that is malformed, unbounded or empty is refused" {
    local pattern
    for pattern in 'x' '=a' 'x=a)' 'x=a)b|(c' 'a b=x' 'email=x' 'x=(' 'x=a*' 'x=(a)\1' 'x=((a{1000}){1000}){1000}' 'x=(a|b)*{9999}' \
        "x=$(printf 'a%.0s' {1..2000})" "$(printf 'n%.0s' {1..40})=x"; do
        status_of 64 ctx-redact --only none --pattern "$pattern" </dev/null >out 2>said
        grep -q "^ctx-redact: bad value '.*' of --pattern: " said
    done
    status_of 64 ctx-redact --only none --pattern x=a --pattern x=b </dev/null >out 2>said
    grep -q 'the name is taken' said
}

@test "ctx-redact: a password that is a number goes, and becomes a string; other numbers stay" {
    spec <<'END'
ctx-redact
<<< {"env":{"password":12345678,"max_tokens":4096,"password_count":12345,"db_pwd": 90817263.5,"n":{"Password":[918273,11]}}}
<<< {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"password\":12345678,\"token\":12345678}"}}]}
>>> {"env":{"password":"[REDACTED:password]","max_tokens":4096,"password_count":12345,"db_pwd": "[REDACTED:password]","n":{"Password":["[REDACTED:password]",11]}}}
>>> {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"password\":\"[REDACTED:password]\",\"token\":12345678}"}}]}
END
    printf '{"env":{"password":12345678}}\n' >in
    same 'personal data alone' in <(ctx-redact --only pii in)
}

@test "ctx-redact: a name that is a value asks for the value beside it" {
    spec <<'END'
ctx-redact
<<< {"headers":[{"name":"Authorization","value":"Bearer abCD1234efGH5678ij"},{"Key":"x-api-key","type":"text","Value":"q8fh3kd92lsk3"},{"name":"Accept","value":"q8fh3kd92lsk3"}]}
<<< {"env":[{"value" : "sounding9x" , "name" : "DB_PASSWORD"},{"name":"password","value":71625341},{"ParameterKey":"DbPassword","ParameterValue":["sounding 9","Tide4711"]}]}
<<< {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"env\":[{\"name\":\"CI_TOKEN\",\"value\":\"q8fh3kd92lsk3\"}]}"}}]}
<<< {"a":[{"name":"password","b":[{"value":"sounding9x"}]},{"value":"sounding9x"},{"name":["password"],"value":"sounding9x"}],"value":"sounding9x","name":{"password":1}}
<<< {"name":"password","value":{"password":"a","other":"sounding9x"}}
>>> {"headers":[{"name":"Authorization","value":"Bearer [REDACTED:bearer]"},{"Key":"x-api-key","type":"text","Value":"[REDACTED:key-value]"},{"name":"Accept","value":"q8fh3kd92lsk3"}]}
>>> {"env":[{"value" : "[REDACTED:password]" , "name" : "DB_PASSWORD"},{"name":"password","value":"[REDACTED:password]"},{"ParameterKey":"DbPassword","ParameterValue":["[REDACTED:password]","[REDACTED:password]"]}]}
>>> {"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"env\":[{\"name\":\"CI_TOKEN\",\"value\":\"[REDACTED:token-value]\"}]}"}}]}
>>> {"a":[{"name":"password","b":[{"value":"sounding9x"}]},{"value":"sounding9x"},{"name":["password"],"value":"sounding9x"}],"value":"sounding9x","name":{"password":1}}
>>> {"name":"password","value":{"password":"a","other":"sounding9x"}}
END
}

@test "ctx-redact: a token whose alphabet has hyphens ends where a key in PEM begins" {
    perl - <<'END'
srand 11;
my @all = ('a' .. 'z', 'A' .. 'Z', 0 .. 9);
sub word { join('', map { $all[rand @all] } 1 .. $_[0]) . 'aA7' }
my $lines = join '\\n', map { word(61) } 1 .. 3;
my $label = join ' ', 'RSA', 'PRIVATE', 'KEY';
open my $in, '>', 'in'; open my $want, '>', 'want';
for (['gitlab-pat', '', 'glpat-' . word(20)], ['slack-bot', '', 'xoxb-' . word(30)], ['token-value', 'A_TOKEN=', word(20)],
    ['bearer', 'Bearer ', word(40)], ['jwt', '', join '.', map { 'eyJ' . word(30) } 1 .. 3], ['password', 'password: ', word(9)]) {
    my ($rule, $before, $secret) = @$_;
    print $in qq({"role":"user","content":"$before$secret-----BEGIN $label-----\\n$lines\\n-----END $label-----"}\n);
    print $want qq({"role":"user","content":"$before\[REDACTED:$rule\][REDACTED:private-key]"}\n);
}
END
    ctx-redact in >got
    same 'token and key' want got
    ctx-redact got | same 'a second run' got -
}

@test "ctx-redact: an id in a part of what a tool gave goes, and the ids of the message stay" {
    local key
    key=AKIA$(perl -e 'srand 12; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    message() { printf '{"role":"%s","id":"%s","tool_call_id":"%s","content":[{"type":"text","text":"a","id":"%s"},{"message_id":["%s"]}]}\n' "$1" "$key" "$key" "$2" "$2"; }
    { message tool "$key"; message assistant "$key"; } >in
    { message tool '[REDACTED:aws-access-key]'; message assistant "$key"; } >want
    ctx-redact in >got
    same 'ids' want got
}

@test "ctx-redact: the command of --estimator gets no text before it is redacted" {
    echo '{"role":"user","content":"bob@mail.example.org"}' >in
    # shellcheck disable=SC2016
    printf '#!/bin/sh\ntee -a heard | awk '\''{ print length($0) }'\''\n' >count
    chmod +x count
    spec <<'END'
ctx-redact --where 'tokens>1' --estimator cmd:./count in
>>>2 ctx-redact: bad value 'cmd:./count' of --estimator, expected one that is no command: a command would get the text before it is redacted; try 'ctx-redact --help'
>>>= 64
END
    spec <<'END'
ctx-redact --where role=user --estimator cmd:./count in
>>> {"role":"user","content":"[REDACTED:email]"}
END
    ctx-redact --where 'tokens>1' --estimator bytes/4 in | grep -q REDACTED
    ctx-redact --where 'tokens>1k' --estimator bytes/4 in | cmp - in
    spec <<'END'
ctx-redact --where 'tokens>1' --estimator usage in
>>>2 ctx-redact: --estimator usage counts whole sessions, not single messages; try 'ctx-redact --help'
>>>= 64
END
}

@test "ctx-redact: --finds says where and by which rule, never what; the report counts" {
    local key
    key=AKIA$(perl -e 'srand 6; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    {
        printf '\n{"role":"user","content":[{"type":"text","text":"%s bob@mail.example.org"}]}\n' "$key"
        printf '{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\\"a/b\\":[{\\"%s\\":\\"%s\\"}]}"}}]}\n' "$key" "$key"
    } >in
    cat >want <<'END'
{"line":2,"path":"/content/0/text","rule":"aws-access-key"}
{"line":2,"path":"/content/0/text","rule":"email"}
{"line":3,"path":"/tool_calls/0/function/arguments/a~1b/0/*","rule":"aws-access-key"}
{"line":3,"path":"/tool_calls/0/function/arguments/a~1b/0/*","rule":"aws-access-key"}
END
    ctx-redact --finds found --report report -v in >out 2>said
    same 'finds' want found
    [[ $(jq -c '[.redacted, .changed]' report) == '[{"aws-access-key":3,"email":1},2]' ]]
    grep -q '; 4 redacted' said
    if grep -rq "${key:4}" out found report said; then fail 'the key is told'; fi
    status_of 64 ctx-redact --finds in in >out 2>said
    status_of 64 ctx-redact --finds r --report r in >out 2>said
    status_of 73 ctx-redact --finds no/such in >out 2>said
}

@test "ctx-redact: before every view, in one process, the view has the marks" {
    printf '%s\n' '{"role":"system","content":"a@mail.example.org"}' '{"role":"user","content":"b@mail.example.org"}' \
        '{"role":"assistant","content":"c@mail.example.org","metadata":{"pinned":true}}' >in
    local options
    for options in '' '--view conversation' '--view all' '--sections messages' '--last 2msgs' '--select role=user' '--merge'; do
        printf 'redact: ctx-redact\nview: ctx-project %s\n' "$options" >profile
        # shellcheck disable=SC2086
        ctx-project $options in >plain
        [[ -s plain ]]
        ctx-compile --profile ./profile in >got
        sed 's/[abc]@mail.example.org/[REDACTED:email]/' plain | same "$options" - got
    done
}

@test "ctx-redact -i: the file becomes what would be written, and nothing of the old one is left" {
    local address=bob@mail.example.org
    printf '{"role":"user","content":"%s"}\n' "$address" >log
    cp log other
    ctx-redact log >want
    spec <<'END'
ctx-redact -i --finds finds --report report log other
>>>+ finds
>>>+ report
END
    cmp want log
    cmp want other
    same 'finds of both' <(printf '{"line":1,"path":"/content","rule":"email"}\n%.0s' 1 2) finds
    same 'a report for each' <(printf '["%s",1]\n' log other) <(jq -c '[.file, .redacted.email]' report)
    ! grep -rq "$address" . || fail 'the address is left'
    # A second run changes nothing, and with a suffix the old file has the secrets.
    local before
    before=$(stat -c '%i %Y %Z' log)
    ctx-redact -i log
    [[ $(stat -c '%i %Y %Z' log) == "$before" ]]
    printf '{"role":"user","content":"%s"}\n' "$address" >log
    ctx-redact --in-place=.old log
    cmp want log
    grep -q "$address" log.old
}

@test "ctx-redact -i: a file with a line that is not valid is left as it is; so is another format with --where" {
    printf '{"role":"user","content":"bob@mail.example.org"}\n{"role":\n' >log
    cp log before
    spec <<'END'
ctx-redact -i log
>>>2 ctx-redact: log:2: unexpected end, at byte 9
>>>= 65
END
    cmp before log
    sed 's/gate/bob@mail.example.org/' "$FIXTURES/claude-code-session.jsonl" >log
    cp log before
    status_of 65 ctx-redact -i --where role=user log 2>said
    cmp before log
    grep -q 'looks like claude-code' said
}

# agents: sessions of agents with the address and the key AT, in lines and in documents. IDAT stands in ids and
# in what only a provider can read.
agents() {
    cat >claude-code <<'END'
{"type":"file-history-snapshot","messageId":"IDAT","snapshot":{"trackedFileBackups":{"/home/AT/a":{}}}}
{"type":"user","uuid":"IDAT","parentUuid":null,"message":{"role":"user","content":"mail AT"}}
{"type":"assistant","uuid":"u2","parentUuid":"IDAT","message":{"id":"IDAT","role":"assistant","content":[{"type":"thinking","thinking":"AT","signature":"IDAT"},{"type":"tool_use","id":"IDAT","name":"f","input":{"id":"AT","to":"AT"}}]}}
{"type":"user","uuid":"u3","parentUuid":"u2","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"IDAT","content":"AT"}]},"toolUseResult":{"stdout":"AT"}}
{"type":"progress","data":{"type":"bash_progress","output":"AT"},"toolUseID":"IDAT"}
END
    cat >codex <<'END'
{"timestamp":"2026-11-26T10:00:00Z","type":"session_meta","payload":{"id":"IDAT","cwd":"/home/AT","forked_from_id":"IDAT"}}
{"timestamp":"2026-11-26T10:00:01Z","type":"response_item","payload":{"type":"reasoning","summary":[],"encrypted_content":"IDAT"}}
{"timestamp":"2026-11-26T10:00:01Z","type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{\"to\":\"AT\"}","call_id":"IDAT"}}
{"timestamp":"2026-11-26T10:00:02Z","type":"response_item","payload":{"type":"function_call_output","call_id":"IDAT","output":"{\"output\":\"AT\\n\"}"}}
{"timestamp":"2026-11-26T10:00:02Z","type":"event_msg","payload":{"type":"agent_message","message":"AT"}}
{"timestamp":"2026-11-26T10:00:02Z","type":"turn_context","payload":{"turn_id":"IDAT","summary":"AT"}}
END
    cat >pi <<'END'
{"type":"session","version":3,"id":"IDAT","cwd":"/home/AT"}
{"type":"message","id":"IDAT","parentId":"IDAT","message":{"role":"assistant","content":[{"type":"thinking","thinking":"AT","thinkingSignature":"IDAT"},{"type":"toolCall","id":"IDAT","name":"f","arguments":{"to":"AT"},"thoughtSignature":"IDAT"}]}}
{"type":"message","id":"m2","parentId":"IDAT","message":{"role":"toolResult","toolCallId":"IDAT","content":[{"type":"text","text":"AT","textSignature":"IDAT"}]}}
{"type":"custom","data":{"x":["AT"]}}
{"type":"compaction","id":"m3","parentId":"IDAT","firstKeptEntryId":"IDAT","summary":"AT"}
END
    cat >gemini-cli <<'END'
{"sessionId":"IDAT","projectHash":"h"}
{"id":"IDAT","type":"gemini","content":"AT","toolCalls":[{"id":"IDAT","name":"f","args":{"to":"AT"},"result":[{"functionResponse":{"id":"IDAT","name":"f","response":{"output":"AT"}}}]}]}
{"$set":{"directories":["/home/AT"]}}
END
    jq '{sessionId: "IDAT", messages: [.]}' < <(sed -n 2p gemini-cli) >gemini-document
    jq . >opencode <<'END'
{"info":{"id":"IDAT","slug":"a","projectID":"IDAT","title":"AT"},"messages":[{"info":{"id":"IDAT","sessionID":"IDAT","role":"assistant","parentID":"IDAT"},"parts":[{"id":"IDAT","messageID":"IDAT","type":"tool","callID":"IDAT","tool":"f","state":{"status":"completed","input":{"to":"AT"},"output":"AT","metadata":{"openai":{"reasoningEncryptedContent":"IDAT"}}}}]}]}
END
}

@test "ctx-redact: an agent's own session is redacted as it stands, in lines or in one document; ids and seals stay" {
    local agent key
    key=AKIA$(perl -e 'srand 7; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    agents
    for agent in claude-code codex pi gemini-cli gemini-document opencode; do
        sed "s/IDAT/$key/g; s/AT\([^A-Za-z]\|$\)/$key\1/g" "$agent" >in
        sed "s/AT\([^A-Za-z]\|$\)/[REDACTED:aws-access-key]\1/g; s/ID\[REDACTED:aws-access-key\]/$key/g" "$agent" >want
        (($(grep -o REDACTED want | wc -l) >= 3))
        ctx-redact --finds finds in >got 2>said
        same "$agent" want got
        same "$agent: said" /dev/null said
        # The finds name the lines.
        [[ $agent == gemini-document || $agent == opencode ]] ||
            same "$agent: lines" <(grep -on REDACTED want | cut -d: -f1) <(jq -r .line finds)
        ctx-redact -i in
        same "$agent in place" want in
    done
    # Behind a document, a find has the line on which its record begins.
    { jq . <<<'{"a":"x","b":1}'; echo '{"a":"bob@mail.example.org"}'; } >in
    ctx-redact --finds finds in >got
    same 'finds' <(echo '{"line":5,"path":"/a","rule":"email"}') finds
    # The next command of a process reads lines.
    printf 'redact: ctx-redact\nview: ctx-project\n' >profile
    status_of 65 ctx-compile --profile ./profile in >out 2>said
    grep -q 'in:1: unexpected end' said
    # Redacted or not, it is read as the same session.
    sed 's/gate/bob@mail.example.org/' "$FIXTURES/codex-session.jsonl" | ctx-redact | ctx-normalize >got
    sed 's/gate/bob@mail.example.org/' "$FIXTURES/codex-session.jsonl" | ctx-normalize | ctx-redact | same 'read' - got
}

@test "ctx-redact --sanitize: of a text its kind and length remain, of a session its structure" {
    spec <<'END'
ctx-redact --sanitize
<<< {"role":"user","name":"Ann","content":"Why does it fail?\nö"}
<<< {"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{\"path\":\"/home/ann/a.c\",\"n\":4,\"a\":{\"my plan\":\"x\\ny\",\"~/b\":[true,\"type\"]}}"}}],"metadata":{"timestamp":"2026-11-26T22:19:22Z","usage":{"input_tokens":7}}}
<<< {"role":"tool","name":"read","tool_call_id":"c1","content":"{\"harbour\":\"deep\"}"}
<<< {"role":"user","content":[{"type":"text","text":"https://harbour.example/x"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},{"type":"text","text":"--- [text 9]"},{"type":"text","text":"..."}]}
<<< {"type":"x","payload":{"output":"{\"output\":\"all is well\",\"metadata\":{\"exit_code\":1}}","version":"1.2.3","status":"of the harbour","model":"<synthetic>"}}
<<< {"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"name\":\"harbour\"}}"}
>>> {"role":"user","name":"[text 3]","content":"[text 20]"}
>>> {"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"read","arguments":"{\"path\":\"[path 13]\",\"n\":4,\"a\":{\"[name 7 0]\":\"[text 3]\",\"[name 3 1]\":[true,\"[text 4]\"]}}"}}],"metadata":{"timestamp":"2026-11-26T22:19:22Z","usage":{"input_tokens":7}}}
>>> {"role":"tool","name":"read","tool_call_id":"c1","content":"[text 18]"}
>>> {"role":"user","content":[{"type":"text","text":"[url 25]"},{"type":"image_url","image_url":{"url":"[base64 26]"}},{"type":"text","text":"[text 12]"},{"type":"text","text":"..."}]}
>>> {"type":"x","payload":{"output":"{\"output\":\"[text 11]\",\"metadata\":{\"exit_code\":1}}","version":"1.2.3","status":"[text 14]","model":"<synthetic>"}}
>>> {"from":"function_call","value":"{\"name\":\"f\",\"arguments\":{\"name\":\"[text 7]\"}}"}
END
    echo '{"role":"user","content":"a b"}' >in
    ctx-redact --sanitize --report report -v in 2>said | cmp - <(echo '{"role":"user","content":"[text 3]"}')
    [[ $(jq -c '[.sanitized, has("redacted")]' report) == '[1,false]' ]]
    grep -q '; 1 sanitized$' said
    local option
    for option in --only=pii --pattern=x=x --where=role=user --finds=f -i; do
        status_of 64 ctx-redact --sanitize "$option" in >out 2>said
    done
}

# structure FILE: what ctx-normalize reads of it, but texts.
structure() {
    ctx-normalize "$1" 2>/dev/null | jq -c 'def shape: if type == "object" then to_entries | map([(.key | if test("^[A-Za-z0-9_$-]+$") then . else "" end), (.value | shape)])
            elif type == "array" then map(shape) elif type == "string" then "" else . end;
        if type != "object" then shape else [.role, .tool_call_id, .metadata.is_error, .metadata.id, (.content | type),
            (.content | arrays | map(.type?)),
            (.tool_calls // [] | map([.id, (.function // . | .name, (.arguments | (fromjson? // .) | shape))]))] end'
}

@test "ctx-redact --sanitize: what tools and extensions give has no words that stay, a name is that of a tool, a time has nothing behind it" {
    cat >in <<'END'
{"type":"session_info","id":"s1","parentId":null,"name":"Alice-takeover"}
{"type":"custom","customType":"plan","data":{"name":"Alice","mode":"Alice","items":[{"status":"Alice","type":"Alice"}]},"id":"x1"}
{"type":"message","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","details":{"name":"Alice","mode":"Alice","status":"Alice","model":"Alice"},"isError":false}}
{"type":"event_msg","payload":{"type":"exec_command_end","parsed_cmd":[{"type":"read","name":"Alice"}],"name":"Alice"}}
{"type":"response_item","payload":{"type":"local_shell_call","action":{"type":"exec","env":{"name":"Alice","model":"Alice"}}}}
{"type":"attachment","attachment":{"type":"skill_listing","skills":[{"name":"Alice","description":"x y"}],"kind":"Alice"}}
{"role":"tool","tool_call_id":"c2","content":[{"type":"resource","resource":{"name":"Alice","type":"Alice"}}]}
{"parts":[{"type":"tool","tool":"grep","state":{"status":"completed","metadata":{"result":[{"name":"Alice","kind":"Alice"}],"sessionId":"s2"}}},{"type":"file","source":{"name":"Alice"}}]}
{"toolCalls":[{"name":"read_file","status":"success","args":{},"resultDisplay":{"name":"Alice","status":"Alice"}}]}
{"conversations":[{"from":"human","value":"x"},{"from":"Alice","value":"y"}]}
{"role":"user","content":"2026-11-26 22:19:22 55512345678"}
{"timestamp":"2026-11-26 22:19:22 55512345678","createdAt":"2026-11-26T22:19:22.123+02:00","content":"2026-11-26T22:19:22Z"}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c3","output":"Exit code: 127\nWall time: 1 s\nOutput:\nAlice"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c4","output":"Process exited with code 2\nOutput:\nAlice"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"aborted by user after 3 s"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"Exit code: 0\nOutput:\nExit code: 3"}}
{"role":"assistant","content":[{"type":"tool_use","id":"c6","name":"gate","input":{"name":"Alice"}}],"tools":[{"name":"gate"}]}
{"role":"assistant","name":"Alice","content":"x","tool_calls":[{"id":"c7","function":{"name":"lamp"}}]}
{"role":"user","content":[{"functionCall":{"name":"gate"}},{"functionResponse":{"name":"gate","response":{"name":"Alice"}}}],"info":{"error":{"name":"MessageAbortedError"}},"profile":{"name":"Alice"}}
{"role":"user","content":"/stats for Alice"}
{"role":"user","content":[{"text":"?Alice"},{"text":"/ ..."}]}
END
    cat >want <<'END'
{"type":"session_info","id":"s1","parentId":null,"name":"[text 14]"}
{"type":"custom","customType":"[text 4]","data":{"name":"[text 5]","mode":"[text 5]","items":[{"status":"[text 5]","type":"[text 5]"}]},"id":"x1"}
{"type":"message","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","details":{"name":"[text 5]","mode":"[text 5]","status":"[text 5]","model":"[text 5]"},"isError":false}}
{"type":"event_msg","payload":{"type":"exec_command_end","parsed_cmd":[{"type":"[text 4]","name":"[text 5]"}],"name":"[text 5]"}}
{"type":"response_item","payload":{"type":"local_shell_call","action":{"type":"exec","env":{"name":"[text 5]","model":"[text 5]"}}}}
{"type":"attachment","attachment":{"type":"skill_listing","skills":[{"name":"[text 5]","description":"[text 3]"}],"kind":"[text 5]"}}
{"role":"tool","tool_call_id":"c2","content":[{"type":"resource","resource":{"name":"[text 5]","type":"[text 5]"}}]}
{"parts":[{"type":"tool","tool":"grep","state":{"status":"completed","metadata":{"result":[{"name":"[text 5]","kind":"[text 5]"}],"sessionId":"s2"}}},{"type":"file","source":{"name":"[text 5]"}}]}
{"toolCalls":[{"name":"read_file","status":"success","args":{},"resultDisplay":{"name":"[text 5]","status":"[text 5]"}}]}
{"conversations":[{"from":"human","value":"[text 1]"},{"from":"[text 5]","value":"[text 1]"}]}
{"role":"user","content":"[text 31]"}
{"timestamp":"[text 31]","createdAt":"2026-11-26T22:19:22.123+02:00","content":"[text 20]"}
{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c3","output":"Exit code: 127 [text 43]"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c4","output":"Process exited with code 2 [text 40]"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"aborted by user [text 25]"}}
{"type":"response_item","payload":{"type":"function_call_output","call_id":"c5","output":"[text 33]"}}
{"role":"assistant","content":[{"type":"tool_use","id":"c6","name":"gate","input":{"name":"[text 5]"}}],"tools":[{"name":"gate"}]}
{"role":"assistant","name":"[text 5]","content":"[text 1]","tool_calls":[{"id":"c7","function":{"name":"lamp"}}]}
{"role":"user","content":[{"functionCall":{"name":"gate"}},{"functionResponse":{"name":"gate","response":{"name":"[text 5]"}}}],"info":{"error":{"name":"MessageAbortedError"}},"profile":{"name":"[text 5]"}}
{"role":"user","content":"/ [text 16]"}
{"role":"user","content":[{"text":"? [text 6]"},{"text":"/ ..."}]}
END
    while IFS= read -r line; do
        ctx-redact --sanitize <<<"$line" || [[ $? == 65 ]]
    done <in >got
    same 'records' want got
    while IFS= read -r line; do
        ctx-redact --sanitize <<<"$line" || [[ $? == 65 ]]
    done <got | same 'a second run' got -
}

@test "ctx-redact --sanitize: the fixtures of agents are read as the same messages, calls and failures" {
    local agent count=0
    {
        sed 3q "$FIXTURES/gemini-cli-session.jsonl"
        printf '{"id":"g9","timestamp":"2026-11-20T09:00:01.000Z","type":"user","content":%s}\n' '"/stats now"' '[{"text":"?help"}]'
        sed 1,3d "$FIXTURES/gemini-cli-session.jsonl"
    } >gemini-commands
    for agent in "$FIXTURES"/{claude-code,codex,pi,gemini-cli,openai,anthropic,sharegpt}-*.jsonl gemini-commands; do
        ctx-redact --sanitize "$agent" >got
        printf '%s\n' "$agent"
        structure "$agent" >want
        structure got | same "$agent" want -
        count=$((count + $(wc -l <want)))
    done
    ((count >= 40))
}

@test "ctx-redact --sanitize: what is a word in one format and a text in another stays where it is such a word" {
    cat >in <<'END'
{"schema_version":"ATIF-v1.7","steps":[{"source":"agent","model_name":"m-1","tool_calls":[{"tool_call_id":"c1","function_name":"read","arguments":{"path":"a b"}}],"observation":{"results":[{"source_call_id":"c1","content":"two words"}]}}]}
{"id":1,"source":"user","action":"run","args":{"command":"ls -l"}}
{"id":2,"source":"Alice","action":"pytest","observation":"ok then","tool_call_ids":["c2","c 3"],"message_type":"thought"}
END
    ctx-redact --sanitize in >got 2>/dev/null
    same 'words' - got <<'END'
{"schema_version":"ATIF-v1.7","steps":[{"source":"agent","model_name":"m-1","tool_calls":[{"tool_call_id":"c1","function_name":"read","arguments":{"path":"[text 3]"}}],"observation":{"results":[{"source_call_id":"c1","content":"[text 9]"}]}}]}
{"id":1,"source":"user","action":"run","args":{"command":"[text 5]"}}
{"id":2,"source":"[text 5]","action":"[text 6]","observation":"[text 7]","tool_call_ids":["c2","[text 3]"],"message_type":"thought"}
END
}

# bats test_tags=slow
@test "ctx-redact --sanitize: messages that are JSON in a string of a trace are read as messages afterwards" {
    # A call of Inspect names its tool so.
    ctx-redact --sanitize <<<'{"id":"c","function":"submit","arguments":{},"also":{"function":"the pier"}}' 2>said | same 'function' - <(echo '{"id":"c","function":"submit","arguments":{},"also":{"function":"[text 8]"}}')
    local messages='{"messages":[{"role":"user","content":"The lamp."},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"look","arguments":"{\"at\":\"the pier\"}"}}]}]}'
    jq -nc --arg m "$messages" '{observations: [{input: $m}, {input: ($m | tojson), output: "\"Lit, all of it.\""}, {input: "a text"}]}' >in
    ctx-redact --sanitize in >out 2>said
    ! grep -q 'lamp\|pier\|Lit' out || fail "$(<out)"
    jq -c '.observations[] | .input, .output // empty | . as $text | try (fromjson | . as $inner | if type == "string" then (try fromjson catch $inner) else . end) catch $text | .messages? // . | if type == "array" then [.[] | .content // (.tool_calls[0].function | [.name, .arguments])] else . end' out | same 'inside' - <(printf '%s\n' \
        '["[text 9]",["look","{\"at\":\"[text 8]\"}"]]' '["[text 9]",["look","{\"at\":\"[text 8]\"}"]]' '"[text 15]"' '"[text 6]"')
    ctx-redact --sanitize out 2>said | cmp - out
}

@test "ctx-redact --sanitize: real sessions are read as the same messages and calls, and no word of their texts is left" {
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    local file count=0
    # Members whose words stay, and ids; a word of a text must not stand anywhere else.
    cat >remains.jq <<'END'
def words: [scan("\\p{L}{5,}")];
def opened: if type == "string" then (fromjson? // .) else . end | if type == "string" then (fromjson? // .) else . end;
def texts: [.. | strings | select(test("[\\s/]"))] | map(words) | add // [];
def names: ["type", "role", "from", "kind", "subtype", "status", "name", "tool", "toolName", "tool_name", "model", "modelID",
    "modelId", "provider", "providerID", "api", "stop_reason", "stopReason", "finish", "finish_reason", "level", "operation", "phase", "mode",
    "history_mode", "trigger", "version", "cli_version", "record_type", "origin", "scope", "section", "object", "media_type", "mediaType",
    "mimeType", "mime", "detail", "field", "function", "function_name", "model_name", "schema_version", "message_type", "source", "action",
    "observation"];
def is_id: test("(^id|_ids?|Id|ID|uuid|Uuid|UUID|resolves|forgets|archived)$");
def is_given: any(.[:-1][]; IN("arguments", "args", "toolUseResult")) or (index("input") as $i | $i != null and (.[$i + 1] | type) == "string");
def left: [paths(strings) as $p | ($p | map(strings) | last // "") as $name | getpath($p) |
    if ($name | is_id or IN(names[])) and ($p | is_given | not) then select(test("\\s"))
    else opened | if type == "string" then . else left[] end end | words[]];
END
    while IFS= read -r -d '' file; do
        ctx-redact --sanitize "$file" >got 2>said || continue
        ((++count))
        ctx-redact --sanitize got | cmp - got || fail "$file: a second run"
        # Arguments that a stream gives in pieces are no JSON afterwards; that they stand there is compared.
        local arguments='.'
        ! grep -q inputTextDelta "$file" || arguments='if type == "array" and length == 7 then .[6] |= map(.[2] |= "") else . end'
        same "$file" <(structure "$file" | jq -c "$arguments") <(structure got | jq -c "$arguments")
        jq -nr 'include "remains"; [inputs | texts[]] | unique[]' -L . "$file" | sort -u >texts
        jq -nr 'include "remains"; [inputs | left[]] | unique[]' -L . got | sort -u >left
        comm -12 texts left >common
        [[ ! -s common ]] || fail "$file: $(head -n 20 common | tr '\n' ' ')"
    done < <(find "$CTX_SHARED" -type f -size +0 ! -name '*.tsv' -print0 | sort -z)
    printf '%s files\n' "$count"
    ((count >= 290))
}

@test "ctx-redact: hostile texts take linear time" {
    local text
    for text in 'token is ' 'token is token for ' 'token | ' 'token for a ' 'token:\n' 'token: >-\n' 'token is ```a\n' '<token>' '<token>a' '\"token\", ' '--token ' \
        a 7 eyJ eyJ- '-----BEGIN' '-----BEGIN PRIVATE KEY-----' '-----BEGIN PRIVATE KEY-----\n ' '-----END ' '+49 30 1234567 (415) 555-0132 ' @ a@ :// token= TOKEN=a 'access_key_' 'A_TOKEN=$' \
        "password='" 4111 '+1 ' DE89 'cookie=a=' 'Cookie: a=b1; ' 'cookie=a=b;' 'curl -u a ' "curl '" 'curl ' 'curl -u a:$b ' 'curl -b a=b1; ' "curl -b 'a=" '--cookie ' '--cookie a=' 'token=a.' 'pwd=a_pwd.' 'mysql -p' 'mysql -p$a;' 'machine ' 'machine a login b ' \
        'Private-Lines: 99\n' 'Private-Lines: 9\nAbCdEfGhIjKlMnOpQrSt0123\n' 'auth=' '\"auth\":\"' 'auth: YTph' '.acc_' 1Q~ ':A' '[REDACTED:' '[REDACTED:email]' 'Authorization: ' xoxe. sk-ant- '{' '[\"' '\u0041'; do
        printf '%s\n' "$text"
        perl -e 'print qq({"role":"user","content":"), $ARGV[0] x (1000000 / length $ARGV[0]), qq("}\n)' -- "$text" >in
        (ulimit -t 10; ctx-redact in) >got
    done
}

# --- Values of names, and what is none ------------------------------------------------------------

# counts: how many lines of got have a mark, and of how many.
counts() {
    printf '%s of %s' "$(grep -c REDACTED got)" "$(wc -l <got)"
}

@test "ctx-redact: of values of names that ask for a secret 97 in 100 are found, in prose, Markdown, commands, XML, ENV, JSON, YAML, nested JSON and URLs" {
    local form found
    perl "$ROOT/tests/redact/contexts.pl" values 21 400 >tsv
    for form in prose Markdown option XML ENV JSON YAML block nested URL; do
        grep "^$form"$'\t' tsv | cut -f3 >in
        grep "^$form"$'\t' tsv | cut -f4 >want
        redact in | sed -E 's/\[REDACTED:(token-value|secret-value|key-value|password)\]/[REDACTED:value]/g' >got
        found=$(paste want got | awk -F'\t' '$1 == $2 { n++ } END { print n + 0 }')
        printf '%s: %s of %s\n' "$form" "$found" "$(wc -l <want)"
        (($(wc -l <got) >= 400 && 100 * found >= 97 * $(wc -l <want)))
    done
}

@test "ctx-redact: a hash or uuid in prose is a secret where a copula links it to such a name" {
    local value
    for value in $(perl -e 'srand 6; my @all = (0 .. 9, "a" .. "f"); my $drawn = sub { join "", map { $all[rand @all] } 1 .. $_[0] };
        print join " ", $drawn->(40), join "-", map { $drawn->($_) } 8, 4, 4, 4, 12'); do
        printf '{"role":"user","content":"The %s is %s."}\n' token "$value" commit "$value" 'password of the harbour' "$value" 'token id' "$value"
        printf '{"role":"user","content":"token: see %s, token at %s, secret scanning by commit %s"}\n' "$value" "$value" "$value"
    done >in
    sed -E 's/The token is [0-9a-f-]*/The token is [REDACTED:token-value]/;s/harbour is [0-9a-f-]*/harbour is [REDACTED:password]/' in >want
    redact in >got
    same 'marks' want got
}

@test "ctx-redact: in a list of arguments the one behind an option that asks for a secret goes" {
    local word
    word=$(letters 12)
    {
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":{"argv":["x","--token","%s","%s"]}}}]}\n' "$word" "$word"
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"[[\\"--password\\",\\"%s\\"],[\\"%s\\"]]"}}]}\n' "$word" "$word"
        printf '{"role":"user","content":"run([\\"--token\\", \\"%s\\", \\"%s\\"])"}\n' "$word" "$word"
        printf '{"role":"user","content":"x","a":["--token",1,"%s"],"b":["--token","--password","--x-y9z","%s",["--token"],"%s"],"c":["--tokens","%s"]}\n' "$word" "$word" "$word" "$word"
    } >in
    sed -E "1s/$word/[REDACTED:token-value]/;2s/$word/[REDACTED:password]/;3s/$word/[REDACTED:token-value]/" in >want
    redact in >got || [[ $? == 65 ]]
    same 'marks' want got
}

@test "ctx-redact: what only stands behind a name in prose, in a command, in XML or in YAML stays" {
    cat >lines <<'END'
the password is required
The token is expired
secret is stored in vault
tides --password-file /path/to/file1.txt
the token is 123 tokens long
API key: see the README
tides --token-limit 8000 --tokens 5000 --token TOKEN --password PASSWORD --api-key <key>
the token was issued at 2024-01-02T10:00:00Z
the password is at least 8 characters
the access token is in ~/.config/x1/y2.json
the token is returned by getAccessTokenV2
The token is `parse_token_v2` and the secret is `client_secret_2`
Token is of type Map<String, Token2>
see the API key at https://x9k2.example/a1b2c3d4e5f6
password is base64-encoded
the password is that of tides5x4y2:8443, the token was tides5x4y2z7:8443
password is hashed with sha256 in auth.c:123
the token is 0x1F4a2b3c
tides --password --user ann1b2c3
tides --token "$TOKEN" --secret ${SECRET} --password=$(cat x)
the API key is invalid: 401
secret: commit 3f2a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a
the token endpoint is /oauth2/v1/token2
The session is 3fa85f64-5717-4562-b3fc-2c963f66afa6; the token is its id
<label for="password">Password</label><input type="password"/>
<td>token</td><td>string</td>
the <b>token</b> of ann is not <i>tides5x4harbour7y2</i>
password:
  type: string
  minLength: 12
secret:
  name: harbour-tls-2
  key: tls.crt
List<Token> tokens = parser.tokens2();
token => token.value2
the token to be parsed is next
the private key is in id_ed25519
the token count is 4096, token limit 128k, tokens: 5000
model gpt-4o-mini-2024-07-18 needs an API key from claude-3-5-sonnet-20241022
def f(token, password="x"): return token
| token | number | 12345678 |
`--token` `--password` `max_tokens`
kubectl create secret generic harbour-tls-2 --from-file=a1.pem
the password for user1 is set in config2.yaml
token    | v1.2.3-rc4+build5
the API key of tides2 is the same as that of harbour2
The next token is Ġharbour2x9k
Use a password manager, e.g. 1password8
git commit -m "token: use x86_64-linux-gnu"
pwd = self.pwd
        self.db_passwd = db_passwd
    password: process.env.X9K2, secret: process.env.DB_PWD!,
const token = this.xsrfJwtToken;
'xsrf_token': self.xsrf_token
secret = config.jwtXsrf.secret, password := db_passwd
client_secret: $dbPwd, password = &ctx.dbPasswd, pwd: Config::dbPwd
connect(password=opts.dbPwd, token=get_token2(x), api_key=os.environ["X9K2"])
password = var.dbPasswd, password = settings.DB_PASSWD
the token is this.xsrfJwtToken in all of them, secret: process.env.AUTH0_CLIENT_SECRET
END
    {
        jq -Rc '{role: "user", content: .}' lines
        jq -Rsc '{role: "user", content: .}' lines
    } >in
    redact in | same 'what stays' in -
}

@test "ctx-redact: a password of words is one in prose, in YAML, in a connection string and behind an option; a digit ends what is a reference" {
    local made word year=2026
    printf -v made '%s_%s_%s' Tide "$year" pwd
    printf -v word '%s%s_%s' app "$year" secret
    {
        printf '%s<%s>\n' 'my password is ' "$made" 'Login with password: ' "$made" 'tides --password ' "$made" 'tides --password=' "$word" \
            'host=db user=app password=' "$word" 'harbour:\n  password: ' "$word" 'password = ' "$word" 'pwd = ' "db_pwd$year" \
            'password=' "ctx.$(letters 10)" 'token=' "vars.$(letters 16)" 'token=' "vars.$(letters 24 | tr -d 0-9)" \
            'tides --token ' "self.$(letters 24 | tr -d 0-9)" 'password=' "config.tide$year" 'password: ' "tide$year.harbour" \
            'password=' "$(printf 'db_%s' passwd)" 'my password: ' "$(printf 'db_%s' passwd)" 'tides --password ' "self.db_pwd$year"
    } >lines
    tr -d '<>' <lines | jq -Rc '{role: "user", content: .}' >in
    sed 's/<.*>/[REDACTED:value]/' lines | jq -Rc '{role: "user", content: .}' >want
    (($(wc -l <in) == 17))
    redact in | sed -E 's/\[REDACTED:(token-value|password)\]/[REDACTED:value]/' >got
    same 'marks' want got
}

@test "ctx-redact: the examples of every row are found, in each form in which secrets stand" {
    local form rows
    perl "$ROOT/tests/redact/contexts.pl" shapes 20 5 "$ROOT/common/policy/secret/shapes.c" >tsv
    rows=$(grep -cE '(ROW|AROUND)\("' "$ROOT/common/policy/secret/shapes.c")
    (($(cut -f2 tsv | sort -u | wc -l) == rows && rows >= 190))
    for form in prose Markdown option XML ENV JSON YAML block nested URL; do
        grep "^$form"$'\t' tsv | cut -f3 >in
        redact in >got
        printf '%s: %s\n' "$form" "$(counts)"
        (($(grep -c REDACTED got) >= 97 * $(wc -l <got) / 100))
    done
    grep '^prose' tsv | cut -f4 >want
    grep '^prose' tsv | cut -f3 | redact >got
    same 'prose' want got
}

@test "ctx-redact: the examples of every word are found, alone, in prose, in JSON and in nested JSON" {
    perl "$ROOT/tests/redact/contexts.pl" words 23 25 "$ROOT/common/policy/secret/assignment.c" >tsv
    (($(cut -f2 tsv | sort -u | wc -l) == $(grep -oE '\bWORD\("[^"]*", \w+' "$ROOT/common/policy/secret/assignment.c" | sed 's/.* //' | sort -u | wc -l)))
    (($(wc -l <tsv) >= 100 * $(grep -c '\bWORD("' "$ROOT/common/policy/secret/assignment.c")))
    cut -f4 tsv >want
    cut -f3 tsv | redact >got
    same 'marks' want got
    redact got | same 'a second run' got -
}

@test "ctx-redact: members that have cookies, or a user and a password in base64, lose them" {
    local word pair
    word=$(letters 20)
    pair=$(printf 'ann:%s' "$word" | base64)
    {
        printf '{"role":"tool","content":"x","h":{"Cookie":"theme=dark; sid=%s","set-cookie":["a=%s; Path=/","b=1; Path=/"]}}\n' "$word" "$word"
        printf '{"role":"tool","content":"x","h":[{"name":"Cookie","value":"sid=%s"}],"auths":{"a.example":{"auth":"%s"}}}\n' "$word" "$pair"
        printf '{"role":"assistant","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{\\"headers\\":{\\"cookie\\":\\"sid=%s\\"},\\"auth\\":\\"%s\\"}"}}]}\n' "$word" "$pair"
    } >in
    sed "s/$word/[REDACTED:cookie]/g;s|$pair|[REDACTED:basic-auth]|g" in >want
    ctx-redact in >got || [[ $? == 65 ]]
    same 'marks' want got
}

@test "ctx-redact: what only looks like a cookie, a login or a key of PuTTY stays" {
    spec <<'END'
ctx-redact
<<< {"role":"user","content":"Cookie: theme=dark; lang=en. A cookie: name=value; cookie = session; Set-Cookie: sid=; Max-Age=31536000; Path=/api/v1; Cookie: ${COOKIE}"}
<<< {"role":"user","content":"curl -u $USER:$PASS https://harbour.example; curl -u ann https://harbour.example | docker run -u 1000:tides5x x; curl -u user:password x; docker run -u 1000:1000 x; curl -b jar2x4y7z9.txt -b \"sid=$SID\" --cookie ~/jar --cookie theme=dark x | base64 -b sid=x2y4z6x8y1z3"}
<<< {"role":"user","content":"curl https://harbour.example\nrsync -u harbour:tides5x /x; curl x\\nrsync -u harbour:tides5x; curl.se -unify; curl --user-agent a:tides5x4 x && sudo -u ann:tides5x id"}
<<< {"role":"user","content":"mysql -u root -p tides; mysql -P3306 -p\"$PASS\" -p$PASS x; docker run mysql -p3306:3306; find /var/lib/mysql -print -path x; mysql --port=3306x"}
<<< {"role":"user","content":"f'curl -u {user}:{self.password}' passwd='{self.password}' authorization = base64.decodebytes(x2y) authorization: headers2[3]"}
<<< {"role":"user","content":"The machine learning login password is here. machine harbour login ann; machine x password $PASS; a machine has a password tides4711x"}
<<< {"role":"user","content":"auth: \"none\", {\"auth\":\"b2F1dGgyLXRva2Vu\"} auth=oauth2 Private-Lines: 3\nof a poem, Private-Lines: 14"}
>>> {"role":"user","content":"Cookie: theme=dark; lang=en. A cookie: name=value; cookie = session; Set-Cookie: sid=; Max-Age=31536000; Path=/api/v1; Cookie: ${COOKIE}"}
>>> {"role":"user","content":"curl -u $USER:$PASS https://harbour.example; curl -u ann https://harbour.example | docker run -u 1000:tides5x x; curl -u user:password x; docker run -u 1000:1000 x; curl -b jar2x4y7z9.txt -b \"sid=$SID\" --cookie ~/jar --cookie theme=dark x | base64 -b sid=x2y4z6x8y1z3"}
>>> {"role":"user","content":"curl https://harbour.example\nrsync -u harbour:tides5x /x; curl x\\nrsync -u harbour:tides5x; curl.se -unify; curl --user-agent a:tides5x4 x && sudo -u ann:tides5x id"}
>>> {"role":"user","content":"mysql -u root -p tides; mysql -P3306 -p\"$PASS\" -p$PASS x; docker run mysql -p3306:3306; find /var/lib/mysql -print -path x; mysql --port=3306x"}
>>> {"role":"user","content":"f'curl -u {user}:{self.password}' passwd='{self.password}' authorization = base64.decodebytes(x2y) authorization: headers2[3]"}
>>> {"role":"user","content":"The machine learning login password is here. machine harbour login ann; machine x password $PASS; a machine has a password tides4711x"}
>>> {"role":"user","content":"auth: \"none\", {\"auth\":\"b2F1dGgyLXRva2Vu\"} auth=oauth2 Private-Lines: 3\nof a poem, Private-Lines: 14"}
END
}

@test "ctx-redact: a hash or uuid is a secret under such a name, and never without one; nor is a path or an image" {
    perl "$ROOT/tests/redact/contexts.pl" hashes 22 300 >tsv
    grep -v '^none' tsv | cut -f3 >in
    redact in >got
    [[ $(counts) == "$(wc -l <in) of $(wc -l <in)" ]]
    printf '{"role":"user","content":"client_secret=\\"{%s}\\""}\n' "$(letters 20)" | redact | grep -q REDACTED
    # Also where its letters are such as words have.
    printf '{"role":"user","content":"token: dfeaefecaceffeedceeeccebfecddacd"}\n' | redact >got
    same 'a hash of letters' <(printf '{"role":"user","content":"token: [REDACTED:token-value]"}\n') got
    grep '^none' tsv | cut -f3 >in
    (($(wc -l <in) > 1000))
    redact in >got
    same 'hashes, uuids, paths and images' in got
}

# bats test_tags=slow
@test "ctx-redact: of real transcripts no hash, uuid, path or image goes that no name asks for" {
    local runs='[A-Za-z0-9+/]{256,}={0,2}'
    [[ -d $CTX_SHARED ]] || skip 'no transcripts beside the tree'
    find "$CTX_SHARED" "${CTX_SHARED%/*}/recall" -type f -print0 | sort -z >files
    # each file as a text, and what is JSON as records, too
    {
        xargs -0 -n 1 jq -Rsc '{role: "user", content: .}' <files
        grep -zE 'jsonl?$' files | xargs -0 -n 1 jq -c . 2>errors || [[ $? == 123 ]] # one is malformed
    } >in
    (($(wc -c <in) >= 20000000))
    redact in >got || [[ $? == 65 ]]
    perl "$ROOT/tests/redact/taken.pl" in got >taken
    cut -f1-3 taken | sort | uniq -c
    (($(wc -l <taken) > 100))
    awk -F'\t' '$2 == "-" && ($3 != "text" || $1 ~ /value$|^(password|cookie|basic-auth|bearer|url-password)$/)' taken >wrong
    same 'taken' /dev/null wrong
    same 'base64' <(grep -aoE "$runs" in) <(grep -aoE "$runs" got)
    (($(grep -aoE "$runs" in | wc -l) > 100))
    # The same look sees a hash that goes.
    ctx-redact --only none --pattern 'commit=[0-9a-f]{40}' in >got || [[ $? == 65 ]]
    perl "$ROOT/tests/redact/taken.pl" in got | cut -f2,3 | grep -qx -- '-	hash'
}

@test "ctx-redact: a character without width in a secret hides it not, escaped or not; elsewhere it stays" {
    local key word width
    key=AKIA$(perl -e 'srand 31; print map { ("A".."Z", 2..7)[rand 32] } 1 .. 16')
    word=$(letters 12)
    for width in $'\u200b' $'\u200d' $'\u2060' $'\ufeff' $'\u00ad' '\u200B' '\u200d' '\u2060' '\uFEFF' '\u00ad'; do
        printf '{"role":"user","content":"%sIt is %s%s%s.%s TO%sKEN=%s%s%s a%sb"}\n' "$width" "${key:0:2}" "$width" "${key:2}" \
            "$width" "$width" "${word:0:5}" "$width" "${word:5}" "$width"
    done >in
    for width in $'\u200b' $'\u200d' $'\u2060' $'\ufeff' $'\u00ad' '\u200B' '\u200d' '\u2060' '\uFEFF' '\u00ad'; do
        printf '{"role":"user","content":"%sIt is [REDACTED:aws-access-key].%s TO%sKEN=[REDACTED:token-value] a%sb"}\n' "$width" "$width" "$width" "$width"
    done >want
    redact in >got
    same 'marks' want got
    redact got | same 'a second run' got -
}
