#!/bin/sh
# Lays out Node and sharp for the image, from its lockfile, on any machine that can build images.
set -eu
cd "$(dirname "$0")"
exec npm ci --ignore-scripts --no-audit --no-fund --loglevel=error --os=linux --cpu=x64 --libc=glibc
