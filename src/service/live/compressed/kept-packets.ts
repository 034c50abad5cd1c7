// The positions of packets by which a place in the received bytes is found.

import { lowestPlace } from "../../../contract/lowest-place.ts";

/** Packets whose positions are kept: a client resends at most those whose acknowledgments may be lost. */
export const KEPT_PACKETS = 4_096;

/** @param endOf  position of the end of a packet, which grows with its index @returns number of packets that end at or before a position */
export function packetsUntil(position: number, count: number, endOf: (index: number) => number): number {
  return lowestPlace(count, (index) => endOf(index) > position);
}
