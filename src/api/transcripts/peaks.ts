// How loud a job's recording is over time, for pictures of it: worked out when it is first asked for, then kept.
import { createReadStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Type } from "@sinclair/typebox";
import { DECODED_SAMPLE_RATE, MAXIMUM_CHANNELS } from "../../audio/decode/message.ts";
import { errors } from "../../errors.ts";
import { peaksKey } from "../../storage/objects/keys.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { errorResponses } from "../schemas/errors.ts";
import { JobIdParams } from "../schemas/job.ts";

const PEAKS_PER_SECOND = 20;
const MOST_PEAKS = 6_000;
const FULL_SCALE = 32_768;

const PeaksBody = Type.Object(
  {
    duration: Type.Number({ description: "Seconds" }),
    peaks: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { description: "Loudest sample of each part" }),
  },
  { title: "Peaks" },
);

/** @param file  16-bit samples @returns at most MOST_PEAKS values, 0 to 1 */
async function peaksOf(file: string, seconds: number): Promise<number[]> {
  const count = Math.max(1, Math.min(MOST_PEAKS, Math.ceil(seconds * PEAKS_PER_SECOND)));
  const samples = Math.max(1, Math.ceil((seconds * DECODED_SAMPLE_RATE) / count));
  const peaks = new Array<number>(count).fill(0);
  let sample = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
    for (let at = 0; at + 1 < chunk.length; at += 2, sample++) {
      const part = Math.min(count - 1, Math.floor(sample / samples));
      const loudness = Math.abs(chunk.readInt16LE(at)) / FULL_SCALE;
      if (loudness > (peaks[part] ?? 0)) peaks[part] = Math.round(loudness * 1000) / 1000;
    }
  }
  return peaks;
}

export function addPeaks(app: Api, context: ApiContext): void {
  const { objects, decoders, settings } = context;
  /** Of a recording that several ask for at once. */
  const underWay = new Map<string, Promise<void>>();
  const make = async (fileId: string, key: string): Promise<void> => {
    const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-peaks-"));
    try {
      const outputs = Array.from({ length: MAXIMUM_CHANNELS }, (_, channel) => path.join(folder, `${channel}.pcm`));
      const answer = await decoders.decode(await objects.localPath(key), {
        outputs,
        maximumSeconds: settings.maximumAudioSeconds,
      });
      const peaks = await peaksOf(outputs[0] as string, answer.durationSeconds);
      await objects.put(peaksKey(fileId), JSON.stringify({ duration: answer.durationSeconds, peaks }));
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
        response: { 200: PeaksBody, ...errorResponses(400, 401, 404) },
      },
    },
    async (request, reply) => {
      const { file } = await findOwnJob(request, context, undefined);
      if (!file || (await objects.size(file.object_key)) === undefined) throw errors.notFound("Audio of this job");
      const key = peaksKey(file.id);
      if ((await objects.size(key)) === undefined) {
        const making = underWay.get(key) ?? make(file.id, file.object_key).finally(() => underWay.delete(key));
        underWay.set(key, making);
        await making;
      }
      return reply.type("application/json; charset=utf-8").send((await objects.read(key)) as never);
    },
  );
}
