# Steps of a run. At its end, also of a failed one: the seconds of each step, and the twenty slowest test files.

TEST_TIMES=$(mktemp)
export TEST_TIMES
step_name=''
step_seconds=()

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

# Runs commands at the same time, then shows the output of each. Fails if one of them failed.
together() {
  local output pids=() command number status=0
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
  return "$status"
}

print_times() {
  end_step
  printf '\n=== %ss in all; the seconds of each step\n' "$SECONDS"
  printf '%s\n' ${step_seconds[@]+"${step_seconds[@]}"}
  printf '\n=== the twenty slowest test files, in seconds\n'
  sort -rn "$TEST_TIMES" | sed -n 1,20p
  rm "$TEST_TIMES"
}
trap print_times EXIT
