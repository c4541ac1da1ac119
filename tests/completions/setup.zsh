# What the zsh in the terminal of offers.zsh reads first.

PS1= PS2= RPS1=
setopt no_beep
unsetopt prompt_cr prompt_sp zle_bracketed_paste 2>/dev/null
stty -echo
autoload -Uz compinit
# What the functions of the system complete is found out by the first shell that has this file.
compinit -u -d ${ZSH_DUMP:?}
zstyle ':completion:*' format ''
zstyle ':completion:*' verbose no

# Notes what is added, with what stands before it in the word.
compadd() {
    local -a added
    local i=$argv[(i)(-|--)]
    builtin compadd "$@"
    local result=$?
    if [[ " ${argv[1,i]} " != *' -'[a-zA-Z]#[OAD]' '* ]]; then
        builtin compadd -A added "$@"
        offers+=("$IPREFIX"${^added})
    fi
    return result
}
show() {
    local -a offers
    zle -C show-offers list-choices _main_complete
    local line
    zle show-offers
    BUFFER=
    for line in $offers; do print -rn -- $'\002'"$line"$'\002\n'; done
    print -n -- $'\001done\001\n'
}
zle -N show
bindkey '^I' show
print -n -- $'\001ready\001'
