#!/bin/sh
# The step of the action: runs the command of the installation, and passes its answer on as outputs and as a summary.
set -eu

preview=${PUBLISH_PREVIEW:-auto}
if [ "$preview" = auto ]; then
  case ${GITHUB_EVENT_NAME:-} in
    pull_request | pull_request_target) preview=true ;;
    *) preview=false ;;
  esac
fi

if [ -z "${SLIPWAY_KEY:-}" ]; then
  echo 'The input `key` is empty. Pull requests from forks get no secrets; run this for branches of the repository.' >&2
  exit 1
fi

set -- publish "$PUBLISH_FOLDER" --json
if [ -n "${PUBLISH_PROJECT:-}" ]; then
  set -- "$@" --project "$PUBLISH_PROJECT"
  if [ "$preview" = true ]; then set -- "$@" --draft; fi
else
  set -- "$@" --new
  if [ -n "${PUBLISH_TITLE:-}" ]; then set -- "$@" --title "$PUBLISH_TITLE"; fi
fi

answer=$(npx --yes "$SLIPWAY_URL/cli.tgz" "$@") || { printf '%s\n' "$answer" >&2; exit 1; }
value() { printf '%s' "$answer" | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]] ?? ""' "$1"; }

url=$(value url)
shown=$(value previewUrl)
{
  printf 'url=%s\n' "$url"
  printf 'project-id=%s\n' "$(value projectId)"
  printf 'preview-url=%s\n' "$shown"
} >> "$GITHUB_OUTPUT"
if [ -n "$shown" ]; then
  printf '### Preview\n\n%s\n\nIt works for an hour. Live: %s\n' "$shown" "$url" >> "$GITHUB_STEP_SUMMARY"
else
  printf '### Published\n\n%s\n' "$url" >> "$GITHUB_STEP_SUMMARY"
fi
printf '%s\n' "$answer"
