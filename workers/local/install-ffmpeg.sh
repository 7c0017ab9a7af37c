#!/bin/sh
# Installs Debian's ffmpeg if the system has none of version 5, because strangers' uploads are unsafe for the bundled
# one of 2018. Needs root and apt. Tries once; a failure stops nothing, and the start says what to do.
set -u
stamp=${1:?"usage: install-ffmpeg.sh STAMP"}

[ -z "${FFMPEG_PATH:-}" ] || exit 0
version=$(ffmpeg -version 2> /dev/null | sed -n '1s/^ffmpeg version n\{0,1\}\([0-9]*\)\..*/\1/p')
[ "${version:-0}" -lt 5 ] || exit 0
[ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || exit 0
[ ! -e "$stamp" ] || exit 0
: > "$stamp" 2> /dev/null || true

echo "Installing Debian's ffmpeg" >&2
export DEBIAN_FRONTEND=noninteractive
quick="-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o DPkg::Lock::Timeout=60"
# shellcheck disable=SC2086
apt-get $quick update > /dev/null 2>&1
# shellcheck disable=SC2086
apt-get $quick install -y --no-install-recommends ffmpeg > /dev/null 2>&1 ||
  echo "Debian's ffmpeg could not be installed; going on with the bundled one" >&2
exit 0
