// Removes a word that the decoder repeats once too often. In "two, two, two, two, two" a decoder loses count: it writes a sixth one,
// which is aligned to a few hundredths of a second of silence or of its neighbour.
import { frameEnergies } from "../../audio/frame-energies.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import type { RecognitionRequest, RecognizedWord } from "../recognizer.ts";

/** Shorter runs are counted correctly, and two of "no, no, no" are too few to measure how long one lasts. */
const LEAST_RUN = 4;
/** A word that lasts longer was spoken: invented ones lasted at most 0.14 s. */
const LONGEST_INVENTED_SECONDS = 0.15;
/** A word that is audible for at most this share of the usual time of the run was not spoken. */
const LEAST_SHARE = 0.35;
/** A word that is audible for more than this share is two that were aligned as one: their number may be right, and the times wrong. */
const SHARE_OF_TWO = 1.6;
/** A frame is audible if it is at most this much quieter than the loudest ones of the run, dB. A click may be louder. */
const AUDIBLE_DECIBELS = 20;
const REFERENCE_FRAME = 2;
const FRAME_SAMPLES = SAMPLE_RATE / 100;
const FRAME_SECONDS = FRAME_SAMPLES / SAMPLE_RATE;

const sameText = (word: RecognizedWord | undefined) => word?.text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");

const frameAt = (seconds: number) => Math.round(seconds / FRAME_SECONDS);

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * @param run        equal words in order
 * @param nextStart  start of the word behind the run, or the end of the audio, seconds
 * @param levels     of each frame of the audio, dB
 * @returns the words of the run that were spoken
 */
function spokenWordsOf(run: RecognizedWord[], nextStart: number, levels: Float32Array): RecognizedWord[] {
  const isShort = ({ startSeconds, endSeconds }: RecognizedWord) =>
    endSeconds - startSeconds <= LONGEST_INVENTED_SECONDS;
  if (!run.some(isShort)) return run;
  const ofRun = levels.slice(frameAt(run[0]?.startSeconds ?? 0), frameAt(run.at(-1)?.endSeconds ?? 0)).sort();
  const least = (ofRun.at(-1 - REFERENCE_FRAME) ?? 0) - AUDIBLE_DECIBELS;
  const audibleSeconds = (from: number, to: number) =>
    levels.subarray(frameAt(from), frameAt(to)).filter((level) => level > least).length * FRAME_SECONDS;
  const times = run.map(({ startSeconds, endSeconds }) => audibleSeconds(startSeconds, endSeconds));
  return run.filter((word, at) => {
    if (!isShort(word)) return true;
    const others = times.filter((_, other) => other !== at);
    const usual = median(others);
    if (Math.max(...others) > SHARE_OF_TWO * usual) return true;
    // The word may be aligned to a moment of its sound.
    const from = Math.max(run[at - 1]?.endSeconds ?? 0, word.startSeconds - usual / 2);
    const to = Math.min(run[at + 1]?.startSeconds ?? nextStart, word.startSeconds + usual);
    return audibleSeconds(from, to) > LEAST_SHARE * usual;
  });
}

/**
 * Words of partials stay, because the last one may have only begun. Those of a translation have no times of their own.
 * @param words    with times from the start of the samples, in order
 * @param samples  16 kHz mono
 * @returns `words` itself if all were spoken
 */
export function withoutInvented(
  words: RecognizedWord[],
  { samples, audioId, task }: Pick<RecognitionRequest, "samples" | "audioId" | "task">,
): RecognizedWord[] {
  if (audioId !== undefined || task === "translate") return words;
  let levels: Float32Array | undefined;
  const kept: RecognizedWord[] = [];
  for (let from = 0; from < words.length; ) {
    const text = sameText(words[from]);
    let to = from + 1;
    while (to < words.length && sameText(words[to]) === text) to++;
    const run = words.slice(from, to);
    const nextStart = words[to]?.startSeconds ?? samples.length / SAMPLE_RATE;
    from = to;
    if (run.length < LEAST_RUN || text === "") {
      kept.push(...run);
      continue;
    }
    levels ??= frameEnergies(samples, Math.ceil(samples.length / FRAME_SAMPLES), FRAME_SAMPLES);
    kept.push(...spokenWordsOf(run, nextStart, levels));
  }
  return kept.length === words.length ? words : kept;
}
