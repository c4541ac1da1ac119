#!/usr/bin/perl
#
# taken.pl ORIGINAL REDACTED: what ctx-redact took out of the lines of ORIGINAL, a line each: RULE, how it
# was asked for, KIND, what stands before it, and what was taken, parted by tabs. ASKED is "name" where a
# word that asks for a secret stands in the 80 bytes before, else "-". KIND is hash, uuid, path, image
# or text. It shares no code with the program.

use strict;
use warnings;

my ($original, $redacted) = map { open my $file, '<', $_ or die "$_: $!"; $file } @ARGV[0, 1];
my $asks = qr/token|secret|passw|passphrase|pwd|key|auth|cookie|bearer|curl|mysql|mariadb|machine|private-lines|:\\?\/\\?\//i;
my $mark = qr/\[REDACTED:([a-z0-9-]+)\]/;

sub kind {
    my $text = shift;
    return 'uuid' if $text =~ /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
    return 'hash' if $text =~ /^[0-9a-f]{32,}$/i;
    return 'path' if $text =~ m{^(?:~|\.{1,2})?/[\w.+-]+(?:/[\w.+-]+)*$};
    return 'image' if $text =~ m{^data:|[A-Za-z0-9+/]{256}};
    return 'text';
}

while (defined(my $from = <$original>)) {
    my $to = <$redacted> // die "$ARGV[1] ends first";
    next if $from eq $to;
    my ($at, @pieces) = (0, split /$mark/, $to, -1); # text, rule, text, ...
    for (my $i = 0; $i < @pieces; $i += 2) {
        my $behind = index $from, $pieces[$i], $i == 0 ? 0 : $at + 1;
        die "line $.: nothing is like $pieces[$i]" if $behind < 0 || ($i == 0 && $behind > 0);
        $behind = length($from) - length $pieces[$i] if $i == $#pieces; # the end of the line
        if ($i > 0 && (my $text = substr $from, $at, $behind - $at) !~ /^$mark$/) {
            my $before = substr $from, $at > 80 ? $at - 80 : 0, $at > 80 ? 80 : $at;
            print join("\t", $pieces[$i - 1], $before =~ $asks ? 'name' : '-', kind($text), $before, $text), "\n";
        }
        $at = $behind + length $pieces[$i];
    }
}
