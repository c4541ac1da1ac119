# shellcheck shell=bash
#
# What the tests of ctx-parallel(7) share: its scripts, sessions, and a cluster of one machine.

page=$ROOT/man/ctx-parallel.7

# script NAME: the script of that name in the page, as a file.
script() {
    display "$page" "# $1: " >"$1"
    [[ -s $1 ]] || fail "the page has no script $1"
    chmod +x "$1"
}

# sessions N: sessions/1.jsonl and so on, every second one over 32k tokens, and want/, what one process
# after the other makes of them.
sessions() {
    local i
    mkdir sessions out part want
    for ((i = 1; i <= $1; i++)); do
        session "$i" "$((i % 2 ? 1000 : 20))" >"sessions/$i.jsonl"
    done
    for i in sessions/*.jsonl; do
        ctx-isolate "$i" | ctx-compact --limit 32k >"want/${i##*/}"
    done
    cmp -s want/1.jsonl sessions/1.jsonl && fail 'nothing is compacted'
    ls sessions >names
}

# session NUMBER WORDS: a session with turns of that many words each.
session() {
    awk -v number="$1" -v words="$2" 'BEGIN {
        while (n++ < 8) {
            printf "{\"role\":\"user\",\"content\":\"Step %d of session %d?\"}\n", n, number
            printf "{\"role\":\"assistant\",\"content\":\""
            for (i = 0; i < words; i++) printf "%d of %d, ", i * number, n
            print "\"}"
        } }'
}

# all_is_there: out/ has what one process would have written, and no name that was not asked for.
all_is_there() {
    local name
    same 'names' names <(ls out)
    while read -r name; do cmp "want/$name" "out/$name"; done <names
}

# stall FILE: in place of the session, one of which the second half does not come: who reads it is
# midway until it is killed.  The session itself waits in FILE.whole.
stall() {
    mv "$1" "$1.whole"
    mkfifo "$1"
    # Held open for reading and writing, so that nobody sees an end.
    exec 9<>"$1"
    head -n 3 "$1.whole" >&9
}

# unstall FILE: the session is there again.
unstall() {
    exec 9>&-
    mv "$1.whole" "$1"
}

# wait_until COMMAND...: until it holds, a minute at most.
wait_until() {
    local i
    for ((i = 0; i < 600; i++)); do
        "$@" && return
        sleep 0.1
    done
    fail "in vain: $*"
}

# reader_of FILE: a process that has it open, which the test itself has as 9.
reader_of() {
    local fd
    for fd in /proc/[0-9]*/fd/*; do
        [[ $fd == */9 ]] || [[ ! $fd -ef $1 ]] || { fd=${fd#/proc/} && printf '%s\n' "${fd%%/*}" && return; }
    done
    return 1
}

# kill_reader FILE: kills the script that has the file read, and all that it started.
kill_reader() {
    local reader script
    wait_until reader_of "$1" >reader
    reader=$(<reader)
    script=$(ps -o ppid= -p "$reader" | tr -d ' ')
    [[ $(ps -o args= -p "$script") == *compact-one* ]]
    # shellcheck disable=SC2046
    kill -KILL "$script" $(ps -o pid= --ppid "$script")
    rm reader
}

# start_slurm: a controller and a node of their own, with a key of their own, on this machine alone; in
# the directory slurm, which SLURM_CONF names.
start_slurm() {
    local dir=$PWD/slurm host
    host=$(hostname -s)
    mkdir -p "$dir"/{state,spool}
    head -c 128 /dev/urandom >"$dir/key"
    chmod 400 "$dir/key"
    cat >"$dir/slurm.conf" <<END
ClusterName=ctx
SlurmctldHost=$host(127.0.0.1)
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SlurmctldPort=26817
SlurmdPort=26818
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SchedulerParameters=batch_sched_delay=0,sched_min_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=1
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$dir/slurm.conf
    munged --force --key-file="$dir/key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
        --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" 3>&- 9>&-
    slurmctld 3>&-
    slurmd -N "$host" 3>&-
    wait_until is_idle
}

is_idle() {
    [[ $(sinfo -h -o %t 2>/dev/null) == idle ]]
}

stop_slurm() {
    local name pid
    for name in slurmd slurmctld munged; do
        [[ ! -s slurm/$name.pid ]] || {
            pid=$(<"slurm/$name.pid")
            kill "$pid" 2>/dev/null || true
            wait_until is_gone "$pid"
        }
    done
}

is_gone() {
    ! kill -0 "$1" 2>/dev/null
}
