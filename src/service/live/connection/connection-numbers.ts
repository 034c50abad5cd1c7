// Numbers of the connections of this process: of all listeners, as the newest connection of a session replaces the others.
let last = 0;

/** @returns a greater number than for any connection before */
export function nextConnectionNumber(): number {
  return ++last;
}
