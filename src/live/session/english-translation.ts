// Translates an utterance into English: the recogniser's translate task over the stored audio.
import { bytesPerSecond } from "../../audio/stream-format.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { Utterance } from "../../transcript/transcript.ts";
import { SAMPLE_RATE } from "../channel/channel-contract.ts";
import { utteranceOf } from "../channel/utterance.ts";
import { type KnownStart, StreamReader } from "../connection/stream-reader.ts";
import type { StoredAudio } from "../log/log-contract.ts";

/** Audio added around the words, whose times are tight. */
const MARGIN_SECONDS = 0.25;

export interface Recording {
  audio: StoredAudio;
  /** Format of the stored bytes. */
  stored: KnownStart;
}

/** 16 kHz samples of one channel. @param from  first sample */
async function storedSamples(
  { audio, stored }: Recording,
  channel: number,
  from: number,
  count: number,
): Promise<Float32Array> {
  const reader = new StreamReader(stored.format, stored);
  reader.startAt(from);
  const start = reader.byteFor(from);
  // The resampler holds some input back.
  const seconds = count / SAMPLE_RATE + MARGIN_SECONDS;
  const sampleBytes = start - reader.headers.within(start) + Math.ceil(seconds * bytesPerSecond(stored.format));
  const end = reader.headers.placeOf(sampleBytes);
  const samples = new Float32Array(count);
  let at = 0;
  for (const pieces of reader.push(await audio.read(start, Math.min(audio.total, end)))) {
    const piece = pieces[channel]?.subarray(0, count - at) ?? new Float32Array();
    samples.set(piece, at);
    at += piece.length;
  }
  return samples.subarray(0, at);
}

/**
 * @param model  one that can translate
 * @returns an utterance with the times of its English words; without words if none were recognised
 */
export async function translateToEnglish(
  { channel, start, end, language }: Utterance,
  audio: Recording,
  recognition: RecognitionPool,
  model: string,
): Promise<Utterance> {
  const first = Math.max(0, Math.round((start - MARGIN_SECONDS) * SAMPLE_RATE));
  const count = Math.round((end + MARGIN_SECONDS) * SAMPLE_RATE) - first;
  const { words } = await recognition.recognize(
    model,
    { audio: await storedSamples(audio, channel, first, count), languages: [language], task: "translate" },
    { priority: "live" },
  );
  const place = (seconds: number) => Math.min(end, Math.max(start, seconds + first / SAMPLE_RATE));
  const placed = words.map((word) => ({
    ...word,
    startSeconds: place(word.startSeconds),
    endSeconds: place(word.endSeconds),
  }));
  return utteranceOf(placed, { language: "en", channel, isAfterStop: false });
}
