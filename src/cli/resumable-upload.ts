// Sends a large file to a service as an upload that resumes: a cut connection and a restart of the service cost the bytes under way only.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { type UploadRequest, uploadResumably } from "../contract/client/resumable-upload.ts";
import { TUS_VERSION } from "../contract/tus.ts";
import { errors, ParlanceError } from "../platform/errors.ts";
import { exchange, type ServiceAddress, throwRefusal } from "../platform/net/service-request.ts";
import { sleep } from "../platform/process/sleep.ts";
import { UnfinishedUpload } from "./unfinished-uploads.ts";

interface Range {
  start: number;
  end: number;
}

/** Older services do not have the operation. */
const [NOT_FOUND, NOT_ALLOWED] = [404, 405];

interface SentFile {
  file: string;
  name: string;
  size: number;
  /** Time of the last change, milliseconds. */
  modified: number;
}

/** @throws file.changed: what was read belongs to several states of the file; the error of the file system */
async function refuseChanged({ file, size, modified }: SentFile): Promise<void> {
  const found = await stat(file);
  if (found.size !== size || found.mtimeMs !== modified) throw errors.fileChanged(file);
}

interface PieceEvents {
  onSent(bytes: number): void;
  /** Receives an error of the file, but none of the connection, which `yield` throws. */
  onFailed(error: unknown): void;
}

/** Yields the last bytes after a last check of the file, so that the service never completes a mixture of two files. */
async function* counted(sent: SentFile, { start, end }: Range, events: PieceEvents): AsyncGenerator<Buffer> {
  const fail = (error: unknown) => {
    events.onFailed(error);
    throw error;
  };
  let bytes = 0;
  let last: Buffer = Buffer.alloc(0);
  await refuseChanged(sent).catch(fail);
  const stream = createReadStream(sent.file, { start, end: end - 1 });
  const chunks = (stream as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const read = () => chunks.next().catch(fail);
  try {
    for (let next = await read(); !next.done; next = await read()) {
      if (last.length > 0) {
        yield last;
        bytes += last.length;
        events.onSent(bytes);
      }
      last = next.value;
    }
    await refuseChanged(sent).catch(fail);
    yield last;
    events.onSent(bytes + last.length);
  } finally {
    stream.destroy();
  }
}

/** Statuses with which the service refuses the file itself: another run would have the same result. */
const REFUSED_FILE = new Set([400, 413, 415, 422]);

const OF_PROTOCOL = { "tus-resumable": TUS_VERSION };

/** Deletes what the service has of an upload. */
const drop = (service: ServiceAddress, path: string) =>
  exchange(service, { method: "DELETE", path, headers: OF_PROTOCOL }).catch(() => undefined);

/**
 * Continues the upload of an earlier run that was cut off or killed, if the file has not changed since.
 * @returns address of the uploaded file; undefined if the service has no uploads that resume
 * @throws service.unreachable, service.refused, service.redirects, file.changed, the error of the file system
 */
export async function sendResumably(
  service: ServiceAddress,
  sent: SentFile,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { file, name, size, modified } = sent;
  const unfinished = new UnfinishedUpload(service.base, { file, size, modified });
  const found = await unfinished.find();
  let path = found.kind === "continue" ? found.path : undefined;
  if (found.kind === "stale") {
    await drop(service, found.path);
    await unfinished.forget();
  }
  // The record of another run that sends the same file is kept.
  const isKept = found.kind !== "busy";
  // The record names this process, which sends the upload from now on.
  if (path !== undefined) await unfinished.keep(path);
  /** Aborted with an error that a repetition cannot mend, such as one of the file. */
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const onFailed = (error: unknown) => failed.abort(error);
  const send = async ({ method, path, headers, body, onSent = () => undefined }: UploadRequest<Range>) => {
    const content = body && {
      headers: { ...headers, "content-length": String(body.end - body.start) },
      body: Readable.from(counted(sent, body, { onSent, onFailed }), { objectMode: false }),
    };
    const answer = await exchange(service, { method, path, headers, ...content, signal: either }).catch((error) => {
      if (error instanceof ParlanceError && error.code === "service.redirects") onFailed(error);
      throw error;
    });
    return {
      status: answer.status,
      header: (name: string) => answer.headers[name] as string | undefined,
      json: answer.json,
    };
  };
  const transport = {
    send,
    pause: (milliseconds: number) => sleep(milliseconds, either),
    now: () => performance.now(),
    signal: either,
  };
  const events = {
    onProgress,
    onPath: (begun: string) => {
      path = begun;
      return isKept ? unfinished.keep(begun) : undefined;
    },
  };
  const source = { name, size, slice: (start: number, end: number) => ({ start, end }) };
  try {
    const outcome = await uploadResumably(source, transport, events, path);
    if (isKept && ("upload" in outcome || REFUSED_FILE.has(outcome.refusal.status))) await unfinished.forget();
    if ("upload" in outcome) return outcome.upload.audio_url;
    const { status, json } = outcome.refusal;
    if (path === undefined && (status === NOT_FOUND || status === NOT_ALLOWED)) return undefined;
    throwRefusal(service.base, status, json);
  } catch (thrown) {
    // A later run cannot continue an upload of a file that has changed.
    const isChanged = thrown instanceof ParlanceError && thrown.code === "file.changed";
    if ((signal.aborted || isChanged) && path !== undefined) {
      if (isKept) await unfinished.forget();
      await drop(service, path);
    }
    throw thrown;
  }
}
