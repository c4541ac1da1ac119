# zsh -f offers.zsh DIRECTORY: as offers.bash does, of a zsh in a terminal of its own, where a key
# completes the line and shows what was added.  DIRECTORY has the completion.

zmodload zsh/zpty
zpty shell zsh -f -i
# Until the marker that the shell prints itself.
until_marker() { zpty -r -m shell REPLY $'*\001'$1$'\001*' }

zpty -w shell "fpath=(${(q)1} \$fpath)"
zpty -w shell 'source ${ZSH_SETUP:?}'
until_marker ready || exit 1
while IFS= read -r line; do
    zpty -w -n shell $'\025'"$line"$'\t'
    until_marker done || exit 1
    for offer in ${(f)REPLY}; do
        [[ $offer == *$'\002'* ]] || continue
        offer=${${offer#*$'\002'}%%$'\002'*}
        [[ $offer != --*=?* ]] || offer=${offer#*=}
        print -r -- "$line"$'\t'"$offer"
    done
done
zpty -d shell
