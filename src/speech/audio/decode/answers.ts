// Validates the answers of a decoder process: it has processed an untrusted file, and its answer is stored in the
// database.

import { MOST_TRACKS } from "../../../contract/bounds.ts";
import { errors } from "../../../platform/errors.ts";
import { type HoleStretch, MOST_HOLE_STRETCHES } from "../holes.ts";
import { BLOCK_SAMPLES } from "../leaks/blocks.ts";
import { type LeakStretch, MOST_LEAK_STRETCHES } from "../leaks/leak-stretches.ts";
import type { FoundLeaks, Leak } from "../leaks/recording-leaks.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";
import { isCount, isSeconds, isText, refuse } from "./answer-checks.ts";
import { comparedChannels } from "./comparison-answer.ts";
import type { Gap } from "./gaps.ts";
import type { AudioTrack, DecodeAnswer, MediaAnswer, ProbeAnswer } from "./message.ts";
import { MAXIMUM_CHANNELS } from "./message.ts";

const EXTENSION = /^[\w+-]{0,32}$/;
const CODEC = /^[\w.+-]{1,64}$/;
/** One year; FFmpeg reports the duration that a container claims. */
const MOST_SECONDS = 366 * 86_400;
const MOST_BLOCKS = (MOST_SECONDS * SAMPLE_RATE) / BLOCK_SAMPLES;
/** For tracks that are not decoded: a header may claim any number. */
const MOST_CLAIMED_CHANNELS = 2 ** 31 - 1;
/** `label` in tracks.ts truncates language and title of a track to this. */
const MOST_LABEL_CHARACTERS = 200;
/** warnings.ts creates one sentence per kind of fault, and one for each of the first 20 skipped parts; notes on parts follow. */
const MOST_WARNINGS = 40;
const MOST_WARNING_CHARACTERS = 500;
/** Only longer gaps are listed; shorter silences are stored. A late start is one more. */
const SHORTEST_GAP_SECONDS = 1;

function trackAnswer(given: unknown, expectedNumber: number): AudioTrack {
  if (typeof given !== "object" || given === null) return refuse("a malformed track");
  const { number, codec, channels, isDefault, language, title } = given as Partial<AudioTrack>;
  if (number !== expectedNumber || !isCount(channels, MOST_CLAIMED_CHANNELS, 0) || typeof isDefault !== "boolean")
    return refuse("an impossible track");
  if (typeof codec !== "string" || !CODEC.test(codec)) return refuse("a malformed encoding");
  for (const label of [language, title])
    if (label !== undefined && !isText(label, MOST_LABEL_CHARACTERS)) return refuse("an impossible label of a track");
  return {
    number,
    codec,
    channels,
    isDefault,
    ...(language === undefined ? {} : { language }),
    ...(title === undefined ? {} : { title }),
  };
}

/**
 * @throws process.failed if it is not a valid answer to a probe; media.not_decodable if the file claims an impossible
 *   duration
 */
export function probeAnswer(answer: MediaAnswer | undefined): ProbeAnswer {
  if (answer?.kind !== "probe") return refuse("a response of another kind");
  const { extension, durationSeconds, channels, sampleRate, tracks, track } = answer;
  if (typeof extension !== "string" || !EXTENSION.test(extension)) return refuse("a malformed extension");
  if (!isSeconds(durationSeconds) || !isCount(channels, MAXIMUM_CHANNELS) || !isSeconds(sampleRate))
    return refuse("impossible numbers");
  if (!Array.isArray(tracks) || !isCount(tracks.length, MOST_TRACKS) || !isCount(track, tracks.length - 1, 0))
    return refuse("impossible tracks");
  if (durationSeconds > MOST_SECONDS) throw errors.notDecodable("it claims to last longer than a year");
  return { kind: "probe", extension, durationSeconds, channels, sampleRate, tracks: tracks.map(trackAnswer), track };
}

/** @throws process.failed if it is not a valid answer for so many channels */
export function leaksAnswer(answer: MediaAnswer | undefined, channels: number): FoundLeaks {
  if (answer?.kind !== "leaks") return refuse("a response of another kind");
  const { leaks, leakOnly } = answer;
  if (!Array.isArray(leaks) || leaks.length > channels * (channels - 1)) return refuse("an impossible list of leaks");
  const checked = leaks.map((leak: Partial<Leak> | null) => {
    const { from, to } = leak ?? {};
    if (!isCount(from, channels - 1, 0) || !isCount(to, channels - 1, 0) || from === to)
      return refuse("an impossible leak");
    return { from, to };
  });
  return { leaks: checked, leakOnly: stretchesAnswer(leakOnly, channels) };
}

function stretchesAnswer(leakOnly: unknown, channels: number): LeakStretch[][] {
  if (!Array.isArray(leakOnly) || leakOnly.length !== channels) return refuse("an impossible list of leaks");
  return leakOnly.map((stretches: unknown) => {
    if (!Array.isArray(stretches) || stretches.length > MOST_LEAK_STRETCHES) return refuse("too many leaks");
    let last = 0;
    return stretches.map((stretch: unknown): LeakStretch => {
      const [from, until] = Array.isArray(stretch) ? stretch : [];
      if (!isCount(from, MOST_BLOCKS, last) || !isCount(until, MOST_BLOCKS, from + 1))
        return refuse("an impossible leak");
      last = until;
      return [from, until];
    });
  });
}

function gapsAnswer(gaps: unknown, durationSeconds: number): Gap[] {
  if (!Array.isArray(gaps) || gaps.length > durationSeconds / SHORTEST_GAP_SECONDS + 1)
    return refuse("an impossible list of gaps");
  let last = -1;
  let total = 0;
  return gaps.map((gap: Partial<Gap> | null) => {
    const { storedSeconds, seconds } = gap ?? {};
    if (!isSeconds(storedSeconds) || !isSeconds(seconds) || storedSeconds <= last) return refuse("an impossible gap");
    last = storedSeconds;
    total += seconds;
    if (storedSeconds + total > durationSeconds + SHORTEST_GAP_SECONDS) return refuse("gaps beyond the end");
    return { storedSeconds, seconds };
  });
}

function holesAnswer(holes: unknown, channels: number): HoleStretch[][] {
  if (!Array.isArray(holes) || holes.length !== channels) return refuse("an impossible list of holes");
  return holes.map((stretches: unknown) => {
    if (!Array.isArray(stretches) || stretches.length > MOST_HOLE_STRETCHES) return refuse("too many holes");
    return stretches.map((stretch: Partial<HoleStretch> | null) => {
      const { startSeconds, endSeconds, silentSeconds } = stretch ?? {};
      if (!isSeconds(startSeconds) || !isSeconds(endSeconds) || !isSeconds(silentSeconds) || endSeconds > MOST_SECONDS)
        return refuse("an impossible hole");
      return { startSeconds, endSeconds, silentSeconds };
    });
  });
}

/** @throws process.failed if it is not a valid answer to a decoding */
export function decodeAnswer(answer: MediaAnswer | undefined): DecodeAnswer {
  if (answer?.kind !== "decode") return refuse("a response of another kind");
  const { durationSeconds, channels, gaps, holes, warnings, track, trackCount } = answer;
  if (!isSeconds(durationSeconds) || durationSeconds > MOST_SECONDS || !isCount(channels, MAXIMUM_CHANNELS))
    return refuse("impossible numbers");
  if (!isCount(trackCount, MOST_TRACKS) || !isCount(track, trackCount - 1, 0)) return refuse("an impossible track");
  const isWarning = (value: unknown) => isText(value, MOST_WARNING_CHARACTERS);
  if (!Array.isArray(warnings) || warnings.length > MOST_WARNINGS || !warnings.every(isWarning))
    return refuse("impossible warnings");
  const placed = gapsAnswer(gaps, durationSeconds);
  return {
    kind: "decode",
    durationSeconds,
    gaps: placed,
    holes: holesAnswer(holes, channels),
    warnings: [...warnings],
    track,
    trackCount,
    channels,
    ...comparedChannels(answer, channels, durationSeconds),
  };
}
