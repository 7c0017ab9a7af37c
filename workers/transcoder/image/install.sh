#!/bin/sh
# Lays out Node and sharp for the image, from its lockfile, on any machine that can build images.
set -eu
cd "$(dirname "$0")"
if [ node_modules/.package-lock.json -nt package-lock.json ]; then exit; fi
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --os=linux --cpu=x64 --libc=glibc
