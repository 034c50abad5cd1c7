// Uploads that resume.
import { megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

export const uploadErrors = {
  /** @param given  the header Tus-Resumable */
  wrongTusVersion: (given: string | undefined) =>
    new ParlanceError(
      `This address speaks version 1.0.0 of the protocol tus; send the header Tus-Resumable: 1.0.0${given === undefined ? ". It is missing" : ` instead of ${given}`}`,
      { code: "upload.wrong_version", status: 412 },
    ),
  wrongOffset: (given: number, stored: number) =>
    new ParlanceError(
      `Upload-Offset is ${given}, but ${stored} bytes are stored. Ask for the offset with HEAD, and continue there`,
      { code: "upload.wrong_offset", status: 409 },
    ),
  uploadTakenOver: () =>
    new ParlanceError("A newer request continues or ends this upload. Ask for its offset with HEAD", {
      code: "upload.taken_over",
      status: 409,
    }),
  beyondLength: (length: number) =>
    new ParlanceError(
      `The body goes beyond the ${length} bytes that Upload-Length announced; nothing of what follows them is stored`,
      { code: "upload.beyond_length", status: 413 },
    ),
  uploadExpired: () =>
    new ParlanceError("This upload has expired: no byte came for too long. Begin a new one", {
      code: "upload.expired",
      status: 410,
    }),
  checksumDiffers: (algorithm: string) =>
    new ParlanceError(
      `The bytes that arrived have another ${algorithm} checksum than Upload-Checksum; they are not stored. Send them again`,
      { code: "upload.checksum_differs", status: 460, retryable: true },
    ),
  tooManyUploads: (limit: number) =>
    new ParlanceError(
      `${limit} uploads of this account are unfinished. Finish or delete some; those that get no more bytes expire`,
      { code: "limit.uploads", status: 429, retryable: true, retryAfterSeconds: 60 },
    ),
  tooManyUploadBytes: (limitBytes: number) =>
    new ParlanceError(
      `Unfinished uploads of this account may have ${megabytes(limitBytes)} together. Finish or delete some; those that get no more bytes expire`,
      { code: "limit.upload_bytes", status: 429, retryable: true, retryAfterSeconds: 60 },
    ),
  tooManyUploadParts: (limit: number) =>
    new ParlanceError(`This upload came in ${limit} pieces, which is the most. Begin a new one with larger pieces`, {
      code: "limit.upload_parts",
      status: 400,
    }),
  uploadCompleting: () =>
    new ParlanceError("Every byte is stored, and the file is being checked; ask again in a moment", {
      code: "upload.completing",
      status: 503,
      retryable: true,
      retryAfterSeconds: 2,
    }),
};
