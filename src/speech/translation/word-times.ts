// Times of translated words. The word order of a translation differs from that of its source, but times in subtitles must not decrease.
// Isotonic regression makes the positions of the aligned source words monotonic before they are converted to times.
import type { Word } from "../../contract/transcript/transcript.ts";
import { milliseconds } from "../../contract/transcript/transcript.ts";
import type { TargetWord } from "./markup.ts";

/** Translated words that share a stretch of source words. */
export interface Place {
  /** Mean index of the source words. */
  position: number;
  /** Translated words in it. */
  count: number;
  /** Least and greatest of their own positions. */
  least: number;
  most: number;
}

/**
 * Pool adjacent violators: the non-decreasing positions that are nearest to the given ones.
 * @source Barlow et al. 1972, Statistical Inference under Order Restrictions
 */
function isotonic(positions: readonly number[]): Place[] {
  const places: Place[] = [];
  for (const position of positions) {
    places.push({ position, count: 1, least: position, most: position });
    for (;;) {
      const [before, last] = places.slice(-2);
      if (!before || !last || before.position <= last.position) break;
      const count = before.count + last.count;
      const mean = (before.position * before.count + last.position * last.count) / count;
      const [least, most] = [Math.min(before.least, last.least), Math.max(before.most, last.most)];
      places.splice(-2, 2, { position: mean, count, least, most });
    }
  }
  return places;
}

/** Mean index of each word's source words; a word without any is placed between its neighbours. */
function rawPositions(words: readonly TargetWord[], sourceCount: number): number[] {
  const known = words.map(({ sources }) =>
    sources.length === 0 ? undefined : sources.reduce((sum, one) => sum + one, 0) / sources.length,
  );
  if (known.every((one) => one === undefined))
    return words.map((_, at) => ((at + 0.5) * sourceCount) / words.length - 0.5);
  return known.map((position, at) => {
    if (position !== undefined) return position;
    const before = known.slice(0, at).findLast((one) => one !== undefined);
    const after = known.slice(at + 1).find((one) => one !== undefined);
    return before !== undefined && after !== undefined ? (before + after) / 2 : ((before ?? after) as number);
  });
}

/** Place of each translated word among the source words; positions are 0 to sourceCount - 1 and never decrease. */
export function monotonicPlaces(words: readonly TargetWord[], sourceCount: number): Place[] {
  return isotonic(rawPositions(words, sourceCount)).flatMap((place) => new Array<Place>(place.count).fill(place));
}

/** @param place  0 is the start of the first word, n the end of the n-th */
function timeAt(place: number, source: readonly Word[], isEnd: boolean): number {
  const at = Math.min(source.length - 1, Math.max(0, isEnd ? Math.ceil(place) - 1 : Math.floor(place)));
  const { start, end } = source[at] as Word;
  return start + Math.min(1, Math.max(0, place - at)) * (end - start);
}

/**
 * @param places  of monotonicPlaces
 * @param source  words of the source sentence with their times
 * @returns start and end of each translated word, seconds; never decreasing, within the source sentence
 */
export function alignedTimes(
  words: readonly TargetWord[],
  places: readonly Place[],
  source: readonly Word[],
): { start: number; end: number }[] {
  const times: { start: number; end: number }[] = [];
  let from = 0;
  for (let first = 0; first < words.length; ) {
    const place = places[first] as Place;
    let next = first + 1;
    while (next < words.length && places[next] === place) next++;
    const middle = (place.most + (places[next]?.least ?? 0)) / 2 + 0.5;
    const to = next === words.length ? source.length : Math.min(source.length, Math.max(from, middle));
    const start = Math.max(times.at(-1)?.end ?? 0, timeAt(from, source, false));
    const end = Math.max(start, timeAt(to, source, true));
    const own = words.slice(first, next);
    const letters = own.reduce((sum, { text }) => sum + text.length, 0);
    let before = 0;
    for (const { text } of own) {
      const begin = start + ((end - start) * before) / letters;
      before += text.length;
      times.push({
        start: milliseconds(begin),
        end: milliseconds(start + ((end - start) * before) / letters),
      });
    }
    first = next;
    from = to;
  }
  return times;
}
