# fish --no-config offers.fish FILE: as offers.bash does, of fish.

source $argv[1]
while read -l line
    for offer in (complete -C "$line")
        set offer (string replace -r '\t.*' '' -- $offer)
        printf '%s\t%s\n' $line (string replace -r '^--[a-z-]+=(?=.)' '' -- $offer)
    end
end
