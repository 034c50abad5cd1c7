// Moves of the edges of cues, by pointer or key, within what is beside them. Pure.
import { LEAST_SECONDS } from "./cue-changes.ts";
import type { Times } from "./subtitles.ts";

export type Grip = "start" | "end" | "whole";

export interface Room {
  /** End of the cue before, and start of the one after. */
  earliest: number;
  latest: number;
}

/** An edge that is this near to a place such as the playhead moves to it, seconds. */
function snapped(time: number, places: readonly number[], within: number): number {
  const near = places.filter((place) => Math.abs(place - time) <= within);
  return near.reduce((best, place) => (Math.abs(place - time) < Math.abs(best - time) ? place : best), near[0] ?? time);
}

const between = (low: number, value: number, high: number) => Math.min(Math.max(value, low), Math.max(low, high));

/**
 * @param seconds  by which the grip is moved
 * @param room  undefined where a cue may overlap others
 * @param snap  places at which an edge stops, and how near it must be
 */
export function moved(
  { start, end }: Times,
  grip: Grip,
  seconds: number,
  {
    room,
    length,
    snap = { places: [], within: 0 },
  }: { room: Room | undefined; length: number; snap?: { places: readonly number[]; within: number } },
): Times {
  // A cue that overlaps its neighbour already is not moved away from it.
  const low = Math.min(room?.earliest ?? 0, start);
  const high = Math.max(room?.latest ?? length, end);
  if (grip === "start") {
    return { start: between(low, snapped(start + seconds, snap.places, snap.within), end - LEAST_SECONDS), end };
  }
  if (grip === "end") {
    return { start, end: between(start + LEAST_SECONDS, snapped(end + seconds, snap.places, snap.within), high) };
  }
  const first = between(low, snapped(start + seconds, snap.places, snap.within), high - (end - start));
  return { start: first, end: first + (end - start) };
}

/** Room of a cue, given those before and after it. */
export const roomOf = (before: Times | undefined, after: Times | undefined, length: number): Room => ({
  earliest: before?.end ?? 0,
  latest: after?.start ?? length,
});
