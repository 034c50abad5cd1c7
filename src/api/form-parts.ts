// The parts of a multipart form, the same for every route that takes one: texts are checked, file names are cleaned, and what is wrong
// with the form itself is reported as the client's error.
import { PassThrough, type Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { errors, type ParlanceError } from "../platform/errors.ts";
import { storableText, textFault } from "../platform/storable.ts";

export type FormPart =
  | { kind: "field"; name: string; value: string }
  | {
      kind: "file";
      name: string;
      filename: string;
      /** The part has no file name: perhaps it was meant to be a file and is the text of its path. */
      isUnnamed: boolean;
      content: Readable;
    };

/** Names under which clients send the recording: such a part is a file even without a file name. */
const FILE_PARTS = new Set(["audio", "audio_file", "file"]);

/** A vocabulary of 5,000 keywords, and the other fields. */
const MOST_FIELDS = 5_100;
/** More than one file is reported with the name of the field that must be sent once. */
const MOST_FILES = 10;
/** The longest field of a form is a prompt. */
const MOST_FIELD_BYTES = 100_000;
/** Length of all fields together: as much as a JSON body may have. */
const MOST_FIELDS_BYTES = 1_048_576;

/** Settings of the multipart plugin. */
export const FORM_OPTIONS = {
  limits: {
    files: MOST_FILES,
    fileSize: Number.POSITIVE_INFINITY,
    fieldSize: MOST_FIELD_BYTES,
    fields: MOST_FIELDS,
    parts: MOST_FIELDS + MOST_FILES,
  },
  isPartAFile: (name: string | undefined, _type: string | undefined, filename: string | undefined) =>
    filename !== undefined || FILE_PARTS.has(name ?? ""),
};

/** Fields of a route that may be longer than others, such as sounds in text. */
export interface LargeFields {
  isLarge(name: string): boolean;
  /** Of each of them. */
  bytes: number;
  /** Of them in one form. */
  count: number;
}

function badForm(thrown: unknown): ParlanceError {
  const { message, code } = thrown as { message?: string; code?: string };
  switch (code) {
    case "FST_PARTS_LIMIT":
    case "FST_FIELDS_LIMIT":
      return errors.formTooLarge(`it has more than ${MOST_FIELDS} fields`);
    case "FST_FILES_LIMIT":
      return errors.formTooLarge(`it has more than ${MOST_FILES} files`);
    case "FST_PROTO_VIOLATION":
      return errors.malformedBody("a field of its form has the name of a property that every object has", thrown);
    case "FST_INVALID_JSON_FIELD_ERROR":
      return errors.malformedBody("a field of its form is not the JSON that its content type declares", thrown);
    default:
      return errors.malformedBody(
        `its multipart form is damaged or ends too early (${message ?? "no reason"})`,
        thrown,
      );
  }
}

/**
 * Reads a form part by part. A file must be read, or resumed, before the next part comes.
 * @throws request.invalid for a field that cannot be stored; request.malformed for a form that cannot be read; request.too_large
 */
export async function* formParts(request: FastifyRequest, large?: LargeFields): AsyncGenerator<FormPart> {
  const parts = request.parts(large ? { limits: { ...FORM_OPTIONS.limits, fieldSize: large.bytes } } : undefined);
  let fieldBytes = 0;
  let largeFields = 0;
  for (;;) {
    const next = await parts.next().catch((thrown: unknown) => {
      throw badForm(thrown);
    });
    if (next.done) return;
    const part = next.value;
    const name = storableText(part.fieldname ?? "");
    if (part.type === "file") {
      const filename = storableText(part.filename || "audio");
      yield { kind: "file", name, filename, isUnnamed: part.filename === undefined, content: wholeOnly(part.file) };
      continue;
    }
    // A field with a JSON content type arrives parsed.
    if (typeof part.value === "object") throw errors.invalidParameters([`${name} must be a text field`]);
    const value = String(part.value);
    const isLarge = large?.isLarge(name) ?? false;
    const most = isLarge && large ? large.bytes : MOST_FIELD_BYTES;
    const bytes = Buffer.byteLength(value);
    if (part.valueTruncated || bytes > most) {
      throw errors.invalidParameters([`${name} must not be longer than ${most} bytes`]);
    }
    if (isLarge && large && ++largeFields > large.count) {
      throw errors.invalidParameters([`${name} must not have more than ${large.count} values`]);
    }
    if (!isLarge) fieldBytes += bytes;
    if (fieldBytes > MOST_FIELDS_BYTES) {
      throw errors.formTooLarge(`its fields have more than ${MOST_FIELDS_BYTES} bytes together`);
    }
    const fault = textFault(value);
    if (fault) throw errors.invalidParameters([`${name} ${fault}`]);
    yield { kind: "field", name, value };
  }
}

/**
 * A file of the form as a stream that ends with an error where the form breaks off. The parser closes its own stream then without an
 * error, perhaps before anything reads it, and a reader would wait forever.
 */
function wholeOnly(file: Readable): Readable {
  const whole = new PassThrough();
  // The reader gets the error; a file that is skipped has no reader.
  whole.on("error", () => undefined);
  const breakOff = (thrown: unknown) => whole.destroy(badForm(thrown));
  if (file.destroyed) breakOff({ message: "its end is missing" });
  file.once("error", breakOff);
  file.once("close", () => {
    if (!file.readableEnded) breakOff({ message: "its end is missing" });
  });
  whole.once("close", () => {
    if (!file.readableEnded) file.destroy();
  });
  return file.pipe(whole);
}
