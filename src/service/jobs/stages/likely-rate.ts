// Warns of a recording whose speech is played too slowly or too fast: the sampling rate that the request or the file states is
// not that of its samples.
import { open } from "node:fs/promises";
import type { LevelSummary } from "../../../speech/audio/channels/channel-level.ts";
import { RateCheck, recordedRateWarning } from "../../../speech/audio/rate-check.ts";
import { BYTES_PER_SAMPLE, fromPcm16 } from "../../../speech/audio/samples.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { voiceFinder } from "../../inference/detect-voice.ts";
import type { RecognitionPool, TaskOptions } from "../../inference/pool.ts";

/** About 3 ms of work at once. */
const PIECE_BYTES = 64 * WINDOW_SAMPLES * BYTES_PER_SAMPLE;
/** 10 minutes; most recordings are decided within 15 s of sound. */
const MOST_PIECES = 293;
/** All channels have the same rate; one of two may have noise alone. */
const CHECKED_CHANNELS = 2;

async function playedSpeed(
  file: string,
  check: RateCheck,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(PIECE_BYTES);
    for (let piece = 0; piece < MOST_PIECES && !check.isDone; piece++) {
      signal?.throwIfAborted();
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, piece * PIECE_BYTES);
      if (bytesRead === 0) break;
      await check.push(fromPcm16(bytes.subarray(0, bytesRead)));
    }
    await check.settled();
    return check.playedSpeed;
  } finally {
    await handle.close();
  }
}

/** Channels in the order in which their rate is checked. @param levels  of all channels of the recording */
export const loudestFirst = (channels: readonly number[], levels: readonly LevelSummary[]): number[] =>
  channels.toSorted((one, other) => (levels[other]?.speechDecibels ?? 0) - (levels[one]?.speechDecibels ?? 0));

/**
 * @param files     samples of each transcribed channel, the loudest first
 * @param channels  of the recording
 * @returns the warning, if there is one
 */
export async function rateWarnings(
  files: readonly string[],
  channels: number,
  recognition: Pick<RecognitionPool, "voiceActivity">,
  options: TaskOptions,
): Promise<string[]> {
  for (const file of files.slice(0, CHECKED_CHANNELS)) {
    const speed = await playedSpeed(file, new RateCheck(voiceFinder(recognition, options)), options.signal);
    if (speed !== undefined) return [recordedRateWarning(speed, channels)];
  }
  return [];
}
