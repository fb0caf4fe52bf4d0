#!/bin/sh
# README's first command in a fresh folder: what runs is installed without what tests, the console with it, and it starts.
set -eu
cd "$(dirname "$0")/.."
most=350 # megabytes on disk
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git ls-files -z | xargs -0 cp --parents -t "$folder"
cd "$folder"
npm ci --omit=dev >/dev/null
size=$(du -sm node_modules | cut -f1)
if [ "$size" -gt $most ]; then
  echo "node_modules has $size MB, and may have $most"
  exit 1
fi
if [ ! -s dist/console/files.json ]; then
  echo 'npm ci --omit=dev built no console'
  exit 1
fi
echo "node_modules has $size MB of $most"
./test/first-start.sh
