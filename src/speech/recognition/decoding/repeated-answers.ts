// Recovers a short word that a speaker repeats after a pause: of "No. No.", a decoder may write one. The repetition is shorter than
// the speech that missed-speech.ts recovers. It only counts if it is recognised as the same word.
import { joinedRuns, type Stretch, speechRuns } from "../../audio/voice-activity/wordless-speech.ts";
import type { RecognizedWord } from "../recognizer.ts";
import { separatedWords } from "../word-spans.ts";
import type { VoiceActivity } from "./speech-evidence.ts";

/** Longer texts are written with their repetitions. */
const MOST_WORDS = 4;
/** Length of a short word as the detector finds it. */
const LEAST_SECONDS = 0.15;
const MOST_SECONDS = 1.2;
/** Shortest pause before or behind it: within a word, the detector has shorter ones. */
const LEAST_PAUSE_SECONDS = 0.2;
/** Uncertainty of word times at both ends. */
const WORD_MARGIN_SECONDS = 0.1;
/** Audio that is kept around the word at most. */
const LEAD_SECONDS = 0.3;

const plain = (text: string | undefined) => text?.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "") ?? "";

/** Runs of speech, joined over pauses within a word. */
function joinedSpeech(probabilities: Float32Array, windowSeconds: number): Stretch[] {
  const half = LEAST_PAUSE_SECONDS / 2;
  const wide = speechRuns(probabilities, windowSeconds).map(({ startSeconds, endSeconds }) => ({
    startSeconds: startSeconds - half,
    endSeconds: endSeconds + half,
  }));
  return joinedRuns(wide).map(({ startSeconds, endSeconds }) => ({
    startSeconds: startSeconds + half,
    endSeconds: endSeconds - half,
  }));
}

/** Bounds the time: music with a few words has many such voices. */
const MOST_PASSES = 4;

export interface RepeatedAnswerOptions {
  sampleRate: number;
  detector: VoiceActivity;
  /** Recognises a section of the audio. @returns words with times from its start */
  recognize(samples: Float32Array, startSeconds: number): Promise<RecognizedWord[]>;
}

/**
 * @param words    with times from the start of the samples, in order
 * @param samples  mono, all of the audio
 * @returns `words` itself if no repetition is found
 */
export async function withRepeatedAnswers(
  words: RecognizedWord[],
  samples: Float32Array,
  { sampleRate, detector, recognize }: RepeatedAnswerOptions,
): Promise<RecognizedWord[]> {
  const seconds = samples.length / sampleRate;
  const spoken = words.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const hasRoom = seconds - spoken > LEAST_SECONDS + LEAST_PAUSE_SECONDS;
  if (words.length === 0 || words.length > MOST_WORDS || !hasRoom) return words;
  const runs = joinedSpeech(await detector.probabilities(samples), detector.windowSeconds);
  let all = words;
  let passes = 0;
  for (const [at, { startSeconds, endSeconds }] of runs.entries()) {
    const length = endSeconds - startSeconds;
    const isCovered = words.some(
      (word) =>
        word.startSeconds - WORD_MARGIN_SECONDS < endSeconds && word.endSeconds + WORD_MARGIN_SECONDS > startSeconds,
    );
    if (isCovered || length < LEAST_SECONDS || length > MOST_SECONDS) continue;
    if (++passes > MOST_PASSES) break;
    const middle = (one = 0, other = seconds) => (one + other) / 2;
    const from = Math.max(startSeconds - LEAD_SECONDS, at === 0 ? 0 : middle(runs[at - 1]?.endSeconds, startSeconds));
    const to = Math.min(endSeconds + LEAD_SECONDS, middle(endSeconds, runs[at + 1]?.startSeconds));
    const found = await recognize(samples.slice(Math.floor(from * sampleRate), Math.ceil(to * sampleRate)), from);
    const before = all.findLast((word) => word.startSeconds < startSeconds) ?? all[0];
    const [again] = found;
    if (found.length !== 1 || !again || plain(again.text) === "" || plain(again.text) !== plain(before?.text)) continue;
    const placed = { ...again, startSeconds: again.startSeconds + from, endSeconds: again.endSeconds + from };
    all = [...all, placed].toSorted((left, right) => left.startSeconds - right.startSeconds);
  }
  return all === words ? words : separatedWords(all, seconds);
}
