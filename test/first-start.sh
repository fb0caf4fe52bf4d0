#!/bin/sh
# A new user's first minute: an empty home, a start, what the start printed to paste, and an end. Needs curl.
set -eu
cd "$(dirname "$0")/.."
command -v curl >/dev/null || timeout 120 apt-get install -y -qq curl >/dev/null
home=$(mktemp -d)
out=$home/out
port=$((18700 + $$ % 1000))
url=http://127.0.0.1:$port
ask() { curl -sf --max-time 5 "$@"; }

PARLEY_HOME=$home/state PORT=$port PARLEY_ADMIN_PORT=0 npm start >"$out" 2>&1 &
npm=$!
# A job in the background ignores SIGINT, and so would all that it starts: only TERM and KILL end it for sure.
end() {
  kill -KILL $npm 2>/dev/null || true
  server=$(cat "$home/server" 2>/dev/null || true)
  if [ -n "$server" ]; then kill -KILL "$server" 2>/dev/null || true; fi
  rm -rf "$home"
}
trap end EXIT
fail() {
  echo "$1"
  cat "$out"
  exit 1
}

# Waits at most ten seconds until a command succeeds.
until_true() {
  for _ in $(seq 1 100); do
    if "$@"; then return 0; fi
    sleep 0.1
  done
  return 1
}
is_ready() { grep -q ANTHROPIC_BASE_URL "$out" && ask "$url/healthz" >/dev/null; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }
# The innermost process that npm started.
server_of() {
  for child in $(cat "/proc/$1/task/"*/children 2>/dev/null); do
    echo "$child"
    server_of "$child"
  done | tail -n 1
}

until_true is_ready || fail "the gateway did not start"
server_of $npm >"$home/server"
server=$(cat "$home/server")
key=$(cat "$home/state/first-key")
grep -q "$key" "$out" || fail "the key was not shown"
grep -q "OPENAI_BASE_URL=$url/v1" "$out" || fail "the address was not shown"
ask "$url/v1/models" -H "Authorization: Bearer $key" | grep -q '"object":"list"'
ask "$url/v1/models" -H "x-api-key: $key" -H 'anthropic-version: 2023-06-01' | grep -q '"has_more":false'
ask "$url/v1/chat/completions" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
  -d '{"model":"parley-mini","messages":[{"role":"user","content":"Hello!"}]}' | grep -q '"finish_reason":"stop"'
test "$(curl -s --max-time 5 -o /dev/null -w '%{http_code}' "$url/v1/models")" = 401
kill -TERM $npm
until_true is_gone $npm || fail "npm did not end"
until_true is_gone "$server" || fail "npm ended, and the gateway stayed behind"
echo "a first start works as printed"
