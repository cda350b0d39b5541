# Sourced by the job scripts, which Slurm runs from a copy elsewhere: where what they need is.
#
#   find_sunder   sets `sunder`: $SUNDER, or the program this folder was installed or built with, or the one on the PATH
#   need PROGRAM WHY   ends the script if there is no such program
#
# here: this folder.

fail() { echo "${script##*/}: $*" >&2; exit 2; }

need() { command -v "$1" >/dev/null || fail "expected the program $1 ($2), found none on the PATH"; }

find_sunder() {
  local candidate
  for candidate in "${SUNDER-}" "$here/../../../bin/sunder" "$here/../build/bin/sunder" "$(command -v sunder)"; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then sunder=$candidate; return; fi
    [ -z "${SUNDER-}" ] || fail "expected the program in SUNDER, found none: $SUNDER"
  done
  fail "expected the program sunder, found none in $here/../../../bin, in $here/../build/bin and on the PATH; SUNDER=PROGRAM names it"
}

usage() { sed -n '2,/^#SBATCH/{/^#SBATCH/!s/^# \{0,1\}//p}' "$script"; }
