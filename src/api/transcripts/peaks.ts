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
import { fileWithAudio, type JobFile } from "../../platform/storage/db/jobs/job-files.ts";
import { parseJsonLines, printJsonLine } from "../../platform/storage/json-lines.ts";
import { peaksKey } from "../../platform/storage/objects/keys.ts";
import { putForFile } from "../../service/jobs/file-objects.ts";
import type { Gap } from "../../speech/audio/decode/gaps.ts";
import { DECODED_BYTES_A_SECOND, MAXIMUM_CHANNELS } from "../../speech/audio/decode/message.ts";
import { addPeaksOf, pictureOf } from "../../speech/audio/peaks.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const PEAKS_PER_SECOND = 20;
const MOST_PEAKS = 6_000;
/** Resolution of the peaks of a stretch: edges of speech are seen to about 25 ms. */
const DETAIL_PER_SECOND = 40;
const MOST_STRETCH_SECONDS = MOST_PEAKS / DETAIL_PER_SECOND;

/** Stored form of the peaks of stretches: a byte for each peak. */
interface Detail {
  detail: string;
  /** How many channels the peaks are of. Missing in those of earlier versions, which have the first one only. */
  channels?: number;
}

/** @throws work.aborted when every client that waits has left */
async function* chunksOf(file: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(file, { highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
    if (signal.aborted) throw errors.aborted();
    yield chunk;
  }
}

/**
 * The lines that are stored: peaks of the whole recording, and those of which stretches are answered.
 * @param files  of the channels
 * @throws work.aborted
 */
async function storedPeaks(
  files: readonly string[],
  duration: number,
  gaps: readonly Gap[],
  signal: AbortSignal,
): Promise<string> {
  const whole = pictureOf(duration, Math.max(1, Math.min(MOST_PEAKS, Math.ceil(duration * PEAKS_PER_SECOND))));
  const detailed = pictureOf(duration, Math.max(1, Math.ceil(duration * DETAIL_PER_SECOND)));
  for (const file of files) await addPeaksOf(chunksOf(file, signal), gaps, [whole, detailed]);
  const peaks = Array.from(whole.peaks, (peak) => Math.round(peak * 1000) / 1000);
  const bytes = Buffer.alloc(detailed.peaks.length);
  for (let part = 0; part < bytes.length; part++) bytes[part] = Math.round((detailed.peaks[part] as number) * 255);
  const detail: Detail = { detail: bytes.toString("base64"), channels: files.length };
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
      const bytes = (file.audio_duration ?? 0) * (file.number_of_channels ?? 1) * DECODED_BYTES_A_SECOND;
      const options = {
        ...{ tenant, outputs, filename: file.filename, maximumSeconds: settings.maximumAudioSeconds },
        ...(track === undefined ? {} : { track }),
      };
      const answer = await objects.whileCopied(file.object_key, (source) =>
        context.space.whileThereIsRoom(bytes, gone, (signal) => decoders.decode(source, { ...options, signal })),
      );
      const channels = outputs.slice(0, answer.levels.length);
      const peaks = await storedPeaks(channels, answer.durationSeconds, answer.gaps, gone);
      await putForFile(context, file.id, key, peaks);
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
      const row = await findOwnJob(request, context, undefined);
      const file = fileWithAudio(row);
      if (!file || (await objects.size(file.object_key)) === undefined) throw errors.notFound("Audio of this job");
      const track = parseJobParameters(row.request_params).audio_track;
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
