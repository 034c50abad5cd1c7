// Decodes any file into 16 kHz samples of each channel with its own source, and a list of long silences.
import { rename, rm, stat } from "node:fs/promises";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { type DistinctChannels, distinctChannels } from "../../../speech/audio/channels/distinct.ts";
import { DECODED_BYTES_A_SECOND, type DecodeAnswer, MAXIMUM_CHANNELS } from "../../../speech/audio/decode/message.ts";
import { MOST_LEAKING_CHANNELS } from "../../../speech/audio/leaks/leak-analysis.ts";
import type { FoundLeaks } from "../../../speech/audio/leaks/recording-leaks.ts";
import { speechFinder } from "./find-speech.ts";
import { loudestFirst, rateWarnings } from "./likely-rate.ts";
import { type Stage, type StageContext, taskOptions } from "./stage.ts";

/**
 * Larger than the padding that a container states but a decoder omits; within it, the duration reported for the upload
 * is kept.
 */
const SAME_DURATION_SECONDS = 0.1;

/** The duration reported for the upload if the samples confirm it; otherwise that of the samples. */
function agreedDuration(decodedSeconds: number, statedSeconds: number | undefined): number {
  const isSame = statedSeconds !== undefined && Math.abs(decodedSeconds - statedSeconds) <= SAME_DURATION_SECONDS;
  return isSame ? statedSeconds : decodedSeconds;
}

interface KeptChannels extends DistinctChannels {
  /** Undefined if they could not be found. */
  found: FoundLeaks | undefined;
  warnings: string[];
}

/**
 * Chooses the channels to transcribe, removes from them what leaks into them from each other, and removes the files of
 * the others.
 */
async function keptChannels(
  decoded: DecodeAnswer,
  files: readonly string[],
  context: StageContext,
): Promise<KeptChannels> {
  const findSpeech = speechFinder(files, context.services.recognition, taskOptions(context));
  const warnings: string[] = [];
  // Two channels that leak into each other strongly look like one source to the comparison.
  const pair = decoded.channels === 2 ? await cleaned([0, 1], files, context, warnings) : undefined;
  const isMutual = pair?.leaks.length === 2;
  const { kept, sources } = isMutual ? { kept: [0, 1], sources: [0, 1] } : await distinctChannels(decoded, findSpeech);
  const found = decoded.channels === 2 ? pair : await cleaned(kept, files, context, warnings);
  const leaky = new Set(found?.leaks.map(({ to }) => to));
  const changed = kept.length > 1 ? leaky : new Set<number>();
  for (const channel of leaky) {
    const [file, clean] = [files[channel] as string, cleanFile(files[channel] as string)];
    await (changed.has(channel) ? rename(clean, file) : rm(clean, { force: true }));
  }
  const others = files.filter((_, channel) => !kept.includes(channel));
  await Promise.all(others.map((file) => rm(file, { force: true })));
  // The only channel is transcribed as it is.
  const removed = found && kept.length === 1 ? { ...found, leakOnly: [] } : found;
  return { kept, sources, found: removed, warnings: kept.length > 1 ? warnings : [] };
}

const cleanFile = (file: string) => `${file}.clean`;

/**
 * Writes the samples without leaks of the channels that something leaks into.
 * @param warnings  receives one if leaks cannot be removed: the channels are transcribed as they are
 * @returns the leaks between the channels of the file; undefined if they could not be found
 */
async function cleaned(
  channels: readonly number[],
  files: readonly string[],
  { job, services, signal, priority }: StageContext,
  warnings: string[],
): Promise<FoundLeaks | undefined> {
  if (channels.length < 2) return { leaks: [], leakOnly: [] };
  if (channels.length > MOST_LEAKING_CHANNELS) {
    warnings.push(
      `The recording has ${channels.length} channels with a source of their own. Speech that leaks from one into another is ` +
        `removed from at most ${MOST_LEAKING_CHANNELS} channels, so it may be transcribed twice.`,
    );
    return undefined;
  }
  const own = channels.map((channel) => files[channel] as string);
  const options = { tenant: job.accountId, isSuspect: priority === "suspect", signal };
  try {
    const { leaks, leakOnly } = await services.decoders.removeLeaks(own, own.map(cleanFile), options);
    return {
      leaks: leaks.map(({ from, to }) => ({ from: channels[from] as number, to: channels[to] as number })),
      leakOnly: files.map((_, channel) => leakOnly[channels.indexOf(channel)] ?? []),
    };
  } catch (thrown) {
    await Promise.all(own.map((file) => rm(cleanFile(file), { force: true })));
    if (signal.aborted || mustWait(thrown)) throw thrown;
    services.logger.error({ err: thrown, job: job.id }, "leaks between channels could not be removed");
    warnings.push(
      "Speech that leaks from one channel into another could not be removed, so it may be transcribed in both channels.",
    );
    return undefined;
  }
}

export const decodeStage: Stage<"decode"> = {
  name: "decode",
  cost: () => ({ kind: "decode", secondsPerAudioSecond: 0.003, seconds: 0.2 }),
  async run(context) {
    const { job, outputs, services, signal, priority, progress } = context;
    const { objects, decoders, limits, space } = services;
    // They start while the file is decoded.
    services.recognition.wake();
    const channels = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => channel);
    const files: string[] = [];
    // The first call creates their folder.
    for (const channel of channels) files.push(await objects.localPath(context.files.channel(channel)));
    const { audio_track: track, audio_range: range } = job.params;
    const { filename } = outputs.fetch ?? {};
    const decode = (source: string, signal: AbortSignal) =>
      decoders.decode(source, {
        tenant: job.accountId,
        isSuspect: priority === "suspect",
        outputs: files,
        ...(track === undefined ? {} : { track }),
        ...(range === undefined ? {} : { range }),
        ...(filename === undefined ? {} : { filename }),
        maximumSeconds: limits.maximumAudioSeconds,
        signal,
        onProgress: progress,
      });
    // A few kilobytes of encoded silence decode to gigabytes. Partial outputs are removed, so that they do not keep the
    // disk full while the job waits.
    const { durationSeconds = 0, channels: stated = 1 } = outputs.fetch ?? {};
    const bytes = durationSeconds * stated * DECODED_BYTES_A_SECOND;
    const decoded = await objects
      .whileCopied(outputs.fetch?.objectKey ?? "", (source) =>
        space.whileThereIsRoom(bytes, signal, (ending) => decode(source, ending)),
      )
      .catch(async (error: unknown) => {
        await Promise.all(files.map((file) => rm(file, { force: true })));
        throw error;
      });
    const { gaps, holes, trackCount } = decoded;
    if (decoded.warnings.length > 0)
      services.logger.warn({ job: job.id, warnings: decoded.warnings }, "audio was skipped");
    const { kept, sources, found, warnings: ofChannels } = await keptChannels(decoded, files, context);
    const isShared = kept.length > 1 && sources.some((source, channel) => source !== channel);
    const ofRate = await rateWarnings(
      loudestFirst(kept, decoded.levels).map((channel) => files[channel] as string),
      decoded.channels,
      services.recognition,
      taskOptions(context),
    );
    const warnings = [...decoded.warnings, ...ofChannels, ...ofRate];
    const { size } = await stat(files[kept[0] ?? 0] as string);
    return {
      bytes: size,
      durationSeconds:
        range?.end === undefined
          ? agreedDuration(decoded.durationSeconds, outputs.fetch?.durationSeconds)
          : decoded.durationSeconds,
      channels: decoded.channels,
      track: decoded.track,
      trackCount,
      ...(gaps.length > 0 ? { gaps } : {}),
      ...(holes.some(({ length }) => length > 0) ? { holes } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      distinctChannels: kept,
      ...(found ? { leaks: found.leaks } : {}),
      ...(found?.leakOnly.some(({ length }) => length > 0) ? { leakOnly: found.leakOnly } : {}),
      ...(isShared ? { channelSources: sources } : {}),
    };
  },
};
