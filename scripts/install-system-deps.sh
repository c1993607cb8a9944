#!/bin/sh
# Installs what the native FAISS binding is compiled with, on Debian and Ubuntu. Needs root.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -y -q --no-install-recommends g++ libfaiss-dev libopenblas-dev
