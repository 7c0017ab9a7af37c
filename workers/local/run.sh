#!/bin/sh
# Runs the npm scripts: installs packages if the lockfile changed, then executes the program on the pinned Node.
# `exec` throughout, so that a signal to npm reaches the program.
set -eu
cd "$(dirname "$0")/../.."

# Locks the lockfile itself, which needs no further file. The kernel releases the lock when we end.
stamp=node_modules/.soundpost-lockfile
installed() { [ -x node_modules/node/bin/node ] && [ "$(cat $stamp 2>/dev/null)" = "$(cksum < package-lock.json)" ]; }

install() {
  # `npm ci` was run by hand, perhaps by another user whose directory we cannot write to.
  if [ ! -e $stamp ] && [ -x node_modules/node/bin/node ] && [ node_modules/.package-lock.json -nt package-lock.json ]; then
    (cksum < package-lock.json > $stamp) 2> /dev/null || true
    return
  fi
  echo "Installing packages from package-lock.json" >&2
  # npm puts node_modules/.bin first in PATH, but install scripts must not run on the Node being replaced.
  PATH=$(printf %s "$PATH" | tr : '\n' | grep -v '/node_modules/.bin$' | tr '\n' :)
  PATH=${PATH%:} npm ci --include=dev --no-audit --no-fund --loglevel=error >&2
  cksum < package-lock.json > $stamp
}

if ! installed; then
  exec 9< package-lock.json
  if command -v flock > /dev/null; then flock 9; fi
  # Another run may have installed meanwhile.
  if ! installed; then (install 9<&-); fi
  exec 9<&-
fi

# Node keeps compiled code there, so that our programs and wrangler start in two thirds of the time.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node"

# Only the bench runs them, so a user who starts the stack does not install them.
peers=test/bench/peer
install_peers() {
  peers_stamp=$peers/node_modules/.soundpost-lockfile
  [ "$(cat $peers_stamp 2> /dev/null)" = "$(cksum < $peers/package-lock.json)" ] && return
  echo "Installing the bench's peers" >&2
  (cd $peers && npm ci --no-audit --no-fund --loglevel=error >&2)
  cksum < $peers/package-lock.json > $peers_stamp
}

# Deploying needs no ffmpeg.
case ${1:-} in start | test | bench | admin) sh workers/local/install-ffmpeg.sh node_modules/.soundpost-ffmpeg-tried ;; esac

node=node_modules/node/bin/node
verb=${1:?"usage: run.sh start|test|admin|bench|deploy|release"}
shift
case $verb in
  start) exec $node workers/local/stack/start.ts "$@" ;;
  admin) exec $node workers/admin/main.ts "$@" ;;
  bench)
    install_peers
    exec $node test/bench/main.ts "$@"
    ;;
  deploy) exec $node workers/deploy/main.ts "$@" ;;
  release) exec $node workers/build/release.ts "$@" ;;
  test)
    # Vitest does not know these options: `--all` adds what takes longer, `--rest` is that alone, and `--full` repeats races
    # and random inputs as often as before a release.
    tests=quick
    for argument do
      shift
      case $argument in
        --all | --rest) tests=${argument#--} ;;
        --full) export FULL_TESTS=1 ;;
        *) set -- "$@" "$argument" ;;
      esac
    done
    # Files that are named are found wherever they are.
    if [ $# -eq 0 ]; then export TESTS=$tests; fi
    if [ $# -eq 0 ] && [ $tests != rest ]; then
      # On one core, since several checkers repeat each other's work. The other core checks the rest meanwhile.
      $node node_modules/typescript/bin/tsc --noEmit --singleThreaded -p . &
      types=$!
      $node node_modules/@biomejs/biome/bin/biome check . || { wait; exit 1; }
      wait $types
    fi
    if [ $# -eq 0 ] && [ $tests != quick ]; then
      install_peers
      $node node_modules/typescript/bin/tsc --noEmit -p $peers
    fi
    # `npm test -- --watch FILE` stays and runs again what an edit touches.
    case " $* " in *" --watch "*) mode=watch ;; *) mode=run ;; esac
    exec $node node_modules/vitest/vitest.mjs $mode --config test/vitest.config.ts "$@"
    ;;
  *)
    echo "run.sh: no such verb: $verb" >&2
    exit 64
    ;;
esac
