#!/bin/sh
# Installs Debian's ffmpeg if the system has none of version 5. Needs root and apt. A failure stops nothing: the start
# says what to do.
set -u

[ -z "${FFMPEG_PATH:-}" ] || exit 0
version=$(ffmpeg -version 2> /dev/null | sed -n '1s/^ffmpeg version n\{0,1\}\([0-9]*\)\..*/\1/p')
[ "${version:-0}" -lt 5 ] || exit 0
[ "$(id -u)" = 0 ] && command -v apt-get > /dev/null || exit 0

echo "Installing Debian's ffmpeg" >&2
export DEBIAN_FRONTEND=noninteractive
quick="-qq -o Acquire::Retries=0 -o Acquire::http::Timeout=15 -o Acquire::https::Timeout=15 -o DPkg::Lock::Timeout=60"
# shellcheck disable=SC2086
apt-get $quick update > /dev/null 2>&1
# shellcheck disable=SC2086
apt-get $quick install -y --no-install-recommends ffmpeg > /dev/null 2>&1 ||
  echo "Debian's ffmpeg could not be installed" >&2
exit 0
