// What an utterance of a session says, in English: written down by the recogniser from the audio that is stored.
import { bytesPerSecond, type StreamFormat } from "../../audio/stream-format.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import type { Utterance } from "../../jobs/transcript.ts";
import { SAMPLE_RATE } from "../channel/channel-contract.ts";
import { utteranceOf } from "../channel/utterance.ts";
import { StreamReader } from "../connection/stream-reader.ts";
import type { StoredAudio } from "../log/log-contract.ts";

/** Around the words, whose times are tight. */
const MARGIN_SECONDS = 0.25;

export interface Recording {
  audio: StoredAudio;
  /** How the stored bytes are to be read. */
  stored: { headerBytes: number; format: StreamFormat };
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
  // The resampler holds a little back.
  const seconds = count / SAMPLE_RATE + MARGIN_SECONDS;
  const end = start + Math.ceil(seconds * bytesPerSecond(stored.format));
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
 * @param model  one that translates
 * @returns an utterance with the times of its English words; without words where nothing was understood
 */
export async function inEnglish(
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
