// Decodes any file into 16 kHz samples of each channel with its own source, and a list of long silences.
import { rename, rm, stat } from "node:fs/promises";
import { distinctChannels } from "../../audio/channels/distinct.ts";
import type { DecoderPool } from "../../audio/decode/decoder-pool.ts";
import { DECODED_BYTES_A_SECOND, type DecodeAnswer, MAXIMUM_CHANNELS } from "../../audio/decode/message.ts";
import type { Leak } from "../../audio/leaks/recording-leaks.ts";
import { speechFinder } from "./find-speech.ts";
import { type Stage, type StageContext, taskOptions } from "./stage.ts";

/**
 * Larger than the padding that a container states but a decoder omits; within it, the duration reported for the upload
 * is kept.
 */
const SAME_DURATION_SECONDS = 0.1;
/** Every pair of channels takes about 2 % of the recording's duration. */
const MOST_LEAKING_CHANNELS = 4;

/** The duration reported for the upload if the samples confirm it; otherwise that of the samples. */
function agreedDuration(decodedSeconds: number, statedSeconds: number | undefined): number {
  const isSame = statedSeconds !== undefined && Math.abs(decodedSeconds - statedSeconds) <= SAME_DURATION_SECONDS;
  return isSame ? statedSeconds : decodedSeconds;
}

/**
 * Chooses the channels to transcribe, removes from them what leaks into them from each other, and removes the files of
 * the others.
 */
async function keptChannels(decoded: DecodeAnswer, files: readonly string[], context: StageContext): Promise<number[]> {
  const { job, services, signal, priority } = context;
  const findSpeech = speechFinder(files, services.recognition, taskOptions(context));
  const options = { tenant: job.accountId, isSuspect: priority === "suspect", signal };
  // Two channels that leak into each other strongly look like one source to the comparison.
  const pair = decoded.channels === 2 ? await cleaned([0, 1], files, services.decoders, options) : [];
  const isMutual = pair.length === 2;
  const kept = isMutual ? [0, 1] : await distinctChannels(decoded, findSpeech);
  const leaks = decoded.channels === 2 ? pair : await cleaned(kept, files, services.decoders, options);
  const changed = kept.length > 1 ? new Set(leaks.map(({ to }) => to)) : new Set<number>();
  for (const channel of new Set(leaks.map(({ to }) => to))) {
    const [file, clean] = [files[channel] as string, cleanFile(files[channel] as string)];
    await (changed.has(channel) ? rename(clean, file) : rm(clean, { force: true }));
  }
  const others = files.filter((_, channel) => !kept.includes(channel));
  await Promise.all(others.map((file) => rm(file, { force: true })));
  return kept;
}

const cleanFile = (file: string) => `${file}.clean`;

/** Writes the samples without leaks of the channels that something leaks into. @returns the leaks between the channels */
async function cleaned(
  channels: readonly number[],
  files: readonly string[],
  decoders: DecoderPool,
  options: Parameters<DecoderPool["removeLeaks"]>[2],
): Promise<Leak[]> {
  if (channels.length < 2 || channels.length > MOST_LEAKING_CHANNELS) return [];
  const own = channels.map((channel) => files[channel] as string);
  const leaks = await decoders.removeLeaks(own, own.map(cleanFile), options);
  return leaks.map(({ from, to }) => ({ from: channels[from] as number, to: channels[to] as number }));
}

export const decodeStage: Stage<"decode"> = {
  name: "decode",
  weight: 0.1,
  async run(context) {
    const { job, outputs, services, signal, priority, progress } = context;
    const { objects, decoders, limits, space } = services;
    const source = await objects.localPath(outputs.fetch?.objectKey ?? "");
    const channels = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => channel);
    const files: string[] = [];
    // The first call creates their folder.
    for (const channel of channels) files.push(await objects.localPath(context.files.channel(channel)));
    const track = job.params.audio_track;
    const { filename } = outputs.fetch ?? {};
    const decode = (signal: AbortSignal) =>
      decoders.decode(source, {
        tenant: job.accountId,
        isSuspect: priority === "suspect",
        outputs: files,
        ...(track === undefined ? {} : { track }),
        ...(filename === undefined ? {} : { filename }),
        maximumSeconds: limits.maximumAudioSeconds,
        signal,
        onProgress: progress,
      });
    // A few kilobytes of encoded silence decode to gigabytes. Partial outputs are removed, so that they do not keep the
    // disk full while the job waits.
    const { durationSeconds = 0, channels: stated = 1 } = outputs.fetch ?? {};
    const bytes = durationSeconds * stated * DECODED_BYTES_A_SECOND;
    const decoded = await space.whileThereIsRoom(bytes, signal, decode).catch(async (error: unknown) => {
      await Promise.all(files.map((file) => rm(file, { force: true })));
      throw error;
    });
    const { warnings, gaps, trackCount } = decoded;
    if (warnings.length > 0) services.logger.warn({ job: job.id, warnings }, "audio was skipped");
    const kept = await keptChannels(decoded, files, context);
    const { size } = await stat(files[kept[0] ?? 0] as string);
    return {
      bytes: size,
      durationSeconds: agreedDuration(decoded.durationSeconds, outputs.fetch?.durationSeconds),
      channels: decoded.channels,
      track: decoded.track,
      trackCount,
      ...(gaps.length > 0 ? { gaps } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      distinctChannels: kept,
    };
  },
};
