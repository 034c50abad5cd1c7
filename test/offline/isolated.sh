#!/usr/bin/env bash
# isolated.sh COMMAND...: runs a command in a network namespace without a way out, and fails when anything in it tries to
# reach another machine or to look up a name that test/offline/allowed.txt does not list. Takes root, iproute2 and tcpdump.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"

if [ "${1:-}" != --inside ]; then
  # Mounts and interfaces end with the namespace.
  exec unshare --net --mount -- bash "$here/isolated.sh" --inside "$@"
fi
shift

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# All addresses of the world are this machine: attempts fail at once, and their packets pass the loopback interface.
ip link set lo up
ip route add local default dev lo
ip -6 route add local default dev lo 2>/dev/null || true
# A resolver on the loopback interface, or one behind a socket, would hide look-ups from the record.
echo "nameserver 192.0.2.53" >"$work/resolv.conf"
echo "hosts: files dns" | cat - <(grep -v '^hosts:' /etc/nsswitch.conf 2>/dev/null || true) >"$work/nsswitch.conf"
mount --bind "$work/resolv.conf" /etc/resolv.conf
[ ! -e /etc/nsswitch.conf ] || mount --bind "$work/nsswitch.conf" /etc/nsswitch.conf

# Requests only: new TCP connections, UDP. What answers them is not an attempt.
attempts='(not dst net 127.0.0.0/8) and (not ip6 dst host ::1) and (udp or icmp[icmptype] = icmp-echo or (tcp[tcpflags] & tcp-syn != 0 and tcp[tcpflags] & tcp-ack = 0) or (ip6 proto 6 and ip6[53] & 18 = 2))'
# The background process creates its files after the first grep may have run.
: >"$work/attempts"
: >"$work/tcpdump"
tcpdump -i lo -n -t -l --immediate-mode "$attempts" >"$work/attempts" 2>"$work/tcpdump" &
recorder=$!
for _ in $(seq 100); do
  grep -q "listening on" "$work/tcpdump" && break
  sleep 0.1
done
status=0
"$@" || status=$?

# The recorder works, and has written what came before: this attempt is in its record.
last="192.0.2.1.9"
(exec 3<>/dev/tcp/192.0.2.1/9) 2>/dev/null || true
for _ in $(seq 50); do
  grep -q "> $last:" "$work/attempts" && break
  sleep 0.1
done
kill "$recorder"
wait "$recorder" 2>/dev/null || true
if ! grep -q "> $last:" "$work/attempts"; then
  echo "the record of network attempts does not work:" >&2
  cat "$work/tcpdump" >&2
  exit 1
fi
# One line for each destination or name: "203.0.113.7.443 TCP", "look-up A? somewhere.example."
sed -E -e '/^$/d' -e 's/^IP6? [^ ]+ > //' -e 's/: Flags \[S\].*/ TCP/' -e 's/: UDP, length.*/ UDP/' \
  -e 's/^[^ ]+\.53: [0-9]+\+ (\[[^]]*\] )?(.*) \([0-9]+\)$/look-up \2/' "$work/attempts" | sort -u >"$work/made"
grep -v -e '^#' -e '^$' "$here/allowed.txt" >"$work/allowed" || true
echo "$last TCP" >>"$work/allowed"
found="$(grep -v -x -F -f "$work/allowed" "$work/made" || true)"
if [ -n "$found" ]; then
  echo "Attempts to leave this machine that no request asked for (test/offline/allowed.txt has the others):" >&2
  echo "$found" >&2
  exit 1
fi
exit "$status"
