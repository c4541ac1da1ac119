#!/usr/bin/perl
#
# contexts.pl WHAT SEED COUNT [TABLE]: makes up texts, each as a line FORM, RULE, RECORD and WANTED,
# parted by tabs: COUNT of each kind in each form in which secrets stand: sentences of prose, marks of
# Markdown, command lines, XML, ENV, JSON, YAML on one line and on the next, nested JSON and URL.
# WANTED is what is to become of the record, where one rule alone finds something; RULE is "value" for
# that of any name. No secret is kept.
# WHAT is one of
#
#     values      values drawn at random, of names that ask for a secret
#     shapes      the examples of the rows of the file TABLE (common/policy/secret/shapes.c)
#     words       the examples of the words in the file TABLE (common/policy/secret/assignment.c), which
#                 have their names with them: alone, in prose, and in a string of JSON and of nested JSON
#     hashes      hashes and UUIDs under such names, and, in the form none, those without one, paths
#                 and images, the last at each alignment to three bytes

use strict;
use warnings;

my ($what, $seed, $count, $file) = @ARGV;
srand $seed;

sub any { $_[rand @_] }
sub bytes {
    my ($set, @all) = (shift);
    while ($set =~ /\G(?:(.)-(.)|(.))/g) { push @all, defined $3 ? $3 : map { chr } ord $1 .. ord $2 }
    return @all;
}
sub drawn { my ($set, $len) = @_; my @all = bytes($set); join '', map { any(@all) } 1 .. $len }
sub quote { my $text = shift; $text =~ s/([\\"])/\\$1/g; $text =~ s/\n/\\n/g; $text =~ s/\r/\\r/g; $text =~ s/\t/\\t/g; return $text }
sub encoded { my $text = shift; $text =~ s/([^A-Za-z0-9_.~-])/sprintf '%%%02X', ord $1/ge; return $text }
sub uuid { join '-', map { drawn('0-9a-f', $_) } 8, 4, 4, 4, 12 }
sub hash { drawn('0-9a-f', any(32, 40, 64)) }

# An example of a form such as "ghp_[0-9A-Za-z]{36}". base64(FORM) is an example of FORM in base64.
sub example {
    my ($form, $text) = (shift, '');
    while ($form =~ /\G(?:\[([^]]+)\]\{(\d+)\}|base64\((.*?)\)|(.))/gs) {
        $text .= defined $1 ? drawn($1, $2) : defined $3 ? encode(example($3)) : $4;
    }
    return $text;
}

# An example with its secret, and with the mark of the rule in its place: what < and > are about, or
# all of it.
sub both {
    my ($form, $rule) = @_;
    my $text = example($form =~ /</ ? $form : "<$form>");
    (my $wanted = $text) =~ s/<.*?>/[REDACTED:$rule]/gs;
    $text =~ s/[<>]//g;
    return ($text, $wanted);
}

# A name as people write it: api key.
sub spoken { my $name = shift; $name =~ s/([a-z])([A-Z])/$1 $2/; $name =~ tr/_/ /; return any($name, lc $name, ucfirst $name) }

sub sentence {
    my ($name, $value) = @_;
    return any(
        "The $name is $value.",
        "the $name is: $value, so try again",
        "My $name is $value and it works here.",
        "My $name is '$value', is it not?",
        "The old ${name} was $value. It is gone.",
        "The $name for the harbour is $value.",
        "The $name of ann at tides.example is \"$value\".",
        "Our $name is now $value (since May).",
        "Set the $name to $value, and try again.",
        "The $name has been changed to $value; try again.",
        "Its $name should be $value.",
        "Log in with the $name $value, then look at the tides.",
        "Here is the $name:\n\n$value\n\nThanks.",
        "The $name is as follows:\n$value",
        "Use this $name for the harbour: $value",
        "$name - $value",
        "Then set $name=$value, and try again.");
}

sub marked {
    my ($name, $value) = @_;
    return any(
        "**$name:** $value\n**Times:** 3",
        "- **$name**: $value",
        "* *$name:* $value",
        "- **$name:** `$value`",
        "`$name` `$value`",
        "`$name`: `$value`",
        "Take the $name `$value` for it.",
        "the `$name` is `$value`",
        "The $name is **$value**.",
        "The $name:\n\n```\n$value\n```\n",
        "The $name is:\n```text\n$value\n```",
        "| harbour | tides |\n|---|---|\n| $name | $value |\n",
        "| `$name` | `$value` |");
}

sub command {
    my ($name, $value) = @_;
    return any(
        "tides --$name $value --times 3",
        "\$ tides --times 3 --$name $value",
        "tides --$name '$value' x",
        "tides --$name=$value",
        "tides -$name \"$value\"",
        "tides \\\n    --$name $value \\\n    x",
        "Run `tides --$name $value` again.",
        "[\"tides\", \"--$name\", \"$value\"]");
}

sub element {
    my ($name, $value) = @_;
    return any(
        "<harbour>\n  <$name>$value</$name>\n</harbour>",
        "<t:$name>$value</t:$name>",
        "<harbour $name=\"$value\"/>",
        "<add key=\"$name\" value=\"$value\" />",
        "<entry key=\"$name\">$value</entry>",
        "<key>$name</key>\n<string>$value</string>",
        "<tr><td>$name</td><td>$value</td></tr>",
        "<li><b>$name:</b> $value</li>");
}

# The forms, of a name and a value; the name is that of an environment for ENV.
my %form = (
    prose => sub { sentence(spoken($_[0]), $_[1]) },
    Markdown => sub { marked(any($_[0], spoken($_[0])), $_[1]) },
    option => sub { command(lc($_[0]) =~ tr/_/-/r, $_[1]) },
    XML => sub { element($_[0], $_[1]) },
    block => sub { "harbour:\n  $_[0]:" . any('', ' >-', ' |', ' |2+') . "\n    $_[1]\n  times: 3\n" },
    ENV => sub { 'export ' . uc($_[0]) . "=$_[1]\nexport LANG=C" },
    JSON => sub { "{\"$_[0]\": \"$_[1]\", \"times\": 3}" },
    YAML => sub { "harbour:\n  $_[0]: $_[1]\n  times: 3\n" },
    nested => sub { '{"body":"' . quote("{\"$_[0]\":\"$_[1]\"}") . '"}' },
    URL => sub { "https://harbour.example/x?a=1&$_[0]=" . encoded($_[1]) . '&b=2' });

sub record {
    my ($form, $rule, $text, $wanted) = @_;
    print join("\t", $form, $rule, map { '{"role":"user","content":"' . quote($_) . '"}' } $text, $wanted // ''), "\n";
}

my @names = qw(token access_token secret client_secret api_key apiKey secret_key private_key password
    db_password auth_token signing_key encryption_key master_key account_key access_key passphrase);

if ($what eq 'values') {
    my @sets = ('a-z0-9', 'A-Za-z0-9', 'a-z0-9', 'A-Za-z0-9_-', '0-9a-f', 'A-Z0-9', 'A-Za-z');
    for my $form (sort keys %form) {
        for (1 .. $count) {
            my $value = drawn('a-zA-Z', 1) . drawn(any(@sets), 14 + int rand 26);
            my $text = $form{$form}->(any(@names), $value);
            (my $wanted = $text) =~ s/\Q$value\E/[REDACTED:value]/;
            record($form, 'value', $text, $wanted);
        }
    }
} elsif ($what eq 'hashes') {
    for (1 .. $count) {
        for my $form (sort keys %form) { record($form, '', $form{$form}->(any(@names), any(uuid(), hash()))) }
        my $name = any(qw(id commit sha256 digest etag key cache_key parent sessionId checksum next_page_token));
        my $plain = any(sort keys %form);
        record('none', '', $form{$plain}->($name, any(uuid(), hash()))) if $name ne 'next_page_token';
        record('none', '', any('at', 'see', 'commit') . ' ' . any(uuid(), hash()) . any('.', ',', ' and more'));
        record('none', '', any('/', './', '~/') . join('/', map { drawn('a-z0-9', 3 + int rand 9) } 1 .. 2 + rand 6) . any('.c', '.md', ''));
        # an image: much of it is zeros, so that its base64 has runs that tokens begin with
        my $image = join '', map { rand() < 0.3 ? "\0" x rand 9 : rand() < 0.2 ? pack('H*', any('fc1000', '0fc10000', 'ff4000', '3f8000')) : chr rand 256 } 1 .. 400;
        for my $shift (0 .. 2) {
            my $base64 = encode('x' x $shift . $image);
            record('none', '', 'Look: <img src="data:image/png;base64,' . $base64 . '">');
            record('none', '', "$base64\n");
            (my $wrapped = $base64) =~ s/(.{76})/$1\n/g;
            record('none', '', "$wrapped\n");
        }
    }
} else {
    open my $table, '<', $file or die "$file: $!";
    my $text = do { local $/; <$table> };
    $text =~ s/"\s*\n\s*"//g; # a long string of C in several parts
    while ($what eq 'shapes' && $text =~ /(?:ROW|AROUND)\(\s*"([^"]+)",\s*"[^"]+",[^"]*"([^"]*)"\)/g) {
        my ($rule, @examples) = ($1, split / /, $2);
        for my $example (@examples) { of_shape($rule, $example) for 1 .. $count }
    }
    while ($what eq 'words' && $text =~ /\bWORD\(\s*"[^"]+",\s*(\w+),\s*\w+,\s*("(?:[^"\\]|\\.)*"(?:,\s*"(?:[^"\\]|\\.)*")*)\)/g) {
        my ($rule, $examples) = (lc $1, $2);
        $rule =~ tr/_/-/;
        while ($examples =~ /"((?:[^"\\]|\\.)*)"/g) {
            (my $example = $1) =~ s/\\(.)/{n => "\n", r => "\r", t => "\t"}->{$1} || $1/ge;
            of_word($rule, $example) for 1 .. $count;
        }
    }
}

sub of_shape {
    my ($rule, $example) = @_;
    for my $form (sort keys %form) {
        my @both = both($example, $rule);
        record($form, $rule, map { $form eq 'prose' ? "See $_ here." : $form{$form}->('harbour', $_) } @both);
    }
}

sub of_word {
    my ($rule, $example) = @_;
    my @both = both($example, $rule);
    record('alone', $rule, @both);
    record('prose', $rule, map { "Then do this:\n$_\nand try again." } @both);
    record('JSON', $rule, map { '{"harbour":"' . quote($_) . '","times":3}' } @both);
    record('nested', $rule, map { '{"body":"' . quote('{"harbour":"' . quote($_) . '"}') . '"}' } @both);
}

sub encode {
    my $bytes = shift;
    my ($text, $pad) = (pack('u', $bytes), (3 - length($bytes) % 3) % 3);
    $text =~ s/^.//mg;
    $text =~ s/\n//g;
    $text =~ tr|` -_|AA-Za-z0-9+/|;
    substr $text, -$pad, $pad, '=' x $pad if $pad > 0;
    return $text;
}
