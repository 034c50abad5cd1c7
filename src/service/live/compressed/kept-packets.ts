// The positions of packets by which a place in the received bytes is found.

/** Packets whose positions are kept: a client resends at most those whose acknowledgments may be lost. */
export const KEPT_PACKETS = 4_096;

/** @param endOf  position of the end of a packet, which grows with its index @returns number of packets that end at or before a position */
export function packetsUntil(position: number, count: number, endOf: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (endOf(middle) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
