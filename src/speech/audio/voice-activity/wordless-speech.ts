// Finds voice activity for which no words were recognised: speech that may be lost. Pure.
import { firstOf } from "../../../contract/first-of.ts";

/** Seconds from the start of the audio. */
export interface Stretch {
  startSeconds: number;
  endSeconds: number;
}

/** Windows of at least this probability count as speech. */
const SPEECH_PROBABILITY = 0.5;
/** Speech this near to a word belongs to it: word times are uncertain, and the detector reports the end of a voice late. */
const WORD_MARGIN_SECONDS = 0.4;
/** Longest pause within a stretch of speech. */
const LONGEST_PAUSE_SECONDS = 0.4;
/** Shorter speech without words is a breath, a laugh or a cough. */
const LEAST_WORDLESS_SECONDS = 0.6;

/** Collects the windows with speech into runs. */
export function addWindow(runs: Stretch[], endSeconds: number, windowSeconds: number, probability: number): void {
  if (probability < SPEECH_PROBABILITY) return;
  const startSeconds = endSeconds - windowSeconds;
  const last = runs.at(-1);
  if (last && startSeconds - last.endSeconds < windowSeconds / 2) last.endSeconds = endSeconds;
  else runs.push({ startSeconds, endSeconds });
}

/** Runs of speech in all windows of some audio. */
export function speechRuns(probabilities: Float32Array, windowSeconds: number): Stretch[] {
  const runs: Stretch[] = [];
  for (const [at, probability] of probabilities.entries()) {
    addWindow(runs, (at + 1) * windowSeconds, windowSeconds, probability);
  }
  return runs;
}

/** All runs in order, those that meet joined. */
export function joinedRuns(...lists: readonly (readonly Stretch[])[]): Stretch[] {
  const joined: Stretch[] = [];
  for (const run of lists.flat().toSorted((left, right) => left.startSeconds - right.startSeconds)) {
    const last = joined.at(-1);
    if (last && run.startSeconds <= last.endSeconds) last.endSeconds = Math.max(last.endSeconds, run.endSeconds);
    else joined.push({ ...run });
  }
  return joined;
}

/**
 * The parts of runs that are not near a word.
 * @param runs   in order
 * @param words  in any order
 */
export function uncoveredRuns(runs: readonly Stretch[], words: readonly Stretch[]): Stretch[] {
  const inOrder = words.toSorted((left, right) => left.startSeconds - right.startSeconds);
  const uncovered: Stretch[] = [];
  let next = 0;
  for (const run of runs) {
    // A later run cannot meet a word that ended before this one, unless a longer word began earlier.
    while (next < inOrder.length && (inOrder[next] as Stretch).endSeconds + LONGEST_WORD_SECONDS < run.startSeconds)
      next++;
    let { startSeconds } = run;
    for (let at = next; at < inOrder.length; at++) {
      const word = inOrder[at] as Stretch;
      const from = word.startSeconds - WORD_MARGIN_SECONDS;
      if (from >= run.endSeconds) break;
      if (from > startSeconds) uncovered.push({ startSeconds, endSeconds: from });
      startSeconds = Math.max(startSeconds, word.endSeconds + WORD_MARGIN_SECONDS);
    }
    if (startSeconds < run.endSeconds) uncovered.push({ startSeconds, endSeconds: run.endSeconds });
  }
  return uncovered;
}

/** Bound for the search: no word lasts longer. */
const LONGEST_WORD_SECONDS = 10;

/** Joins runs over short pauses. @returns the stretches with enough speech, in order */
export function stretchesOf(runs: readonly Stretch[]): Stretch[] {
  const stretches: (Stretch & { speechSeconds: number })[] = [];
  for (const { startSeconds, endSeconds } of runs) {
    const last = stretches.at(-1);
    const seconds = endSeconds - startSeconds;
    if (last && startSeconds - last.endSeconds <= LONGEST_PAUSE_SECONDS) {
      last.endSeconds = endSeconds;
      last.speechSeconds += seconds;
    } else stretches.push({ startSeconds, endSeconds, speechSeconds: seconds });
  }
  return stretches
    .filter(({ speechSeconds }) => speechSeconds >= LEAST_WORDLESS_SECONDS)
    .map(({ startSeconds, endSeconds }) => ({ startSeconds, endSeconds }));
}

/** Stretches that a warning lists; further ones are only counted. */
const MOST_LISTED = 5;

/** Stretches that are not listed. */
export interface FurtherStretches {
  count: number;
  seconds: number;
}

const secondsOf = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);

/** Stretches that a job's row keeps; it counts further ones. */
const MOST_STRETCHES = 100;

/** @param all  in order */
export function boundedStretches(all: readonly Stretch[]): {
  wordless?: Stretch[];
  furtherWordless?: FurtherStretches;
} {
  const { first: wordless, rest } = firstOf(all, MOST_STRETCHES);
  const further = all.slice(wordless.length);
  return {
    ...(wordless.length > 0 ? { wordless } : {}),
    ...(rest > 0 ? { furtherWordless: { count: rest, seconds: secondsOf(further) } } : {}),
  };
}

/** The first places, and the number of the others. @param further  later ones that are not in the list */
export function placesOf(stretches: readonly Stretch[], further = 0): string {
  const { first, rest } = firstOf(stretches, MOST_LISTED);
  const places = first.map(
    ({ startSeconds, endSeconds }) => `${startSeconds.toFixed(1)} to ${endSeconds.toFixed(1)} s`,
  );
  const others = rest + further;
  return `${places.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** @param stretches  at least one, in order @param further  later ones */
export function wordlessWarning(
  stretches: readonly Stretch[],
  further: FurtherStretches = { count: 0, seconds: 0 },
): string {
  const total = secondsOf(stretches) + further.seconds;
  return `No words were recognised in ${total.toFixed(1)} s of voice activity, at ${placesOf(stretches, further.count)}: speech may be missing, or other sound was detected as a voice`;
}
