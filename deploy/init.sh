#!/bin/sh
# PID 1 of the image: runs parlance, passes signals on to it and ends with its exit code. As PID 1 it adopts processes whose parents have
# ended. `wait` of a POSIX shell collects every child of the shell, so that none stays behind as a zombie; Node collects only those that
# it started itself.
# A shell without job control redirects standard input of background commands from /dev/null.
exec 3<&0
node "$(dirname "$0")/../bin/parlance.js" "$@" <&3 3<&- &
service=$!
exec 3<&-
for signal in TERM INT HUP QUIT; do
  # shellcheck disable=SC2064 # the value of now
  trap "kill -$signal $service 2>/dev/null" "$signal"
done
while :; do
  wait "$service"
  status=$?
  # A trap interrupts wait; the service runs on until it has stopped.
  kill -0 "$service" 2>/dev/null || break
done
# The exit code of the service if wait was interrupted at its very end; 127 if wait has returned it before.
wait "$service" 2>/dev/null
last=$?
[ "$last" = 127 ] || status=$last
exit "$status"
