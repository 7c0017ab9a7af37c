#!/bin/sh
# Runs the npm scripts: installs packages if the lockfile changed, then executes the program on the pinned Node.
# `exec` throughout, so that a signal to npm reaches the program.
set -eu
cd "$(dirname "$0")/../.."

node=node_modules/node/bin/node
verb=${1:?"usage: run.sh start|test|admin|bench|deploy|release|sbom|format|draft-migration"}
shift

installed() { [ -x $node ] && [ "$(cat "$1$stamp" 2> /dev/null)" = "$(cksum < "$1package-lock.json")" ]; }
stamp=node_modules/.soundpost-lockfile

install() {
  # `npm ci` was run by hand, perhaps by another user whose directory we cannot write to.
  if [ ! -e "$1$stamp" ] && [ -x $node ] && [ "$1node_modules/.package-lock.json" -nt "$1package-lock.json" ]; then
    (cksum < "$1package-lock.json" > "$1$stamp") 2> /dev/null || true
    return
  fi
  echo "Installing packages from $1package-lock.json" >&2
  # npm puts node_modules/.bin first in PATH, but install scripts must not run on the Node being replaced.
  PATH=$(printf %s "$PATH" | tr : '\n' | grep -v '/node_modules/.bin$' | tr '\n' :)
  PATH=${PATH%:}
  if ! (cd "./$1" && npm ci --no-audit --no-fund --loglevel=error >&2); then
    echo "Soundpost needs Linux on x86-64 or arm64, Node 20.19 or newer and npm 9.2 or newer; this is $(uname -sm)," \
      "Node $(node --version 2> /dev/null || echo none), npm $(npm --version 2> /dev/null || echo none)." >&2
    exit 1
  fi
  cksum < "$1package-lock.json" > "$1$stamp"
}

# Installs the packages of a folder's lockfile. Locks that file itself, which needs no further one; the kernel
# releases the lock when we end. Another run may have installed meanwhile.
packages() {
  if installed "$1"; then return; fi
  exec 9< "$1package-lock.json"
  if command -v flock > /dev/null; then flock 9; fi
  if ! installed "$1"; then (install "$1" 9<&-); fi
  exec 9<&-
}

packages ""
# A server installs none of these, and a server that runs keeps its own while tests install theirs.
case $verb in test | bench | format | draft-migration) packages test/ ;; esac

# Node keeps compiled code there, so that our programs and wrangler start in two thirds of the time.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/node"

# Deploying needs no ffmpeg.
case $verb in start | test | bench | admin) sh workers/local/install-ffmpeg.sh ;; esac

tools=test/node_modules
case $verb in
  start) exec $node workers/local/stack/start.ts "$@" ;;
  admin) exec $node workers/admin/main.ts "$@" ;;
  bench) exec $node test/bench/main.ts "$@" ;;
  deploy) exec $node workers/deploy/main.ts "$@" ;;
  release) exec $node workers/build/release.ts "$@" ;;
  sbom) exec $node workers/build/sbom.ts ;;
  format) exec $node $tools/@biomejs/biome/bin/biome check --write "${@:-.}" ;;
  draft-migration) exec $node $tools/drizzle-kit/bin.cjs generate --config db/drizzle.config.ts "$@" ;;
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
    # The typed client's types, which are not in the repository.
    $node workers/build/client-types.ts
    # Files that are named are found wherever they are.
    if [ $# -eq 0 ]; then export TESTS=$tests; fi
    if [ $# -eq 0 ] && [ $tests != rest ]; then
      # On one core, since several checkers repeat each other's work. The other core checks the rest meanwhile.
      tsc="$node node_modules/typescript/bin/tsc --noEmit --singleThreaded"
      { $tsc -p . && $tsc -p functions/ui/assets; } &
      types=$!
      $node $tools/@biomejs/biome/bin/biome check . || { wait; exit 1; }
      wait $types
    fi
    # `npm test -- --watch FILE` stays and runs again what an edit touches.
    case " $* " in *" --watch "*) mode=watch ;; *) mode=run ;; esac
    if [ $# -eq 0 ]; then exec $node test/support/second-tries.ts --config test/vitest.config.ts; fi
    exec $node $tools/vitest/vitest.mjs $mode --config test/vitest.config.ts "$@"
    ;;
  *)
    echo "run.sh: no such verb: $verb" >&2
    exit 64
    ;;
esac
