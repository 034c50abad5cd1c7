#!/usr/bin/env bash
# run.sh COMMAND ARGUMENTS…: runs a command, and all that it starts, as on a processor with AVX2 and without AVX-512, VNNI and AMX:
#   bash bench/as-avx2/run.sh npm run bench -- throughput
# Needs root, a C compiler, and an Intel processor that can fault at CPUID ("cpuid_fault" in /proc/cpuinfo). Programs outside are not affected.
set -euo pipefail
if ! grep -q cpuid_fault /proc/cpuinfo; then
  echo "This processor cannot hide its features: /proc/cpuinfo has no cpuid_fault." >&2
  exit 1
fi
folder=$(mktemp -d)
cc -O2 -shared -fPIC -o "$folder/mask.so" "$(dirname "$0")/mask.c" -ldl
echo "$folder/mask.so" >"$folder/preload"
# The service's children and its cache of prepared graphs read the features here.
sed -E 's/ (avx512|amx_|avx_vnni|avx_ifma|avx_ne_convert)[a-z0-9_]*//g' /proc/cpuinfo >"$folder/cpuinfo"
made=
if [ ! -e /etc/ld.so.preload ]; then
  touch /etc/ld.so.preload
  made=yes
fi
end() {
  rm -rf "$folder"
  [ -z "$made" ] || rm -f /etc/ld.so.preload
}
trap end EXIT
# Variables of the environment do not reach the children of the service; this file does. It is another one in this mount namespace alone.
unshare --mount bash -c 'mount --bind "$1/preload" /etc/ld.so.preload && mount --bind "$1/cpuinfo" /proc/cpuinfo && shift && "$@"' as-avx2 "$folder" "$@"
