#!/bin/bash
#
# check.bash: the scripts and command lines of ctx-parallel(7), run for real by GNU parallel and Slurm
# on this machine (cluster.bats).  What is not installed is skipped.  The last line says how it went.

set -uo pipefail
cd "${BASH_SOURCE%/*}/../.." || exit
CHECK_BATS=tests/cluster/cluster.bats bash tests/check.bash
