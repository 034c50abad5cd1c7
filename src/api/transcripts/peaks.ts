// Waveform peaks of a job's recording: computed at the first request, then stored.
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { type Peaks, PeaksBody, PeaksQuery } from "../../contract/transcripts.ts";
import { errors } from "../../platform/errors.ts";
import { SharedWork } from "../../platform/process/shared-work.ts";
import type { JobFile } from "../../platform/storage/db/jobs/job-files.ts";
import { parseJsonLines, printJsonLine } from "../../platform/storage/json-lines.ts";
import { peaksKey } from "../../platform/storage/objects/keys.ts";
import { putForFile } from "../../service/jobs/file-objects.ts";
import type { Gap } from "../../speech/audio/decode/gaps.ts";
import { DECODED_BYTES_A_SECOND, MAXIMUM_CHANNELS } from "../../speech/audio/decode/message.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const PEAKS_PER_SECOND = 20;
const MOST_PEAKS = 6_000;
/** Resolution of the peaks of a stretch: edges of speech are seen to about 25 ms. */
const DETAIL_PER_SECOND = 40;
const MOST_STRETCH_SECONDS = MOST_PEAKS / DETAIL_PER_SECOND;
const FULL_SCALE = 32_768;

/** Stored form of the peaks of stretches: a byte for each peak. */
interface Detail {
  detail: string;
  /** How many channels the peaks are of. Missing in those of earlier versions, which have the first one only. */
  channels?: number;
}

/** Of one resolution. */
interface Picture {
  /** Of the recording, in each part. */
  samples: number;
  /** The loudest sample of each part, 0 to 1. */
  peaks: Float32Array;
}

/**
 * Adds the loudest samples of a channel.
 * @param file  16-bit samples
 * @param gaps  silences that it leaves out
 */
async function addPeaksOf(file: string, gaps: readonly Gap[], pictures: readonly Picture[]): Promise<void> {
  // Samples of the recording; those that a gap leaves out are counted when the stored samples reach it.
  let sample = 0;
  let stored = 0;
  const waiting = gaps.map((gap) => ({
    at: Math.round(gap.storedSeconds * SAMPLE_RATE),
    samples: Math.round(gap.seconds * SAMPLE_RATE),
  }));
  for await (const chunk of createReadStream(file, { highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
    for (let at = 0; at + 1 < chunk.length; at += 2, sample++, stored++) {
      while (waiting[0] && waiting[0].at <= stored) sample += waiting.shift()?.samples ?? 0;
      const loudness = Math.abs(chunk.readInt16LE(at)) / FULL_SCALE;
      for (const { samples, peaks } of pictures) {
        const part = Math.min(peaks.length - 1, Math.floor(sample / samples));
        if (loudness > (peaks[part] as number)) peaks[part] = loudness;
      }
    }
  }
}

/**
 * The lines that are stored: peaks of the whole recording, and those of which stretches are answered.
 * @param files  of the channels
 */
async function storedPeaks(files: readonly string[], duration: number, gaps: readonly Gap[]): Promise<string> {
  const pictureOf = (count: number): Picture => ({
    samples: Math.max(1, Math.ceil((duration * SAMPLE_RATE) / count)),
    peaks: new Float32Array(count),
  });
  const whole = pictureOf(Math.max(1, Math.min(MOST_PEAKS, Math.ceil(duration * PEAKS_PER_SECOND))));
  const detailed = pictureOf(Math.max(1, Math.ceil(duration * DETAIL_PER_SECOND)));
  for (const file of files) await addPeaksOf(file, gaps, [whole, detailed]);
  const peaks = Array.from(whole.peaks, (peak) => Math.round(peak * 1000) / 1000);
  const bytes = Uint8Array.from(detailed.peaks, (peak) => Math.round(peak * 255));
  const detail: Detail = { detail: Buffer.from(bytes.buffer).toString("base64"), channels: files.length };
  return printJsonLine({ duration, peaks }) + printJsonLine(detail);
}

function stretchOf({ duration }: Peaks, { detail }: Detail, { start, end }: { start: number; end: number }): Peaks {
  const bytes = Buffer.from(detail, "base64");
  const from = Math.floor(start * DETAIL_PER_SECOND);
  const peaks = bytes.subarray(from, Math.ceil(end * DETAIL_PER_SECOND));
  return {
    duration,
    start: from / DETAIL_PER_SECOND,
    peaks_per_second: DETAIL_PER_SECOND,
    peaks: Array.from(peaks, (byte) => Math.round((byte / 255) * 1000) / 1000),
  };
}

/** @returns undefined for the whole recording */
function stretchIn({ start, end }: { start?: string; end?: string }): { start: number; end: number } | undefined {
  if (start === undefined && end === undefined) return undefined;
  if (start === undefined || end === undefined) {
    throw errors.invalidParameters(["start and end of a stretch must be given together"]);
  }
  const stretch = { start: Number(start), end: Number(end) };
  const length = stretch.end - stretch.start;
  if (length > 0 && length <= MOST_STRETCH_SECONDS) return stretch;
  throw errors.invalidParameters([`end must be after start, by at most ${MOST_STRETCH_SECONDS} s`]);
}

export function addPeaks(
  app: Api,
  context: Pick<ApiContext, "database" | "decoders" | "objects" | "settings" | "space" | "temporaryFolder">,
): void {
  const { objects, decoders, settings } = context;
  /** Computations in progress, by the key of their peaks: concurrent requests share one. */
  const underWay = new SharedWork();
  /** @returns undefined if there are none, or damaged ones: they are computed again; so are those of an earlier version, of several channels */
  const stored = async (
    key: string,
    { number_of_channels: channels }: JobFile,
    stretch: ReturnType<typeof stretchIn>,
  ): Promise<Peaks | undefined> => {
    if ((await objects.size(key)) === undefined) return undefined;
    const [peaks, detail] = parseJsonLines<Peaks & Partial<Detail>>(await text(await objects.read(key)));
    if (!peaks || !Array.isArray(peaks.peaks)) return undefined;
    if ((channels ?? 1) > 1 && detail?.channels === undefined) return undefined;
    if (!stretch) return peaks;
    // Earlier versions stored only the first line.
    return detail?.detail === undefined ? undefined : stretchOf(peaks, { detail: detail.detail }, stretch);
  };
  const make = async (
    file: JobFile,
    { key, track, tenant }: { key: string; track: number | undefined; tenant: string },
    gone: AbortSignal,
  ): Promise<void> => {
    const folder = await mkdtemp(path.join(context.temporaryFolder, "peaks-"));
    try {
      const outputs = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => path.join(folder, `${channel}.pcm`));
      const source = await objects.localPath(file.object_key);
      const bytes = (file.audio_duration ?? 0) * (file.number_of_channels ?? 1) * DECODED_BYTES_A_SECOND;
      const answer = await context.space.whileThereIsRoom(bytes, gone, (signal) =>
        decoders.decode(source, {
          tenant,
          outputs,
          filename: file.filename,
          ...(track === undefined ? {} : { track }),
          maximumSeconds: settings.maximumAudioSeconds,
          signal,
        }),
      );
      const channels = outputs.slice(0, answer.levels.length);
      await putForFile(context, file.id, key, await storedPeaks(channels, answer.durationSeconds, answer.gaps));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  app.get(
    "/v2/transcription/:id/peaks",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "How loud the recording is over time",
        description: "An extension of the interface, for pictures of the recording.",
        params: JobIdParams,
        querystring: PeaksQuery,
        response: { 200: PeaksBody, ...errorResponses(400, 401, 404, 503, 507) },
      },
    },
    async (request, reply) => {
      const stretch = stretchIn(request.query);
      const { file, request_params } = await findOwnJob(request, context, undefined);
      if (!file || (await objects.size(file.object_key)) === undefined) throw errors.notFound("Audio of this job");
      const track = parseJobParameters(request_params).audio_track;
      const key = peaksKey(file.id, track);
      let peaks = await stored(key, file, stretch);
      if (!peaks) {
        const tenant = request.account.id;
        if (!underWay.has(key)) {
          await context.space.check();
          decoders.checkRoom(tenant);
        }
        await underWay.run(key, clientGone(reply), (gone) => make(file, { key, track, tenant }, gone));
        peaks = await stored(key, file, stretch);
      }
      if (!peaks) throw errors.notFound("Peaks of this job");
      return reply.send(peaks);
    },
  );
}
