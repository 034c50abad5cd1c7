// Sends a large file to a service as an upload that resumes: a cut connection and a restart of the service cost the bytes under way only.
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { type UploadRequest, uploadResumably } from "../contract/client/resumable-upload.ts";
import { TUS_VERSION } from "../contract/tus.ts";
import { exchange, type ServiceAddress, throwRefusal } from "../platform/net/service-request.ts";
import { sleep } from "../platform/process/sleep.ts";
import { UnfinishedUpload } from "./unfinished-uploads.ts";

interface Range {
  start: number;
  end: number;
}

/** Older services do not have the operation. */
const [NOT_FOUND, NOT_ALLOWED] = [404, 405];

async function* counted(file: string, { start, end }: Range, onSent: (bytes: number) => void): AsyncGenerator<Buffer> {
  let sent = 0;
  for await (const chunk of createReadStream(file, { start, end: end - 1 }) as AsyncIterable<Buffer>) {
    yield chunk;
    sent += chunk.length;
    onSent(sent);
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
 * @returns address of the uploaded file; undefined if the service has no uploads that resume @throws service.unreachable, service.refused
 */
export async function sendResumably(
  service: ServiceAddress,
  { file, name, size, modified }: { file: string; name: string; size: number; modified: number },
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
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
  const send = async ({ method, path, headers, body, onSent = () => undefined }: UploadRequest<Range>) => {
    const content = body && {
      headers: { ...headers, "content-length": String(body.end - body.start) },
      body: Readable.from(counted(file, body, onSent), { objectMode: false }),
    };
    const answer = await exchange(service, { method, path, headers, ...content, signal });
    return {
      status: answer.status,
      header: (name: string) => answer.headers[name] as string | undefined,
      json: answer.json,
    };
  };
  const transport = {
    send,
    pause: (milliseconds: number) => sleep(milliseconds, signal),
    now: () => performance.now(),
    signal,
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
    if (signal.aborted && path !== undefined) {
      if (isKept) await unfinished.forget();
      await drop(service, path);
    }
    throw thrown;
  }
}
