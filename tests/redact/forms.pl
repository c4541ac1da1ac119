#!/usr/bin/perl
#
# forms.pl FORMS SEED COUNT IN EXPECTED: makes up COUNT examples of each form of the list FORMS, and
# writes to IN a record of each, and to EXPECTED what the record is to become. No example is kept.

use strict;
use warnings;

my ($forms, $seed, $count, $in, $expected) = @ARGV;
srand $seed;

# The bytes of a set such as "0-9a-f_".
sub bytes {
    my ($set, @all) = (shift);
    while ($set =~ /\G(?:(.)-(.)|(.))/g) { push @all, defined $3 ? $3 : map { chr } ord $1 .. ord $2 }
    return @all;
}

sub example {
    my ($form, $text) = (shift, '');
    while ($form =~ /\G(?:\[([^]]+)\]\{(\d+)\}|(.))/g) {
        my @set = defined $1 ? bytes($1) : $3;
        $text .= join '', map { $set[rand @set] } 1 .. (defined $2 ? $2 : 1);
    }
    return $text;
}

open my $list, '<', $forms or die "$forms: $!";
open my $i, '>', $in or die "$in: $!";
open my $e, '>', $expected or die "$expected: $!";
while (<$list>) {
    chomp;
    next if /^#/;
    my ($rule, $form) = split /\t/;
    for (1 .. $count) {
        print $i '{"role":"user","content":"see ', example($form), ' here"}', "\n";
        print $e "{\"role\":\"user\",\"content\":\"see [REDACTED:$rule] here\"}\n";
    }
}
