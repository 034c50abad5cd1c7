// The body of a request of Deepgram's interface: the bytes of a recording, raw samples, or the address of a recording.
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import type { ApiContext } from "../context.ts";
import { asWave, type RawFormat } from "../requests/raw-audio.ts";
import { RawSamplesWatch } from "../requests/raw-samples-watch.ts";
import { type FetchContext, fetchRecording } from "../upload/fetch-recording.ts";
import type { Received } from "../upload/stored-file.ts";
import { bodyObject } from "../validation/body-object.ts";
import { UnknownFields } from "../validation/unknown-fields.ts";

export interface ReceivedAudio extends Received {
  /** Of the received bytes, in hexadecimal. */
  sha256: string;
  /** Raw samples that are probably in another format than the declared one. */
  formatWarning?: string | undefined;
}

const isAddress = ({ headers }: FastifyRequest) => /^\s*application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");

/** @throws request.invalid */
function addressIn(body: unknown): string {
  const { url, ...others } = bodyObject(body);
  const unknown = new UnknownFields();
  for (const [name, value] of Object.entries(others)) unknown.note([], name, value, ["url"]);
  const problems = unknown.sentences("is not a field of this request");
  if (typeof url !== "string") problems.unshift("url is required: send the address of the recording, or its bytes");
  if (problems.length > 0) throw errors.invalidParameters(problems);
  return url as string;
}

/**
 * Stores the recording under `key`.
 * @throws request.invalid, file.too_large, what an address cannot be fetched for; nothing is stored then
 */
export async function receiveAudio(
  request: FastifyRequest,
  key: string,
  raw: RawFormat | undefined,
  gone: AbortSignal,
  context: FetchContext & Pick<ApiContext, "objects">,
): Promise<ReceivedAudio> {
  const { objects, settings, space } = context;
  const limitBytes = limitsOf(request.account, settings).uploadBytes;
  let hash = createHash("sha256");
  async function* hashed(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    hash = createHash("sha256");
    for await (const chunk of body) {
      hash.update(chunk);
      yield chunk;
    }
  }
  let watch: RawSamplesWatch | undefined;
  const through = (body: Readable) => {
    if (!raw) return hashed(body);
    const samples = new RawSamplesWatch(raw);
    watch = samples;
    return asWave(hashed(body), raw, { onSamples: (bytes) => samples.push(bytes) });
  };
  try {
    if (isAddress(request)) {
      const address = { given: addressIn(request.body), name: "url", key, limitBytes, through };
      const fetched = await fetchRecording(request, address, gone, context);
      return { ...fetched, sha256: hash.digest("hex"), formatWarning: watch?.warning };
    }
    const body = request.body as Readable | undefined;
    const size = body ? await objects.write(key, space.guarded(through(body), "new"), limitBytes) : 0;
    if (size === 0)
      throw errors.invalidParameters(["body is empty: send the bytes of a recording, or JSON with its url"]);
    return { size, filename: "audio", sha256: hash.digest("hex"), formatWarning: watch?.warning };
  } catch (error) {
    await objects.remove(key);
    throw error;
  }
}
