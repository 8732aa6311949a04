#!/bin/sh
# Publishes files with Slipway. Needs sh, curl, awk, sed, grep and find; prints NAME=VALUE lines, errors go to stderr.
#
#   slipway.sh publish [--title TITLE] PATH        a new project, or a link for 15 minutes without a key
#   slipway.sh claim CLAIM_URL                     keeps what was published without a key
#   slipway.sh sign-in EMAIL [CODE]                mails a code; with the code, saves a key
#   slipway.sh push [--draft] PROJECT_ID FOLDER    sends what differs from the live version, deletes what is gone
#   slipway.sh opens PROJECT_ID                    how often people opened it, as JSON
#
# SLIPWAY_URL   the address of the service, for example https://app.example.com
# SLIPWAY_KEY   an API key; without it, the key that sign-in saved
set -eu
LC_ALL=C
export LC_ALL

config=${SLIPWAY_CONFIG:-${XDG_CONFIG_HOME:-$HOME/.config}/slipway}
# What fits into one request: base64 of it and the form around it have to stay below 6 MB.
inline_bytes=4000000
inline_files=100
# The service changes single files of up to this size together; more are sent as a whole version.
patch_bytes=100000000

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
umask 077

fail() {
  printf '%s\n' "$*" >&2
  exit 1
}

# The value of the first string field of this name in the last answer.
field() {
  grep -oE "\"$1\":\"([^\"\\\\]|\\\\.)*\"" "$tmp/body" | head -n 1 |
    sed -E 's/^"[^"]*":"(.*)"$/\1/; s/\\([\/"\\])/\1/g'
}

# A text inside the double quotes of a curl configuration or a form, and of JSON where it has no controls.
quote() {
  printf '%s' "$1" | sed 's/[\\"]/\\&/g'
}

address() {
  base=${SLIPWAY_URL:-}
  if [ -z "$base" ] && [ -f "$config/url" ]; then base=$(cat "$config/url"); fi
  [ -n "$base" ] || fail 'Set SLIPWAY_URL to the address of the service, for example https://app.example.com.'
  base=${base%/}
}

read_key() {
  key=${SLIPWAY_KEY:-}
  if [ -z "$key" ] && [ -f "$config/key" ]; then key=$(cat "$config/key"); fi
}

# The key stands in a file, because everybody on this computer can read the arguments of a program.
authorize() {
  : > "$tmp/auth"
  if [ -n "$key" ]; then printf 'header = "Authorization: Bearer %s"\n' "$(quote "$key")" > "$tmp/auth"; fi
}

need_key() {
  [ -n "$key" ] || fail "This needs a key. Run: slipway.sh sign-in you@example.com, or set SLIPWAY_KEY."
}

# request METHOD PATH [curl arguments]: the answer is in $tmp/body. A repeated request runs once, thanks to its key.
request() {
  method=$1
  path=$2
  shift 2
  unique=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  status=$(curl -sS -X "$method" -K "$tmp/auth" -H "Idempotency-Key: $unique" --retry 2 \
    -o "$tmp/body" -w '%{http_code}' "$@" "$base$path") || fail "Could not reach $base."
  case $status in
    2??) ;;
    *) fail "$(field error)
Next: $(field nextStep)
($(field code), HTTP $status)" ;;
  esac
}

json() {
  method=$1
  path=$2
  printf '%s' "$3" > "$tmp/json"
  request "$method" "$path" -H 'Content-Type: application/json' --data-binary "@$tmp/json"
}

# The first file with patterns of what is not published. The service applies and drops it, so it is sent too.
ignore_file() {
  for one in .slipwayignore .surgeignore .vercelignore .assetsignore .netlifyignore; do
    if [ -f "$1/$one" ]; then
      echo "$one"
      return
    fi
  done
}

# Lists what is to be published: one line for each file, size, tab, path below the folder. Hidden files and
# packages stay here, as the service would leave them out; only .well-known is public by its nature.
list_files() {
  ignore=''
  [ -e "$1" ] || fail "$1 does not exist."
  if [ -d "$1" ]; then
    folder=${1%/}
    ignore=$(ignore_file "$folder")
    (cd "$1" && {
      find . \( -name '.?*' ! -name .well-known -o -name node_modules -o -name __MACOSX \) -prune -o \
        -type f ! -name Thumbs.db ! -name desktop.ini -print | sed 's#^\./##'
    } | sort) > "$tmp/names"
    [ ! -s "$tmp/names" ] || [ -z "$ignore" ] || echo "$ignore" >> "$tmp/names"
  else
    folder=$(dirname "$1")
    basename "$1" > "$tmp/names"
  fi
  [ -s "$tmp/names" ] || fail "$1 has no files. Hidden files are not published."
  while IFS= read -r name; do
    [ -f "$folder/$name" ] || fail 'A file has a line break in its name. Rename it.'
    printf '%s\t%s\n' "$(wc -c < "$folder/$name" | tr -d ' ')" "$name"
  done < "$tmp/names" > "$tmp/files"
}

total_bytes() { awk -F '\t' '{ sum += $1 } END { printf "%d", sum }' "$1"; }
count() { wc -l < "$1" | tr -d ' '; }
# curl sends a quote in the name of a file as %22, as browsers do, so such names go as JSON.
fits_inline() {
  [ "$(total_bytes "$1")" -le "$inline_bytes" ] && [ "$(count "$1")" -le "$inline_files" ] && ! grep -q '"' "$1"
}

# Writes the files of a list into a curl configuration, as parts of a form.
form_of() {
  tab=$(printf '\t')
  while IFS=$tab read -r _ name; do
    part="files=@\"$(quote "$folder/$name")\";filename=\"$(quote "$name")\""
    printf 'form = "%s"\n' "$(quote "$part")"
  done < "$1" > "$tmp/form"
}

# Sends the files of a list straight to storage; $upload is then the id of the upload.
stage() {
  {
    printf '{"files":['
    separator=''
    tab=$(printf '\t')
    while IFS=$tab read -r size name; do
      printf '%s{"path":"%s","size":%s}' "$separator" "$(quote "$name")" "$size"
      separator=','
    done < "$1"
    printf ']}'
  } > "$tmp/announced"
  request POST /v1/uploads -H 'Content-Type: application/json' --data-binary "@$tmp/announced"
  upload=$(field uploadId)
  # The parts are in the order of the files.
  grep -oE '"url":"([^"\\]|\\.)*"' "$tmp/body" | sed -E 's/^"url":"(.*)"$/\1/; s/\\\//\//g' > "$tmp/urls"
  cut -f 2- "$1" | paste "$tmp/urls" - > "$tmp/parts"
  while IFS=$tab read -r url name; do
    curl -sS -f --retry 3 -o /dev/null -T "$folder/$name" "$url" || fail "$name could not be sent. Try again."
  done < "$tmp/parts"
}

# Without an account, a folder of more than five files goes as a ZIP.
pack() {
  if command -v zip > /dev/null; then
    (cd "$folder" && zip -q -X "$tmp/site.zip" -@ < "$tmp/names")
  elif command -v python3 > /dev/null; then
    (cd "$folder" && tr '\n' '\0' < "$tmp/names" | xargs -0 python3 -m zipfile -c "$tmp/site.zip")
  else
    fail 'Without an account, at most 5 files can be sent one by one. Install zip, or sign in.'
  fi
}

publish_without_key() {
  if [ "$(count "$tmp/files")" -gt 5 ] || ! fits_inline "$tmp/files"; then
    pack
    request POST /v1/projects/temp -F "files=@$tmp/site.zip;filename=site.zip"
  else
    form_of "$tmp/files"
    request POST /v1/projects/temp -K "$tmp/form"
  fi
  printf 'url=%s\nclaimUrl=%s\nexpiresAt=%s\n' "$(field url)" "$(field claimUrl)" "$(field expiresAt)"
}

publish() {
  title=''
  if [ "${1:-}" = --title ]; then
    title=${2:?"--title needs a title"}
    shift 2
  fi
  [ $# -eq 1 ] || fail 'Usage: slipway.sh publish [--title TITLE] PATH'
  list_files "$1"
  if [ -z "$key" ]; then
    publish_without_key
    return
  fi
  title=${title:-$(basename "$(cd "$folder" && pwd)")}
  if fits_inline "$tmp/files"; then
    form_of "$tmp/files"
    request POST /v1/projects --form-string "title=$title" -K "$tmp/form"
  else
    stage "$tmp/files"
    json POST /v1/projects "{\"title\":\"$(quote "$title")\",\"uploadId\":\"$upload\"}"
  fi
  printf 'url=%s\nprojectId=%s\n' "$(field url)" "$(field projectId)"
}

claim() {
  [ $# -eq 1 ] || fail 'Usage: slipway.sh claim CLAIM_URL'
  need_key
  request POST "/v1/projects/claim/${1##*/}"
  printf 'url=%s\nprojectId=%s\n' "$(field url)" "$(field projectId)"
}

sign_in() {
  [ $# -ge 1 ] && [ $# -le 2 ] || fail 'Usage: slipway.sh sign-in EMAIL [CODE]'
  key=''
  authorize
  mkdir -p "$config"
  if [ $# -eq 1 ]; then
    json POST /v1/auth/otp/request "{\"email\":\"$(quote "$1")\"}"
    field attemptToken > "$config/attempt"
    printf 'next=slipway.sh sign-in %s CODE\n' "$1"
    return
  fi
  attempt=''
  if [ -s "$config/attempt" ]; then attempt=",\"attemptToken\":\"$(cat "$config/attempt")\""; fi
  json POST /v1/auth/otp/verify "{\"email\":\"$(quote "$1")\",\"code\":\"$(quote "$2")\"$attempt}"
  field apiKey > "$config/key"
  printf '%s' "$base" > "$config/url"
  rm -f "$config/attempt"
  printf 'email=%s\nkeyFile=%s\n' "$(field email)" "$config/key"
}

hash_files() {
  if command -v sha256sum > /dev/null; then set -- sha256sum; else set -- shasum -a 256; fi
  while IFS= read -r name; do
    "$@" < "$folder/$name" | sed 's/ .*//'
  done < "$tmp/names"
}

# The service names a file's content by the first 96 bits of its SHA-256, in base64url.
hashes() {
  hash_files | awk '
    BEGIN {
      digits = "0123456789abcdef"
      alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    }
    {
      text = ""
      for (at = 1; at <= 24; at += 3) {
        bits = 0
        for (i = 0; i < 3; i++) bits = bits * 16 + index(digits, substr($0, at + i, 1)) - 1
        text = text substr(alphabet, int(bits / 64) + 1, 1) substr(alphabet, bits % 64 + 1, 1)
      }
      print text
    }'
}

# Lists the files of the live version: hash, tab, path.
list_remote() {
  cursor=''
  : > "$tmp/remote"
  while :; do
    request GET "/v1/projects/$1/files?limit=1000${cursor:+&cursor=$cursor}"
    sed 's/{"path":/\
/g' "$tmp/body" |
      sed -nE 's/^"(([^"\\]|\\.)*)","size":[0-9]+,"hash":"([^"]*)".*/\3	\1/p' |
      sed 's/\\\(["\\/]\)/\1/g' >> "$tmp/remote"
    version=$(grep -oE '"version":[0-9]+' "$tmp/body" | head -n 1 | sed 's/.*://')
    cursor=$(field nextCursor)
    [ -n "$cursor" ] || break
  done
}

# What differs: the files to send with their sizes in $tmp/changed, and the paths to delete in $tmp/gone.
compare() {
  hashes | paste - "$tmp/files" > "$tmp/local"
  awk -F '\t' 'NR == FNR { known[$2] = $1; next } known[$3] != $1 { print $2 "\t" $3 }' \
    "$tmp/remote" "$tmp/local" > "$tmp/changed"
  awk -F '\t' 'NR == FNR { here[$3] = 1; next } !($2 in here) { print $2 }' \
    "$tmp/local" "$tmp/remote" > "$tmp/gone"
  # An ignore file is never published: alone, it changes nothing.
  if [ "$(cut -f 2- "$tmp/changed")" = "$ignore" ]; then : > "$tmp/changed"; fi
}

deleted_json() {
  awk '{ gsub(/[\\"]/, "\\\\&"); printf "%s\"%s\"", separator, $0; separator = "," }' "$tmp/gone"
}

send_changes() {
  if [ "$(total_bytes "$tmp/changed")" -gt "$patch_bytes" ]; then
    stage "$tmp/files"
    json PUT "/v1/projects/$1" "{\"uploadId\":\"$upload\",\"expectedVersion\":$version,\"draft\":$draft}"
  elif fits_inline "$tmp/changed"; then
    form_of "$tmp/changed"
    request PATCH "/v1/projects/$1/files" -F "delete=<$tmp/gone" -F "expectedVersion=$version" \
      -F "draft=$draft" -K "$tmp/form"
  else
    stage "$tmp/changed"
    json PATCH "/v1/projects/$1/files" \
      "{\"uploadId\":\"$upload\",\"delete\":[$(deleted_json)],\"expectedVersion\":$version,\"draft\":$draft}"
  fi
}

push() {
  draft=false
  if [ "${1:-}" = --draft ]; then
    draft=true
    shift
  fi
  [ $# -eq 2 ] || fail 'Usage: slipway.sh push [--draft] PROJECT_ID FOLDER'
  need_key
  list_remote "$1"
  list_files "$2"
  compare
  printf 'changed=%s\ndeleted=%s\n' "$(count "$tmp/changed")" "$(count "$tmp/gone")"
  if [ ! -s "$tmp/changed" ] && [ ! -s "$tmp/gone" ]; then
    request GET "/v1/projects/$1"
    printf 'version=%s\nurl=%s\n' "$version" "$(field url)"
    return
  fi
  send_changes "$1"
  made=$(field deploymentId | sed 's/^dep_v//')
  printf 'version=%s\nurl=%s\n' "$made" "$(field url)"
  if [ "$draft" = true ]; then
    request POST "/v1/projects/$1/versions/$made/preview"
    printf 'previewUrl=%s\n' "$(field url)"
  fi
}

opens() {
  [ $# -eq 1 ] || fail 'Usage: slipway.sh opens PROJECT_ID'
  need_key
  request GET "/v1/projects/$1/analytics"
  cat "$tmp/body"
  echo
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  publish | claim | push | opens | sign-in) ;;
  *) fail "$(sed -n '3,12s/^# \{0,1\}//p' "$0")" ;;
esac
address
read_key
authorize
case $command in
  sign-in) sign_in "$@" ;;
  *) "$command" "$@" ;;
esac
