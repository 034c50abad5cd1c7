// Waveform peaks of a job's recording: computed at the first request, then stored.
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { type Peaks, PeaksBody } from "../../contract/transcripts.ts";
import { errors } from "../../platform/errors.ts";
import { SharedWork } from "../../platform/process/shared-work.ts";
import type { JobFile } from "../../platform/storage/db/jobs/job-files.ts";
import { parseJsonLines, printJsonLine } from "../../platform/storage/json-lines.ts";
import { peaksKey } from "../../platform/storage/objects/keys.ts";
import type { Gap } from "../../speech/audio/decode/gaps.ts";
import { DECODED_BYTES_A_SECOND, MAXIMUM_CHANNELS } from "../../speech/audio/decode/message.ts";
import { SAMPLE_RATE } from "../../speech/audio/sample-rate.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const PEAKS_PER_SECOND = 20;
const MOST_PEAKS = 6_000;
const FULL_SCALE = 32_768;

/**
 * @param file  16-bit samples
 * @param gaps  silences that it leaves out
 * @returns at most MOST_PEAKS values, 0 to 1
 */
async function peaksOf(file: string, seconds: number, gaps: readonly Gap[]): Promise<number[]> {
  const count = Math.max(1, Math.min(MOST_PEAKS, Math.ceil(seconds * PEAKS_PER_SECOND)));
  const samples = Math.max(1, Math.ceil((seconds * SAMPLE_RATE) / count));
  const peaks = new Array<number>(count).fill(0);
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
      const part = Math.min(count - 1, Math.floor(sample / samples));
      const loudness = Math.abs(chunk.readInt16LE(at)) / FULL_SCALE;
      if (loudness > (peaks[part] ?? 0)) peaks[part] = Math.round(loudness * 1000) / 1000;
    }
  }
  return peaks;
}

export function addPeaks(
  app: Api,
  context: Pick<ApiContext, "database" | "decoders" | "objects" | "settings" | "space" | "temporaryFolder">,
): void {
  const { objects, decoders, settings } = context;
  /** Computations in progress, by the key of their peaks: concurrent requests share one. */
  const underWay = new SharedWork();
  /** @returns undefined if there are none, or damaged ones: they are computed again */
  const stored = async (key: string): Promise<Peaks | undefined> => {
    if ((await objects.size(key)) === undefined) return undefined;
    const [peaks] = parseJsonLines<Peaks>(await text(await objects.read(key)));
    return peaks && Array.isArray(peaks.peaks) ? peaks : undefined;
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
          ...(track === undefined ? {} : { track }),
          maximumSeconds: settings.maximumAudioSeconds,
          signal,
        }),
      );
      const peaks = await peaksOf(outputs[0] as string, answer.durationSeconds, answer.gaps);
      await objects.put(key, printJsonLine({ duration: answer.durationSeconds, peaks }));
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
        response: { 200: PeaksBody, ...errorResponses(400, 401, 404, 503, 507) },
      },
    },
    async (request, reply) => {
      const { file, request_params } = await findOwnJob(request, context, undefined);
      if (!file || (await objects.size(file.object_key)) === undefined) throw errors.notFound("Audio of this job");
      const track = parseJobParameters(request_params).audio_track;
      const key = peaksKey(file.id, track);
      let peaks = await stored(key);
      if (!peaks) {
        const tenant = request.account.id;
        if (!underWay.has(key)) {
          await context.space.check();
          decoders.checkRoom(tenant);
        }
        await underWay.run(key, clientGone(reply), (gone) => make(file, { key, track, tenant }, gone));
        peaks = await stored(key);
      }
      if (!peaks) throw errors.notFound("Peaks of this job");
      return reply.send(peaks);
    },
  );
}
