# Steps of a run. At its end, also of a failed one: the seconds of each step and of each run of tests, and the
# twenty slowest test files.

TEST_TIMES=$(mktemp)
TWICE_RUN=$(mktemp)
RUN_TIMES=$(mktemp)
ONCE_MORE=$(mktemp -d)
export TEST_TIMES TWICE_RUN RUN_TIMES ONCE_MORE
memory=''
step_name=''
step_seconds=()
output=''

# Keeps temporary files in memory if the machine has room for them and lets programs start there: the databases
# and buckets of the tests' clouds write to them all the time.
memory_for_temporary_files() {
  local gib_free
  gib_free=$(df --output=avail --block-size=1G /dev/shm 2>/dev/null | tail -n 1) || return 0
  ((gib_free >= 8)) || return 0
  memory=$(mktemp -d /dev/shm/slipway-ci-XXXXXX) || return 0
  printf '#!/bin/sh\n' >"$memory/program"
  chmod +x "$memory/program"
  if "$memory/program" 2>/dev/null; then export TMPDIR=$memory; else rm -r "$memory"; fi
}

end_step() {
  [ -z "$step_name" ] || step_seconds+=("$(printf '%6d %s' "$((SECONDS - step_began))" "$step_name")")
  step_name=''
}

step() {
  end_step
  step_name=$1
  step_began=$SECONDS
  printf '\n=== %s\n' "$1"
}

# Runs commands at the same time, then shows the output of each, also where the run is ended before. Fails if
# one of them failed.
together() {
  local pids=() command number status=0
  output=$(mktemp -d)
  for command in "$@"; do
    bash -euo pipefail -c "$command" >"$output/${#pids[@]}" 2>&1 &
    pids+=("$!")
  done
  for number in "${!pids[@]}"; do
    wait "${pids[$number]}" || status=1
    printf -- '--- %s\n' "${@:number+1:1}"
    cat "$output/$number"
  done
  rm -r "$output"
  output=''
  return "$status"
}

# Runs an npm script of Jest tests, with options of Jest. Up to six test files that failed are kept for `once_more`.
# The end of the run lists them, because each is a test to mend.
tests() {
  local began=$SECONDS status=0
  run_tests "$@" || status=$?
  printf '%6d npm run %s\n' "$((SECONDS - began))" "$1" >>"$RUN_TIMES"
  return "$status"
}

run_tests() {
  local failed files
  failed=$(mktemp)
  # A test that waits for its core is not a failed one.
  FAILED_TESTS=$failed npm run "$1" -- --testTimeout=600000 "${@:2}" && return
  mapfile -t files < <(sort -u "$failed")
  ((${#files[@]} >= 1 && ${#files[@]} <= 6)) || return 1
  printf '%s\n' "${files[@]}" >>"$TWICE_RUN"
  { export -p && echo "npm run $1 -- --runInBand --runTestsByPath ${files[*]}"; } >"$ONCE_MORE/$1"
}
export -f tests run_tests

# Runs the kept test files as they ran before, one after another, when nothing else runs: what passes now waited too
# long for a busy machine.
once_more() {
  local again
  # What still takes processor time here was left behind by a test.
  ! command -v top >/dev/null || top -b -n 1 -w 150 | sed -n 1,12p || true
  for again in "$ONCE_MORE"/*; do
    [ ! -e "$again" ] || bash -euo pipefail "$again"
  done
}

print_times() {
  [ -z "$output" ] || tail -n 200 "$output"/*
  end_step
  printf '\n=== %ss in all; the seconds of each step\n' "$SECONDS"
  printf '%s\n' ${step_seconds[@]+"${step_seconds[@]}"}
  printf '\n=== the seconds of each run of tests, which run side by side\n'
  cat "$RUN_TIMES"
  printf '\n=== the twenty slowest test files, in seconds\n'
  sort -rn "$TEST_TIMES" | sed -n 1,20p
  if [ -s "$TWICE_RUN" ]; then
    printf '\n=== failed at first, and ran once more\n'
    cat "$TWICE_RUN"
  fi
  rm -r "$TEST_TIMES" "$TWICE_RUN" "$RUN_TIMES" "$ONCE_MORE"
  [ -z "$memory" ] || rm -rf "$memory"
}
trap print_times EXIT
trap 'exit 143' TERM INT
