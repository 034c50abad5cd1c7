// The samples from which a person is added to the library: a whole short recording, or the stretches of one speaker of a job.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { FreeSpace } from "../../platform/storage/free-space.ts";
import type { DecoderPool } from "../../speech/audio/decode/decoder-pool.ts";
import { type Gap, storedTime } from "../../speech/audio/decode/gaps.ts";
import { DECODED_BYTES_A_SECOND, MAXIMUM_CHANNELS } from "../../speech/audio/decode/message.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { fromPcm16, joinedSamples, samplesOf } from "../../speech/audio/samples.ts";
import type { SpokenStretch } from "../transcripts/spoken-stretches.ts";

/** Longest recording of one person. */
export const MOST_ENROLMENT_SECONDS = 300;
/** Most speech used from one job. */
const MOST_STRETCH_SECONDS = 60;
/** Silence between two stretches. */
const PAUSE_SECONDS = 0.3;

export interface DecodingServices {
  decoders: DecoderPool;
  space: FreeSpace;
  /** Emptied at every start. */
  temporaryFolder: string;
}

export interface EnrolmentFile {
  /** Account. */
  tenant: string;
  path: string;
  filename: string;
  track?: number;
  /** Estimated size of the decoded samples. */
  bytes: number;
  maximumSeconds: number;
  signal: AbortSignal;
}

/** @returns the result of `read` for the decoded channels, whose files are removed afterwards */
async function decoded<Result>(
  { tenant, path: source, filename, track, bytes, maximumSeconds, signal }: EnrolmentFile,
  { decoders, space, temporaryFolder }: DecodingServices,
  read: (outputs: readonly string[], gaps: readonly Gap[]) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(path.join(temporaryFolder, "voice-"));
  try {
    const outputs = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => path.join(folder, `${channel}.pcm`));
    const named = track === undefined ? {} : { track };
    const { gaps } = await space.whileThereIsRoom(bytes, signal, (aborted) =>
      decoders.decode(source, { tenant, outputs, filename, ...named, maximumSeconds, signal: aborted }),
    );
    return await read(outputs, gaps);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first channel of a whole recording. @throws media.too_long, media.not_decodable, work.aborted */
export function wholeRecording(file: EnrolmentFile, services: DecodingServices): Promise<Float32Array> {
  return decoded(file, services, async ([first = ""]) => fromPcm16(await readFile(first)));
}

/** The stretches of a recording, one after another, up to MOST_STRETCH_SECONDS. */
export function stretchesOfRecording(
  file: EnrolmentFile,
  stretches: readonly SpokenStretch[],
  services: DecodingServices,
): Promise<Float32Array> {
  return decoded(file, services, async (outputs, gaps) => {
    const parts: Float32Array[] = [];
    let remaining = MOST_STRETCH_SECONDS;
    for (const { channel, start, end } of stretches) {
      if (remaining <= 0) break;
      const from = storedTime(start, gaps);
      const seconds = Math.min(remaining, storedTime(end, gaps) - from);
      remaining -= seconds;
      const slice = {
        file: outputs[channel] ?? (outputs[0] as string),
        startSample: Math.round(from * SAMPLE_RATE),
        sampleCount: Math.max(0, Math.round(seconds * SAMPLE_RATE)),
      };
      parts.push(await samplesOf(slice), new Float32Array(PAUSE_SECONDS * SAMPLE_RATE));
    }
    return joinedSamples(parts);
  });
}

/** Size of the decoded samples of a recording. */
export const decodedBytes = (seconds: number, channels: number) => seconds * channels * DECODED_BYTES_A_SECOND;
