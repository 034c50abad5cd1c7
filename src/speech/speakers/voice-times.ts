// Determines the speaker of a word, from speakers at points in time or from turns that may overlap. Pure.
import { lowestPlace } from "../../contract/lowest-place.ts";
import type { SpeakerTurn } from "./network-diarization.ts";

/** The speaker of a word with these times, seconds; undefined if it cannot be determined. */
export type SpeakerOf = (start: number, end: number) => number | undefined;

/** Index of the time nearest to `seconds`; -1 if there is none. */
function nearest(times: ArrayLike<number>, seconds: number): number {
  const later = lowestPlace(times.length - 1, (place) => (times[place] as number) >= seconds);
  const isEarlierNearer = later > 0 && seconds - (times[later - 1] as number) < (times[later] as number) - seconds;
  return times.length === 0 ? -1 : isEarlierNearer ? later - 1 : later;
}

/** @param times  seconds, ascending @param speakers  the speaker at each time */
export function speakersAt(times: ArrayLike<number>, speakers: ArrayLike<number>): SpeakerOf {
  return (start, end) => speakers[nearest(times, (start + end) / 2)];
}

/** Overlaps that differ by less than this share of the word count as equal: the word belongs to the longer turn. */
const EQUAL_SHARE = 0.25;
/** A word outside of all turns belongs to the nearest turn within this distance. */
const REACH_SECONDS = 5;

/** Turns by each whole second that they cover. */
function bySecond(turns: readonly SpeakerTurn[]): Map<number, SpeakerTurn[]> {
  const seconds = new Map<number, SpeakerTurn[]>();
  for (const turn of turns) {
    for (let second = Math.floor(turn.start); second <= Math.floor(turn.end); second++) {
      const known = seconds.get(second);
      if (known) known.push(turn);
      else seconds.set(second, [turn]);
    }
  }
  return seconds;
}

/**
 * A word belongs to the turn that covers most of it. If two cover it equally, it belongs to the longer one: most words in an overlap are
 * those of the speaker who talks before and after it.
 */
export function speakersOfTurns(turns: readonly SpeakerTurn[]): SpeakerOf {
  const seconds = bySecond(turns);
  const near = (start: number, end: number, reach: number) => {
    const found = new Set<SpeakerTurn>();
    for (let second = Math.floor(start) - reach; second <= Math.floor(end) + reach; second++) {
      for (const turn of seconds.get(second) ?? []) found.add(turn);
    }
    return [...found];
  };
  return (start, end) => {
    /** Seconds of the word that a turn covers; negative for the distance to it. */
    const covered = (turn: SpeakerTurn) => Math.min(end, turn.end) - Math.max(start, turn.start);
    let candidates = near(start, end, 0);
    if (!candidates.some((turn) => covered(turn) > 0)) candidates = near(start, end, REACH_SECONDS);
    const most = Math.max(...candidates.map(covered));
    const least = most > 0 ? Math.max(0, most - EQUAL_SHARE * (end - start)) : most;
    const equal = candidates.filter((turn) => covered(turn) >= least);
    const longest = Math.max(...equal.map((turn) => turn.end - turn.start));
    return equal.find((turn) => turn.end - turn.start === longest)?.speaker;
  };
}
