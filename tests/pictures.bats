#!/usr/bin/env bats
#
# The pictures of README: what the commands print now.

load helper

@test "pictures: what is drawn is what the commands print; else run make pictures" {
    local picture
    mkdir drawn
    bash "$ROOT/tests/pictures.bash" drawn
    for picture in drawn/*; do
        same "${picture##*/}" "$ROOT/man/pictures/${picture##*/}" "$picture"
        (($(wc -c <"$picture") < 40000)) || fail "$picture is large"
    done
    same 'which there are' <(ls "$ROOT/man/pictures") <(ls drawn)
    # No byte is a control of a terminal.
    if LC_ALL=C grep -l $'[\x01-\x08\x0b-\x1f]' drawn/*; then fail 'controls'; fi
}

@test "pictures: each is XML, and README shows it" {
    needs xmllint
    local picture
    for picture in "$ROOT"/man/pictures/*.svg; do
        xmllint --noout "$picture"
        grep -q "^!\[.*](man/pictures/${picture##*/})$" "$ROOT/README.md" || fail "$picture is not shown"
    done
}
