#!/usr/bin/perl
#
# secrets.pl SHAPES SEED COUNT IN EXPECTED: makes up COUNT secrets of each shape in the table of the
# file SHAPES (common/policy/secret/shapes.c) and of each other rule, and writes each in every
# nesting to IN, a record a line, and to EXPECTED what the records are to become. It shares no code
# with the program: only the names, prefixes, alphabets and lengths of the table, which no second
# list repeats. No secret is kept: each run makes them up anew.

use strict;
use warnings;

my ($shapes, $seed, $count, $in, $expected) = @ARGV;
srand $seed;

my %alphabet = (
    DIGIT => [0 .. 9], HEX => [0 .. 9, 'a' .. 'f'], UPPER => ['A' .. 'Z', 0 .. 9],
    LOWER => ['a' .. 'z', 0 .. 9], ALNUM => ['a' .. 'z', 'A' .. 'Z', 0 .. 9]);
$alphabet{WORD} = [@{$alphabet{ALNUM}}, '_'];
$alphabet{DASH} = [@{$alphabet{WORD}}, '-'];
$alphabet{DOTTED} = [@{$alphabet{DASH}}, '.'];
$alphabet{BASE64} = [@{$alphabet{ALNUM}}, '+', '/'];
$alphabet{TOKEN} = [@{$alphabet{DASH}}, '+', '/', '~', '.'];
$alphabet{CODE} = [@{$alphabet{UPPER}}, '-'];
$alphabet{URL} = [@{$alphabet{TOKEN}}, '@'];

sub pick { my ($name, $len) = @_; join '', map { $alphabet{$name}[rand @{$alphabet{$name}}] } 1 .. $len }

sub crc32 {
    my $crc = 0xffffffff;
    for my $byte (unpack 'C*', shift) {
        $crc ^= $byte;
        $crc = ($crc >> 1) ^ ($crc & 1 ? 0xedb88320 : 0) for 1 .. 8;
    }
    return $crc ^ 0xffffffff;
}

sub base62 {
    my ($number, $text) = (shift, '');
    for (1 .. 6) {
        $text = (0 .. 9, 'A' .. 'Z', 'a' .. 'z')[$number % 62] . $text;
        $number = int $number / 62;
    }
    return $text;
}

# A token ends in a letter or digit, since a dot or hyphen at the end may be that of a sentence. Nor
# does a body begin with a dot: with one, "pat" would be the prefix of another row, "pat.".
sub token {
    my ($prefix, $name, $min, $max, $check) = @_;
    my $len = $min + int rand(($max ? $max : $min + 20) - $min + 1);
    return $prefix . do { my $body = pick($name, $min - 6); $body . base62(crc32($body)) } if $check eq 'CRC62' && rand() < 0.5;
    return $prefix . pick($name eq 'DOTTED' ? 'DASH' : $name, 1) . pick($name, $len - 2) . pick($name eq 'HEX' || $name eq 'UPPER' || $name eq 'LOWER' ? $name : $name eq 'CODE' ? 'UPPER' : 'ALNUM', 1);
}

sub luhn {
    my @digits = reverse split //, shift;
    my $sum = 0;
    $sum += $_ % 2 == 0 ? ($digits[$_] > 4 ? 2 * $digits[$_] - 9 : 2 * $digits[$_]) : $digits[$_] for 0 .. $#digits;
    return (10 - $sum % 10) % 10;
}

sub card {
    my ($prefix, $len) = @{(['4', 16], ['51', 16], ['2221', 16], ['34', 15], ['37', 15], ['6011', 16], ['36', 14], ['3530', 16], ['62', 16], ['4', 19])[rand 10]};
    my $digits = $prefix . pick('DIGIT', $len - 1 - length $prefix);
    $digits .= luhn($digits);
    $digits = join ' ', unpack '(A4)*', $digits if $len == 16 && rand() < 0.3;
    $digits = join '-', unpack 'A4A6A5', $digits if $len == 15 && rand() < 0.3;
    return $digits;
}

sub iban {
    my ($country, $len) = @{(['DE', 22], ['GB', 22], ['FR', 27], ['NL', 18], ['NO', 15], ['MT', 31])[rand 6]};
    my $own = $country eq 'GB' || $country eq 'NL' ? 'WEST' . pick('DIGIT', $len - 8) : pick('DIGIT', $len - 4);
    my $rest = 0;
    $rest = ($rest * ($_ =~ /\d/ ? 10 : 100) + ($_ =~ /\d/ ? $_ : ord($_) - 55)) % 97 for split //, $own . $country . '00';
    my $iban = sprintf '%s%02d%s', $country, 98 - $rest, $own;
    return rand() < 0.5 ? join(' ', unpack '(A4)*', $iban) : $iban;
}

# [rule, text before, secret, text behind]
my @made;
open my $table, '<', $shapes or die "$shapes: $!";
my $rows = do { local $/; <$table> };
while ($rows =~ /ROW\(\s*"([^"]+)",\s*"([^"]+)",\s*(\w+),\s*(\d+),\s*(\d+),\s*(\w+),/g) {
    my @row = ($1, $2, $3, $4, $5, $6);
    push @made, [$row[0], '', token(@row[1 .. 5]), ''] for 1 .. $count;
}
die "no shapes in $shapes" unless @made >= 60 * $count;
for (1 .. $count) {
    my $word = pick('ALNUM', 15) . '7';
    push @made,
        ['jwt', '', 'eyJ' . pick('DASH', 20) . '.eyJ' . pick('DASH', 40) . '.' . pick('DASH', 42) . 'x', ''],
        ['private-key', '', "-----BEGIN RSA PRIVATE KEY-----\n" . join('', map { pick('BASE64', 64) . "\n" } 1 .. 5) . pick('BASE64', 20) . "=\n-----END RSA PRIVATE KEY-----", ''],
        ['private-key', '', "-----BEGIN OPENSSH PRIVATE KEY-----\n" . join("\n", map { pick('BASE64', 70) } 1 .. 3), "\n"],
        ['private-key', '', "-----BEGIN ENCRYPTED PRIVATE KEY-----\\n" . pick('BASE64', 64) . '\\n' . pick('BASE64', 64) . "\\n-----END ENCRYPTED PRIVATE KEY-----", ''],
        ['bearer', 'Authorization: Bearer ', pick('ALNUM', 40), ''],
        ['bearer', '-H "authorization: bearer ', pick('DASH', 30) . '1', '"'],
        ['basic-auth', 'Authorization: Basic ', pick('BASE64', 30) . 'Q=', ''],
        ['url-password', 'postgres://admin:', pick('ALNUM', 12), '@db.internal:5432/x'],
        ['url-password', 'https://user:', pick('ALNUM', 8) . '!x', '@host/path'],
        ['token-value', 'MY_TOKEN=', $word, ''],
        ['token-value', 'export CI_JOB_TOKEN="', $word, '"'],
        ['token-value', '?access_token=', $word, '&x=1'],
        ['token-value', 'x%26token%3D', $word, '%26y'],
        ['secret-value', 'CLIENT_SECRET=', pick('ALNUM', 20), ''],
        ['secret-value', 'client_secret: ', $word, ''],
        ['secret-value', "secret_access_key = '", $word . '/+' . pick('ALNUM', 8), "'"],
        ['key-value', 'api_key: "', $word, '"'],
        ['key-value', 'OPENWEATHER_API_KEY=', $word, ''],
        ['key-value', 'AccountKey=', pick('BASE64', 40) . '7a==', ''],
        ['password', 'password: ', pick('ALNUM', 7) . '8', ''],
        ['password', "db_password='", pick('ALNUM', 10), "'"],
        ['password', 'DB_PASSWORD=', pick('ALNUM', 9), ''],
        ['email', '', pick('LOWER', 6) . '.' . pick('LOWER', 5) . '@mail.' . join('', map { ('a' .. 'z')[rand 26] } 1 .. 6) . '.org', ''],
        ['phone', '', sprintf('+49 30 %d', 1000000 + rand 8000000), ''],
        ['phone', '', sprintf('+1-212-555-%04d', rand 10000), ''],
        ['phone', '', sprintf('(212) 555-%04d', rand 10000), ''],
        ['phone', '', sprintf('212-555-%04d', rand 10000), ''],
        ['phone', '', sprintf('+44%d', 2000000000 + rand 900000000), ''],
        ['card', '', card(), ''],
        ['iban', '', iban(), ''];
}

sub quote { my $text = shift; $text =~ s/([\\"])/\\$1/g; $text =~ s/\n/\\n/g; $text =~ s/\x1b/\\u001b/g; return $text }
sub hidden { my $text = shift; $text =~ s/(.)/sprintf '\\u%04x', ord $1/ges; return $text }
sub slashed { my $text = quote(shift); $text =~ s|/|\\/|g; return $text }
sub deep { my $text = '{"x":"' . shift() . '"}'; $text = '{"command":"' . quote($text) . '"}' for 1 .. 4; return '{"arguments":"' . quote($text) . '"}' }
sub nested { my ($text, $depth) = @_; $text = '{"command":"' . quote($text) . '","n":[1,null]}' for 1 .. $depth; return quote($text) }

# Each nesting makes a record of a text; hides tells how the secret in it is spelled.
my @nestings = (
    sub { '{"role":"user","content":"' . quote("see $_[0] here") . '"}' },
    sub { '{"role":"user","content":"' . quote($_[0]) . '"}' },
    sub { '{"role":"system","content":"' . quote("\n\n$_[0].\nEnd") . '","metadata":{"pinned":true}}' },
    sub { '{"role":"assistant","content":[{"type":"text","text":"' . quote("`$_[0]`") . '"},{"type":"image"}]}' },
    sub { '{"role":"tool","tool_call_id":"c1","content":"' . quote("\x1b[31m$_[0]\x1b[0m") . '"}' },
    sub { '{"role":"tool","tool_call_id":"c1","content":"' . quote('print("a\n' . $_[0] . '\n")') . '"}' },
    sub { '{"type":"context","system_prompt":"' . slashed("<$_[0]>") . '"}' },
    sub { '{"other":[[{"deep":[true,"' . quote("($_[0])") . '"]}]]}' },
    sub { '["' . quote("$_[0]; x") . '",-1.5e3]' },
    (map { my $depth = $_; sub { '{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"sh","arguments":"' . nested("echo $_[0] | cat", $depth) . '"}}]}' } } 1 .. 5),
    sub { '{"role":"assistant","content":null,"tool_calls":[{"id":"c1","name":"sh","input":{"a":{"id":"' . quote($_[0]) . '"}}}]}' },
);

open my $i, '>', $in or die "$in: $!";
open my $e, '>', $expected or die "$expected: $!";
for my $made (@made) {
    my ($rule, $before, $secret, $behind) = @$made;
    for my $nesting (@nestings) {
        print $i $nesting->("$before$secret$behind"), "\n";
        print $e $nesting->("${before}[REDACTED:$rule]$behind"), "\n";
    }
    # As a name, and with every byte of it escaped in a string that is in four others.
    next if $before ne '' || $behind ne '';
    print $i '{"role":"user","content":"x","', quote($secret), '":1}', "\n", deep(hidden($secret)), "\n";
    print $e '{"role":"user","content":"x","[REDACTED:', $rule, ']":1}', "\n", deep("[REDACTED:$rule]"), "\n";
}
close $i or die "$in: $!";
close $e or die "$expected: $!";
