// How the ends of turns are found: parameters of the address, and fields of UpdateConfiguration.
import type { LiveBody } from "../../../../contract/live.ts";

export interface TurnSettings {
  /** Probability from which a turn counts as over. */
  threshold: number;
  minimumMilliseconds: number;
  maximumMilliseconds: number;
}

/** Our own: the probabilities of the two detectors differ, and turns end about as often too early. */
export const DEFAULT_TURNS: TurnSettings = { threshold: 0.85, minimumMilliseconds: 200, maximumMilliseconds: 2_000 };

/** Bounds of turn_detection of POST /v2/live. */
const [LEAST_THRESHOLD, MOST_THRESHOLD] = [0.05, 0.99];
const [LEAST_MINIMUM, MOST_MINIMUM] = [100, 5_000];
/** Silence that ends a turn while its pauses cannot be judged. */
const UNJUDGED_SECONDS = 0.8;
const LEAST_SILENCE_MILLISECONDS = 10;
const MOST_SILENCE_MILLISECONDS = 10_000;
const PROBABLE_THRESHOLD = 0.5;

export const TURN_FIELDS = [
  "end_of_turn_confidence_threshold",
  "min_turn_silence",
  "max_turn_silence",
  "min_end_of_turn_silence_when_confident",
] as const;

export interface GivenTurns {
  threshold?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
}

/** Those that are given take the place of those in force; a bound that is not given gives way to the other one. */
export function changedTurns(given: GivenTurns, current: TurnSettings): TurnSettings {
  const { threshold = current.threshold, minimum = current.minimumMilliseconds } = given;
  const maximum = given.maximum ?? Math.max(current.maximumMilliseconds, given.minimum ?? 0);
  return { threshold, minimumMilliseconds: Math.min(minimum, maximum), maximumMilliseconds: maximum };
}

/** @returns why the two do not fit each other */
export function boundsProblem({ minimum, maximum }: GivenTurns): string | undefined {
  if (minimum === undefined || maximum === undefined || minimum <= maximum) return undefined;
  return `min_turn_silence (${minimum}) must not be greater than max_turn_silence (${maximum})`;
}

const clamped = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));
const silence = (milliseconds: number) =>
  clamped(milliseconds, LEAST_SILENCE_MILLISECONDS, MOST_SILENCE_MILLISECONDS) / 1000;

const isJudged = ({ threshold, minimumMilliseconds, maximumMilliseconds }: TurnSettings) =>
  threshold > 0 && threshold < 1 && minimumMilliseconds < maximumMilliseconds;

/** @param settings  that result from the given ones @returns name of each given value above its limit, and a sentence */
export function limitNotes(
  { minimum = 0, maximum = 0 }: GivenTurns,
  settings: TurnSettings,
): [name: string, note: string][] {
  const notes: [string, string][] = [];
  const most = `silence ends a turn after at most ${MOST_SILENCE_MILLISECONDS} ms`;
  if (isJudged(settings) && minimum > MOST_MINIMUM) {
    notes.push(["min_turn_silence", `min_turn_silence: where pauses are judged, it is at most ${MOST_MINIMUM} ms`]);
  } else if (minimum > MOST_SILENCE_MILLISECONDS) notes.push(["min_turn_silence", `min_turn_silence: ${most}`]);
  if (maximum > MOST_SILENCE_MILLISECONDS) notes.push(["max_turn_silence", `max_turn_silence: ${most}`]);
  return notes;
}

/** Where the bounds or the threshold leave nothing to judge, silence alone ends turns. */
export function detectionOf(settings: TurnSettings): Required<Pick<LiveBody, "endpointing" | "turn_detection">> {
  const { threshold, minimumMilliseconds, maximumMilliseconds } = settings;
  const alone = (milliseconds: number) => ({
    endpointing: silence(milliseconds),
    turn_detection: { mode: "silence" } as const,
  });
  if (!isJudged(settings)) return alone(threshold >= 1 ? maximumMilliseconds : minimumMilliseconds);
  const least = clamped(minimumMilliseconds, LEAST_MINIMUM, MOST_MINIMUM) / 1000;
  const longest = Math.max(least, silence(maximumMilliseconds));
  const probability = clamped(threshold, LEAST_THRESHOLD, MOST_THRESHOLD);
  return {
    endpointing: Math.max(least, Math.min(longest, UNJUDGED_SECONDS)),
    turn_detection: {
      mode: "smart",
      threshold: probability,
      minimum_silence: least,
      maximum_silence: longest,
      probable_threshold: Math.min(PROBABLE_THRESHOLD, probability),
    },
  };
}
