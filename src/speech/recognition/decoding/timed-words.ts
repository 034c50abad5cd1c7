// Words of a decoded text with their times, from the decoder's attention, and their confidences.
import { frameEnergies } from "../../audio/frame-energies.ts";
import type { RecognitionRequest, RecognizedWord } from "../recognizer.ts";
import { separatedWords } from "../word-spans.ts";
import type { Decoding } from "./greedy.ts";
import type { SpeechModelTraits } from "./speech-model.ts";
import {
  alignTokens,
  firstAttendedFrame,
  lastAttendedFrame,
  plausibleWords,
  silenceLevel,
  trimSilence,
} from "./word-times.ts";
import type { TokenGroup } from "./words.ts";

/** Longest time that a word continues after its last frame with attention. Without it, the last word would last to the end of the audio. */
const UNATTENDED_SECONDS = 0.24;

export interface TimedWords {
  words: RecognizedWord[];
  /** Tokens of each word. */
  ranges: Pick<TokenGroup, "from" | "to">[];
  prefixEndSeconds: number;
}

/**
 * The words after the prefix, with times and confidences.
 * @param known  the last word of the prefix
 * @param fresh  the words after it
 */
export function timedWords(
  decoding: Decoding,
  { samples, task }: Pick<RecognitionRequest, "samples" | "task">,
  { known, fresh }: { known?: TokenGroup | undefined; fresh: readonly TokenGroup[] },
  traits: SpeechModelTraits,
): TimedWords {
  const { sampleRate, samplesPerFrame, leadingSilenceSeconds, startShiftSeconds, endShiftSeconds, startShare } = traits;
  const { tokens } = decoding;
  // Frames of the audio itself, without the added silence.
  const first = Math.round((leadingSilenceSeconds * sampleRate) / samplesPerFrame);
  const frames = Math.max(1, Math.min(decoding.frames - first, Math.ceil(samples.length / samplesPerFrame)));
  const attention = new Float32Array(tokens.length * frames);
  for (const [index, row] of decoding.attention.entries()) {
    attention.set(row.subarray(first, first + frames), index * frames);
  }
  const spans = alignTokens(attention, tokens.length, frames);
  const energies = frameEnergies(samples, frames, samplesPerFrame);
  const silence = silenceLevel(energies);
  const frameSeconds = samplesPerFrame / sampleRate;
  const restFrames = Math.round(UNATTENDED_SECONDS / frameSeconds);
  const audioSeconds = samples.length / sampleRate;
  let earliest = 0;
  const spanOf = ({ soundFrom, soundTo }: TokenGroup) => {
    const rowOf = (token: number) => attention.subarray(token * frames, (token + 1) * frames);
    const span = { start: spans[soundFrom]?.start ?? 0, end: spans[soundTo - 1]?.end ?? frames };
    span.start = firstAttendedFrame(rowOf(soundFrom), spans[soundFrom] ?? span, startShare);
    const attendedEnd = lastAttendedFrame(rowOf(soundTo - 1), spans[soundTo - 1] ?? span) + 1;
    span.end = Math.max(span.start + 1, Math.min(span.end, attendedEnd + restFrames));
    return trimSilence(span, energies, silence);
  };
  const written = fresh.map((word) => ({ ...word, span: spanOf(word) }));
  const starts = written.map(({ span }) => span.start);
  // The words of a translation are not in the order of the speech.
  const plausible = task === "translate" ? undefined : plausibleWords(starts, frames);
  const spoken = plausible ? written.filter((_, at) => plausible[at]) : written;
  const timed = spoken.map(({ text, isJoined, from, to, soundFrom, soundTo, span }) => {
    const shifted = Math.min(audioSeconds, span.start * frameSeconds + startShiftSeconds);
    const startSeconds = Math.max(earliest, shifted);
    const endSeconds = Math.max(startSeconds, Math.min(audioSeconds, span.end * frameSeconds + endShiftSeconds));
    earliest = startSeconds;
    let sum = 0;
    for (let at = soundFrom; at < soundTo; at++) sum += tokens[at]?.logProbability ?? 0;
    const confidence = Math.exp(sum / (soundTo - soundFrom));
    const ids = tokens.slice(from, to).map((token) => token.id);
    return { text, ...(isJoined ? { isJoined } : {}), startSeconds, endSeconds, confidence, tokens: ids };
  });
  // Without words after it, the last word of the prefix is aligned to all audio.
  const prefixEndSeconds = known ? spanOf(known).end * frameSeconds : 0;
  return { words: separatedWords(timed, audioSeconds), ranges: spoken, prefixEndSeconds };
}
