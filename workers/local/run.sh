#!/bin/sh
# What npm scripts start: installs what the lockfile says when it changed, then becomes the program, run by the pinned Node.
# `exec` all the way down, so that a signal to npm reaches the program itself.
set -eu
cd "$(dirname "$0")/../.."

# A lock on the lockfile itself needs no file of its own, and the kernel lets go of it whatever happens to us.
stamp=node_modules/.soundpost-lockfile
installed() { [ -x node_modules/node/bin/node ] && [ "$(cat $stamp 2>/dev/null)" = "$(cksum < package-lock.json)" ]; }

install() {
  # Someone ran `npm ci` by hand, perhaps another user, whose files we may not write beside.
  if [ ! -e $stamp ] && [ -x node_modules/node/bin/node ] && [ node_modules/.package-lock.json -nt package-lock.json ]; then
    (cksum < package-lock.json > $stamp) 2> /dev/null || true
    return
  fi
  echo "Installing packages from package-lock.json" >&2
  # npm puts node_modules/.bin first in PATH; install scripts must not run on the Node that is being replaced.
  PATH=$(printf %s "$PATH" | tr : '\n' | grep -v '/node_modules/.bin$' | tr '\n' :)
  PATH=${PATH%:} npm ci --include=dev --no-audit --no-fund --loglevel=error >&2
  cksum < package-lock.json > $stamp
}

if ! installed; then
  exec 9< package-lock.json
  if command -v flock > /dev/null; then flock 9; fi
  # Another run may have installed while this one waited.
  if ! installed; then (install 9<&-); fi
  exec 9<&-
fi

# Deploying needs none.
case ${1:-} in start | test | bench | admin) sh workers/local/install-ffmpeg.sh node_modules/.soundpost-ffmpeg-tried ;; esac

node=node_modules/node/bin/node
verb=${1:?"usage: run.sh start|test|admin|bench|deploy"}
shift
case $verb in
  start) exec $node workers/local/start.ts "$@" ;;
  admin) exec $node workers/admin/main.ts "$@" ;;
  bench) exec $node test/bench/main.ts "$@" ;;
  deploy) exec $node workers/deploy/main.ts "$@" ;;
  test)
    if [ $# -eq 0 ]; then
      $node node_modules/typescript/bin/tsc --noEmit -p .
      $node node_modules/@biomejs/biome/bin/biome check .
    fi
    exec $node node_modules/vitest/vitest.mjs run --config test/vitest.config.ts "$@"
    ;;
  *)
    echo "run.sh: no such verb: $verb" >&2
    exit 64
    ;;
esac
