#!/usr/bin/env bash
# Builds a real Ollama server (CPU only) from its Go module into .models/bin (or $OMNIRAG_MODELS/bin), for the tests that
# use one when it is there. Needs Go 1.24 or later and a C++ compiler; takes a few minutes. Later versions leave files
# out of their Go module that the build needs, so the version is fixed. Usage: scripts/fetch-ollama.sh
set -euo pipefail

version=v0.6.5
root="$(cd "$(dirname "$0")/.." && pwd)"
bin="${OMNIRAG_MODELS:-$root/.models}/bin"

say() { echo "fetch-ollama: $*"; }

if [ -x "$bin/ollama" ]; then
  say "$bin/ollama is there already"
  exit 0
fi
for command in go g++; do
  if ! command -v "$command" >/dev/null; then
    say "cannot build Ollama: the command $command is missing" >&2
    exit 1
  fi
done

# built beside and renamed at the end, so that a file with the final name is complete
incoming="$(mktemp -d)"
trap 'rm -rf "$incoming"' EXIT
say "building github.com/ollama/ollama@$version"
GOBIN="$incoming" GOFLAGS="-buildvcs=false ${GOFLAGS:-}" nice -n 19 go install "github.com/ollama/ollama@$version"
mkdir -p "$bin"
mv "$incoming/ollama" "$bin/ollama.incoming"
mv "$bin/ollama.incoming" "$bin/ollama"
say "$bin/ollama is ready"
