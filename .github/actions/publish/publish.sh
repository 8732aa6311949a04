#!/bin/sh
# The step of the action: runs the helper, and passes its lines on as outputs and as a summary.
set -eu
here=$(dirname "$0")
helper=$here/../../../skills/slipway/scripts/slipway.sh

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
elif [ -z "${PUBLISH_PROJECT:-}" ]; then
  set -- publish
  if [ -n "${PUBLISH_TITLE:-}" ]; then set -- "$@" --title "$PUBLISH_TITLE"; fi
  set -- "$@" "$PUBLISH_FOLDER"
elif [ "$preview" = true ]; then
  set -- push --draft "$PUBLISH_PROJECT" "$PUBLISH_FOLDER"
else
  set -- push "$PUBLISH_PROJECT" "$PUBLISH_FOLDER"
fi

lines=$(sh "$helper" "$@")
value() { printf '%s\n' "$lines" | sed -n "s/^$1=//p"; }

url=$(value url)
shown=$(value previewUrl)
project=$(value projectId)
project=${project:-${PUBLISH_PROJECT:-}}
{
  printf 'url=%s\n' "$url"
  printf 'project-id=%s\n' "$project"
  printf 'preview-url=%s\n' "$shown"
} >> "$GITHUB_OUTPUT"
if [ -n "$shown" ]; then
  printf '### Preview\n\n%s\n\nIt works for an hour. Live: %s\n' "$shown" "$url" >> "$GITHUB_STEP_SUMMARY"
else
  printf '### Published\n\n%s\n' "$url" >> "$GITHUB_STEP_SUMMARY"
fi
printf '%s\n' "$lines"
