// The headers of uploads that resume (tus 1.0.0). Faults are errors that name the header and its rule.
import type { IncomingHttpHeaders } from "node:http";
import { TUS_VERSION } from "../../contract/tus.ts";
import { MOST_UPLOAD_METADATA_CHARACTERS } from "../../contract/upload.ts";
import { errors } from "../../platform/errors.ts";
import { beginningOf } from "../../platform/storable.ts";
import type { UploadRow } from "../../platform/storage/db/files/uploads.ts";
import { safeFilename } from "../../service/jobs/stages/fetch.ts";
import { beyondLength, type Checksum } from "../../service/uploads/resumable-uploads.ts";

/** Digest lengths of the algorithms in bytes. */
const DIGESTS: Readonly<Record<string, number>> = { sha1: 20, sha256: 32 };
export const TUS_CHECKSUMS = Object.keys(DIGESTS).join(",");

/** At most Number.MAX_SAFE_INTEGER. */
const BYTES = /^\d{1,15}$/;
const MOST_SHOWN_CHARACTERS = 20;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Names under which clients send the name of the file. */
const NAMES = ["filename", "name"];

const textOf = (headers: IncomingHttpHeaders, name: string) => {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(",") : value;
};

/** @throws upload.wrong_version */
export function checkTusVersion(headers: IncomingHttpHeaders): void {
  const given = textOf(headers, "Tus-Resumable");
  if (given !== TUS_VERSION) throw errors.wrongTusVersion(given && beginningOf(given, MOST_SHOWN_CHARACTERS));
}

type BytesHeader = "Upload-Length" | "Upload-Offset";

/** @throws request.header unless it is a number of bytes */
export function bytesHeader(headers: IncomingHttpHeaders, name: BytesHeader): number {
  const bytes = optionalBytesHeader(headers, name);
  if (bytes === undefined) throw errors.headerMalformed(name, "is required");
  return bytes;
}

/** @throws request.header for anything but a number of bytes */
export function optionalBytesHeader(headers: IncomingHttpHeaders, name: BytesHeader): number | undefined {
  const given = textOf(headers, name);
  if (given === undefined) return undefined;
  if (!BYTES.test(given)) throw errors.headerMalformed(name, "must be a whole number of bytes");
  return Number(given);
}

/** @throws request.header for what this service does not support, although a client might rely on it */
export function refuseUnsupported(headers: IncomingHttpHeaders): void {
  if (textOf(headers, "Upload-Concat") !== undefined)
    throw errors.headerMalformed("Upload-Concat", "is not supported: send the file as one upload");
}

/**
 * @param mostBytes  of a file: the length where a later request decides it
 * @returns the length of a new upload @throws request.header, file.empty, file.too_large
 */
export function announcedLength(
  headers: IncomingHttpHeaders,
  mostBytes: number,
): { length: number; isLengthDeferred: boolean } {
  const deferral = textOf(headers, "Upload-Defer-Length");
  if (deferral === undefined) {
    const length = bytesHeader(headers, "Upload-Length");
    if (length === 0) throw errors.emptyFile();
    if (length > mostBytes) throw errors.fileTooLarge(mostBytes);
    return { length, isLengthDeferred: false };
  }
  if (deferral.trim() !== "1") throw errors.headerMalformed("Upload-Defer-Length", "must be 1");
  if (textOf(headers, "Upload-Length") !== undefined)
    throw errors.headerMalformed("Upload-Defer-Length", "must not stand beside Upload-Length");
  return { length: mostBytes, isLengthDeferred: true };
}

export interface UploadMetadata {
  /** As it was sent. */
  text: string;
  filename: string;
}

/** @throws request.header for pairs that cannot be read */
export function metadataOf(headers: IncomingHttpHeaders): UploadMetadata {
  const name = "Upload-Metadata";
  const text = textOf(headers, name)?.trim() ?? "";
  if (text.length > MOST_UPLOAD_METADATA_CHARACTERS)
    throw errors.headerMalformed(name, `must not be longer than ${MOST_UPLOAD_METADATA_CHARACTERS} characters`);
  const values = new Map<string, string>();
  for (const pair of text === "" ? [] : text.split(",")) {
    const [key = "", value = "", ...others] = pair.trim().split(" ");
    const shown = JSON.stringify(beginningOf(key, MOST_SHOWN_CHARACTERS));
    // Header values are bytes; Node decodes them as Latin-1.
    if (!/^[!-~]+$/.test(key)) throw errors.headerMalformed(name, `has a pair with the key ${shown}: keys are ASCII`);
    if (others.length > 0 || !BASE64.test(value))
      throw errors.headerMalformed(name, `has a value of ${shown} that is not base64`);
    if (values.has(key)) throw errors.headerMalformed(name, `has ${shown} more than once`);
    values.set(key, Buffer.from(value, "base64").toString("utf8"));
  }
  const given = NAMES.map((one) => values.get(one)).find((one) => one !== undefined && one !== "");
  return { text, filename: safeFilename(given ?? "") };
}

/** @throws request.header */
export function checksumOf(headers: IncomingHttpHeaders): Checksum | undefined {
  const name = "Upload-Checksum";
  const given = textOf(headers, name);
  if (given === undefined) return undefined;
  const [algorithm = "", value = "", ...others] = given.trim().split(" ");
  const bytes = Object.hasOwn(DIGESTS, algorithm) ? DIGESTS[algorithm] : undefined;
  const digest = Buffer.from(value, "base64");
  if (bytes === undefined || others.length > 0 || !BASE64.test(value) || digest.length !== bytes)
    throw errors.headerMalformed(name, `must be one of ${TUS_CHECKSUMS}, a space, and the checksum in base64`);
  return { algorithm, digest };
}

/** @throws upload.beyond_length, file.too_large before the first byte is read */
export function checkBodyLength(
  headers: IncomingHttpHeaders,
  upload: Pick<UploadRow, "length" | "is_length_deferred">,
  offset: number,
): void {
  if (Number(headers["content-length"] ?? 0) <= Math.max(0, upload.length - offset)) return;
  throw beyondLength(upload);
}
