// Provides the recording as a local file: an uploaded file, or a copy fetched from its address.
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable } from "node:stream";
import { FetchAddress } from "../../../platform/addresses/fetch-address.ts";
import { parseUrl } from "../../../platform/addresses/web-url.ts";
import { errors } from "../../../platform/errors.ts";
import { dispositionFilename } from "../../../platform/net/content-disposition.ts";
import { type FailedAttempt, fetchWithRetries, type RetryBounds } from "../../../platform/net/retried-fetch.ts";
import type { FetchedBody } from "../../../platform/net/safe-fetch.ts";
import { beginningOf, storableText } from "../../../platform/storable.ts";
import { addSeconds, databaseTime } from "../../../platform/storage/db/database-time.ts";
import { findFile, type NewFile, saveFile } from "../../../platform/storage/db/files/files.ts";
import { lockHeldJob, setFetchState } from "../../../platform/storage/db/jobs/held-jobs.ts";
import { inTransaction } from "../../../platform/storage/db/transaction.ts";
import { streamToFile } from "../../../platform/storage/disk/stream-to-file.ts";
import { attemptsWithObjects, fetchedKey } from "../../../platform/storage/objects/keys.ts";
import { mustWait, whenPossible } from "../../../platform/storage/when-possible.ts";
import { keepWhenPossible } from "./keep.ts";
import type { JobLimits, Stage, StageContext, StageOutputs } from "./stage.ts";

type FetchOutput = NonNullable<StageOutputs["fetch"]>;

const MOST_NAME_CHARACTERS = 200;

/** Makes a file name from a client or host safe for the file system and the database. */
export function safeFilename(given: string): string {
  const name = beginningOf(storableText(given.replace(/[\p{Cc}/\\]/gu, "")), MOST_NAME_CHARACTERS);
  return /^\.*$/.test(name) ? "audio" : name;
}

/** A name for a fetched file: the last part of its address. */
function filenameOf(url: URL): string {
  const last = path.posix.basename(url.pathname);
  try {
    return safeFilename(decodeURIComponent(last));
  } catch {
    // Not valid percent-encoding: the name is used as it is.
    return safeFilename(last);
  }
}

export const retryBounds = ({
  fetchAttempts,
  fetchRetrySeconds,
}: Pick<JobLimits, "fetchAttempts" | "fetchRetrySeconds">): RetryBounds => ({
  most: fetchAttempts,
  spanSeconds: fetchRetrySeconds,
});

/** @throws file.too_large */
async function* counted(body: Readable, limitBytes: number, onBytes: (total: number) => void): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of body) {
    total += (chunk as Buffer).length;
    if (total > limitBytes) throw errors.fileTooLarge(limitBytes);
    onBytes(total);
    yield chunk as Buffer;
  }
}

/** A name for a fetched file: the one stated by its host, otherwise the last part of an address with an extension. */
export function nameOfFetched(
  { url, contentDisposition }: Pick<FetchedBody, "url" | "contentDisposition">,
  address: string,
): string {
  const stated = dispositionFilename(contentDisposition);
  // Some hosts state a path.
  if (stated !== undefined) return safeFilename(stated.split(/[/\\]/).at(-1) ?? "");
  const requested = parseUrl(address);
  const names = [url, ...(requested ? [requested] : [])].map(filenameOf);
  return names.find((name) => path.extname(name) !== "") ?? (names[0] as string);
}

/**
 * Stores the row of a fetched file if this attempt still holds the job. Otherwise, and after an error that does not pass, the file is
 * removed. While the database is unavailable, the file waits: its address may answer once only.
 * @param key     of the fetched file
 * @param rowFor  makes its row
 * @returns the row
 */
export async function storeFetched<Row extends NewFile>(
  { job, services, signal, requireHeld }: Pick<StageContext, "job" | "services" | "signal" | "requireHeld">,
  key: string,
  rowFor: () => Promise<Row>,
): Promise<Row> {
  const { database, objects, logger } = services;
  let made: Row | undefined;
  const store = async (): Promise<Row> => {
    made ??= await rowFor();
    const row = made;
    const isSaved = await inTransaction(database, async (transaction) => {
      if (!(await lockHeldJob(transaction, job.hold))) return false;
      await saveFile(transaction, row);
      return true;
    });
    requireHeld(isSaved);
    return row;
  };
  const row = await whenPossible(store, signal, (error) =>
    logger.error({ err: error, job: job.id }, "a fetched recording cannot be stored yet; retrying"),
  ).catch(async (error: unknown) => {
    // After a passing error, a row may name the file. The next attempt removes it.
    if (!mustWait(error)) await objects.remove(key);
    throw error;
  });
  // An attempt that was killed left its copy.
  for (const earlier of attemptsWithObjects(job.hold.attempt - 1)) await objects.remove(fetchedKey(job.id, earlier));
  return row;
}

async function fetchRemote(address: FetchAddress, context: StageContext): Promise<FetchOutput> {
  const { job, services, signal, progress, requireHeld } = context;
  const { objects, space, limits, decoders, database, allowPrivateAddresses } = services;
  // The file has the job's id, so that fetching again after a kill replaces it; the object is of this attempt alone.
  const fileId = job.id;
  const key = fetchedKey(job.id, job.hold.attempt);
  const options = {
    tenant: job.accountId,
    allowPrivateAddresses,
    timeoutMilliseconds: limits.fetchTimeoutSeconds * 1000,
    minimumBytesPerSecond: limits.fetchMinimumRate,
    signal,
    retries: retryBounds(limits),
    onFailed: async ({ attempts, failure, pauseMilliseconds }: FailedAttempt) => {
      const nextAttemptAt = addSeconds(databaseTime(database), pauseMilliseconds / 1000).toISOString();
      requireHeld(await setFetchState(database, job.hold, { attempts, failure, nextAttemptAt }));
    },
    onAttempt: async (attempts: number) => requireHeld(await setFetchState(database, job.hold, { attempts })),
  };
  // The store receives the recording when it is complete: an outage of the store must not fetch the recording again.
  const local = await objects.localPath(key);
  // A part of a recording never has the name of the whole.
  const unfinished = `${local}.${process.pid}.part`;
  const { size, filename } = await fetchWithRetries(address, options, async (fetched) => {
    const expected = fetched.contentLength;
    if ((expected ?? 0) > limits.maximumFileBytes) {
      fetched.body.destroy();
      throw errors.fileTooLarge(limits.maximumFileBytes);
    }
    let size = 0;
    const content = counted(fetched.body, limits.maximumFileBytes, (bytes) => {
      size = bytes;
      if (expected) progress(Math.min(1, bytes / expected));
    });
    await streamToFile(unfinished, space.guarded(content, "begun"));
    await rename(unfinished, local);
    return { size, filename: nameOfFetched(fetched, address.shown) };
  }).catch(async (error: unknown) => {
    await rm(unfinished, { force: true });
    throw error;
  });
  await keepWhenPossible(context, key);
  const file = await storeFetched(context, key, async () => {
    const options = { tenant: job.accountId, maximumSeconds: limits.maximumAudioSeconds, filename, signal };
    const media = await objects.whileCopied(key, (file) => decoders.probe(file, options));
    return {
      id: fileId,
      account_id: job.accountId,
      filename,
      source: address.shown,
      extension: media.extension,
      size,
      audio_duration: media.durationSeconds,
      number_of_channels: media.channels,
      object_key: key,
      created_at: databaseTime(database),
    };
  });
  return {
    ...{ fileId, objectKey: key, filename },
    durationSeconds: file.audio_duration,
    channels: file.number_of_channels,
  };
}

export const fetchStage: Stage<"fetch"> = {
  name: "fetch",
  cost: () => ({ kind: "fetch", secondsPerAudioSecond: 0.001, seconds: 0.1 }),
  async run(context) {
    const { job, services } = context;
    if (job.fileId) {
      const file = await findFile(services.database, job.fileId);
      if (!file) throw errors.unknownFile();
      const { id, object_key, audio_duration, number_of_channels, filename } = file;
      return {
        fileId: id,
        objectKey: object_key,
        filename,
        ...(audio_duration === null ? {} : { durationSeconds: audio_duration }),
        ...(number_of_channels === null ? {} : { channels: number_of_channels }),
      };
    }
    return fetchRemote(job.audioUrl ?? FetchAddress.of(""), context);
  },
};
