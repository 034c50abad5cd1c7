// The form of whisper-asr-webservice: the recording as the part audio_file, a media file or raw samples.
import type { FastifyRequest } from "fastify";
import { errors } from "../../platform/errors.ts";
import { limitsOf } from "../../service/accounts/limits.ts";
import type { ApiContext } from "../context.ts";
import { type FormPart, formParts } from "../form-parts.ts";
import { FileOfForm, type StoredPart } from "../receive-file.ts";
import { asWave, type RawFormat } from "../requests/raw-audio.ts";
import { RawSamplesWatch } from "../requests/raw-samples-watch.ts";
import { ignoredFields } from "../requests/unknown-fields.ts";
import { shownPath } from "../validation/text.ts";

const FILE = "audio_file";

/** What that service decodes every recording to, and what its clients send with encode=false. */
const RAW: RawFormat = { encoding: "linear16", sampleRate: 16_000, channels: 1 };

function formatWarnings({ likelyName }: RawSamplesWatch): string[] {
  if (likelyName === undefined) return [];
  return [
    `the samples probably have another format: encode=false is for little-endian 16-bit samples of one channel at ${RAW.sampleRate} Hz, ` +
      `and they look like ${likelyName}; convert them, or send a media file without encode=false`,
  ];
}

export interface Storing {
  key: string;
  isRaw: boolean;
  /** Of raw samples; the others are not stored. */
  mostSeconds?: number;
}

/**
 * Stores the recording of a form.
 * @returns it, with a sentence for each unknown parameter and field, and one if raw samples look like another format
 * @throws request.invalid, request.content_type, file.too_large; nothing is stored then
 */
export async function storeRecording(
  request: FastifyRequest,
  { key, isRaw, mostSeconds }: Storing,
  context: Pick<ApiContext, "objects" | "settings" | "space">,
): Promise<StoredPart & { warnings: string[] }> {
  const { objects, settings } = context;
  if (!request.isMultipart()) {
    const given = request.headers["content-type"] ?? "";
    throw errors.wrongContentType(given, `multipart/form-data with the recording as the part named ${FILE}`);
  }
  const file = new FileOfForm(context, key, limitsOf(request.account, settings).uploadBytes);
  const problems: string[] = [];
  const watch = new RawSamplesWatch(RAW);
  const onSamples = (bytes: Buffer) => watch.push(bytes);
  const decodable = (part: FormPart & { kind: "file" }) =>
    isRaw
      ? {
          ...part,
          isUnnamed: false,
          content: asWave(part.content, RAW, { onSamples, ...(mostSeconds === undefined ? {} : { mostSeconds }) }),
        }
      : part;
  try {
    for await (const part of formParts(request)) {
      if (part.kind === "field") request.unknownFields.note([], part.name, part.value, [FILE]);
      else if (part.name === FILE) await file.take(decodable(part));
      else {
        part.content.resume();
        problems.push(`${shownPath([part.name])} must not be a file; send the recording as the part named ${FILE}`);
      }
    }
    const stored = file.result(FILE, problems);
    if (problems.length > 0 || !stored) throw errors.invalidParameters(problems);
    return { ...stored, warnings: [...ignoredFields(request), ...formatWarnings(watch)] };
  } catch (error) {
    await objects.remove(key);
    throw error;
  }
}
