// Time of the event loop for frames of clients. One read of a socket brings thousands of small frames, and one turn of the event loop reads
// a socket many times: without a bound, a client that sends small frames as fast as it can delays everyone else by seconds.

/** Time of all connections together in one turn of the event loop. */
const FRAME_MILLISECONDS = 10;

let isOpen = false;
let ends = 0;

/** Whether this turn of the event loop has time for another frame. */
export function hasTurnTime(): boolean {
  const now = performance.now();
  if (!isOpen) {
    isOpen = true;
    ends = now + FRAME_MILLISECONDS;
    setImmediate(() => {
      isOpen = false;
    });
  }
  return now < ends;
}
