// The recording's bytes, on our own disk: an uploaded file as it lies there, or a copy of what an address holds.
import path from "node:path";
import { Readable } from "node:stream";
import { errors, ParlanceError } from "../../errors.ts";
import { safeGet, translateBodyError } from "../../net/safe-fetch.ts";
import { findFile, saveFile } from "../../storage/db/files.ts";
import { audioKey } from "../../storage/objects/keys.ts";
import type { Stage, StageContext, StageOutputs } from "./stage.ts";

type FetchOutput = NonNullable<StageOutputs["fetch"]>;

/** A name for a fetched file: the last part of its address, harmless as a file name. */
export function filenameOf(url: URL): string {
  let last = path.posix.basename(url.pathname);
  try {
    last = decodeURIComponent(last);
  } catch {
    // A stray percent sign: the name stays as it is written.
  }
  const name = last.replace(/[\p{Cc}/\\]/gu, "").slice(0, 200);
  return name === "" ? "audio" : name;
}

async function* counted(body: Readable, onBytes: (total: number) => void): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of body) {
    total += (chunk as Buffer).length;
    onBytes(total);
    yield chunk as Buffer;
  }
}

async function fetchRemote(address: string, { job, services, signal, progress }: StageContext): Promise<FetchOutput> {
  const { objects, limits, decoders, database, allowPrivateAddresses } = services;
  // The copy's id is the job's, so that fetching again after a kill replaces it and leaves nothing behind.
  const fileId = job.id;
  const key = audioKey(fileId);
  const fetched = await safeGet(address, {
    allowPrivateAddresses,
    timeoutMilliseconds: limits.fetchTimeoutSeconds * 1000,
    signal,
  });
  if ((fetched.contentLength ?? 0) > limits.maximumFileBytes) {
    fetched.body.destroy();
    throw errors.fileTooLarge(limits.maximumFileBytes);
  }
  const expected = fetched.contentLength;
  const content = Readable.from(counted(fetched.body, (bytes) => expected && progress(Math.min(1, bytes / expected))));
  const size = await objects.write(key, content, limits.maximumFileBytes).catch((thrown: unknown) => {
    throw thrown instanceof ParlanceError ? thrown : translateBodyError(thrown);
  });
  try {
    const media = await decoders.probe(await objects.localPath(key));
    await saveFile(database, {
      id: fileId,
      account_id: job.accountId,
      filename: filenameOf(fetched.url),
      source: address,
      extension: media.extension,
      size,
      audio_duration: media.durationSeconds,
      number_of_channels: media.channels,
      object_key: key,
      created_at: new Date(),
    });
  } catch (error) {
    if (!(error instanceof ParlanceError && error.retryable)) await objects.remove(key);
    throw error;
  }
  return { fileId, objectKey: key };
}

export const fetchStage: Stage<"fetch"> = {
  name: "fetch",
  weight: 0.05,
  async run(context) {
    const { job, services } = context;
    if (job.fileId) {
      const file = await findFile(services.database, job.fileId);
      if (!file) throw errors.unknownFile();
      return { fileId: file.id, objectKey: file.object_key };
    }
    return fetchRemote(job.audioUrl ?? "", context);
  },
};
