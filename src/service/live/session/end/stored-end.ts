// Stores the recording and the result of an ended session, and completes its job; or the error of a failed one.

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { TranscriptionResult } from "../../../../contract/transcript/transcript.ts";
import { errors, ParlanceError } from "../../../../platform/errors.ts";
import { retry } from "../../../../platform/process/retry.ts";
import { inTurns } from "../../../../platform/process/steps.ts";
import { databaseTime } from "../../../../platform/storage/db/database-time.ts";
import { saveFile } from "../../../../platform/storage/db/files/files.ts";
import { forgetRemovals, planRemovals } from "../../../../platform/storage/db/files/object-removals.ts";
import { attachFile, type Ending, endJob, findJob } from "../../../../platform/storage/db/jobs/jobs.ts";
import { inTransaction } from "../../../../platform/storage/db/transaction.ts";
import { jsonPieces } from "../../../../platform/storage/json-pieces.ts";
import { liveKeys } from "../../../../platform/storage/objects/keys.ts";
import { whenPossible } from "../../../../platform/storage/when-possible.ts";
import { bytesPerFrame } from "../../../../speech/audio/stream-format.ts";
import { writeWavHeader } from "../../../../speech/audio/wav.ts";
import { failedEnding } from "../../../jobs/end-job.ts";
import type { RegistryServices } from "../registry-services.ts";
import type { EndedSession } from "../session-contract.ts";

/** Delay before the objects of an unfinished end are removed: longer than a process takes to store an end, stalls included. */
const REMOVAL_DELAY_SECONDS = 86_400;
/** Pause between attempts to read who owns a session. */
const CONFIRM_MILLISECONDS = 1_000;

/** Codes of failures whose message says what the operator can do, such as a model that is missing after a restart. */
const WITH_REASON = new Set<string>(["models.missing", "recognition.language_unavailable"]);

/** The error of a failed session, as clients read it. */
export const shownFailure = (error: unknown): ParlanceError =>
  error instanceof ParlanceError && WITH_REASON.has(error.code) ? error : errors.liveSessionFailed();

export class StoredEnds {
  /** @param stopping  aborted when the process stops: another one then ends the session */
  constructor(
    private readonly services: RegistryServices,
    private readonly stopping: AbortSignal,
  ) {}

  /** Called once everything is transcribed. @throws live.log_lost */
  async done(id: string, result: TranscriptionResult, session: EndedSession): Promise<void> {
    await this.requireOwnership(id);
    await this.untilStored(id, () => storeEnd(this.services, id, result, session));
  }

  /** @throws live.log_lost */
  async failed(id: string, error: ParlanceError): Promise<void> {
    await this.requireOwnership(id);
    const ending = failedEnding(error, databaseTime(this.services.database));
    await this.untilStored(id, () => endJob(this.services.database, id, ending, null));
  }

  /**
   * The database does not compare owners, and this process may have been stalled or cut off since it last wrote to the log.
   * @throws live.log_lost
   */
  private async requireOwnership(id: string): Promise<void> {
    const { logs, logger } = this.services;
    const isOwner = await retry(() => logs.confirm(id), {
      pauseAfter: () => CONFIRM_MILLISECONDS,
      signal: this.stopping,
      onFailed: (error) => logger.warn({ err: error, session: id }, "the owner of a live session is unknown; retrying"),
    });
    if (!isOwner) throw errors.logLost();
  }

  private untilStored(id: string, write: () => Promise<unknown>): Promise<unknown> {
    return whenPossible(write, this.stopping, (error) =>
      this.services.logger.error(
        { err: error, session: id },
        "the end of a live session cannot be stored yet; retrying",
      ),
    );
  }
}

/** @returns the SHA-256 of what was written, in hexadecimal digits */
async function writeHashed(
  objects: RegistryServices["objects"],
  key: string,
  pieces: AsyncIterable<string>,
): Promise<string> {
  const hash = createHash("sha256");
  const hashed = async function* () {
    for await (const piece of pieces) {
      const bytes = Buffer.from(piece);
      hash.update(bytes);
      yield bytes;
    }
  };
  await objects.write(key, Readable.from(hashed()));
  return hash.digest("hex");
}

/** May be called again after an error. */
async function storeEnd(
  services: RegistryServices,
  id: string,
  result: TranscriptionResult,
  session: EndedSession,
): Promise<void> {
  const { database, objects, logger, tracing } = services;
  const row = await findJob(database, id);
  // This process or another one has ended the session, or it was deleted.
  if (!row || row.status === "done" || row.status === "error") return;
  const keys = liveKeys(id, session.log.epoch);
  // A process that is killed before its end is stored leaves objects that no row names: the next owner has other keys.
  const removals = Object.values(keys).map((key) => ({ key, isFolder: false }));
  if (session.log.epoch !== undefined) await planRemovals(database, removals, REMOVAL_DELAY_SECONDS);
  const { format, headers } = session.stored;
  const sampleBytes = session.totalBytes - headers.within(session.totalBytes);
  const dataBytes = sampleBytes - (sampleBytes % bytesPerFrame(format));
  const body = headers.without(session.log.stream(0, headers.placeOf(dataBytes)));
  const size = await objects.write(
    keys.audio,
    Readable.from(
      (async function* wav() {
        yield writeWavHeader(format, dataBytes);
        yield* body;
      })(),
    ),
  );
  const { failure } = session;
  const outcome = failure
    ? { failure }
    : {
        resultKey: keys.result,
        resultHash: await writeHashed(
          objects,
          keys.result,
          jsonPieces({ ...result, messages: await inTurns(session.messages()) }),
        ),
      };
  const isKept = await inTransaction(database, async (transaction) => {
    const completedAt = databaseTime(database);
    const current = await attachFile(transaction, id, id);
    if (!current) return false;
    await saveFile(transaction, {
      id,
      account_id: current.account_id,
      filename: `${id}.wav`,
      source: null,
      extension: "wav",
      size,
      audio_duration: result.metadata.audio_duration,
      number_of_channels: format.channels,
      object_key: keys.audio,
      created_at: completedAt,
    });
    const ending: Ending = outcome.failure
      ? failedEnding(outcome.failure, completedAt)
      : { status: "done", completedAt, ...outcome };
    await endJob(transaction, id, ending, null);
    await forgetRemovals(transaction, removals);
    return true;
  });
  if (!isKept) {
    // While its end was being stored, the session was deleted, or another process ended it.
    await Promise.all(Object.values(keys).map((object) => objects.remove(object)));
    return;
  }
  const attributes = { "parlance.job": id, "parlance.audio_seconds": result.metadata.audio_duration };
  tracing.record("live session", row.started_at ?? row.created_at, databaseTime(database), {
    parent: row.trace_parent,
    attributes,
  });
  logger.info({ session: id, seconds: result.metadata.audio_duration }, "live session ended");
}
