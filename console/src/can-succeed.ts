// Whether another attempt to transcribe a file or an address can succeed where one has failed.
import type { Job } from "./shapes.ts";

/** Codes of the file itself, or of an address that will never have it. */
const FINAL_CODES = new Set([
  "media.empty",
  "media.encrypted",
  "media.no_audio",
  "media.no_audio_track",
  "media.not_decodable",
  "media.too_long",
  "file.too_large",
  "fetch.address_not_allowed",
  "fetch.gone",
]);

/** Of an upload: the file is empty, cannot be decoded, or is too large. */
const FINAL_UPLOAD_STATUSES = new Set([400, 413, 415, 422]);

/** @param status  of the answer to an upload; 0 if there was none */
export const canUploadSucceed = (status: number): boolean => !FINAL_UPLOAD_STATUSES.has(status);

/**
 * Of a job that failed. Options or a host may be the reason, or a fault that passes.
 * Jobs of earlier versions of the service have no code: a status from 424 on is that of a host or of the service.
 */
export function canJobSucceed({ error_code, error_details }: Pick<Job, "error_code" | "error_details">): boolean {
  const code = error_details?.code ?? "other";
  return code === "other" ? (error_code ?? 0) >= 424 : !FINAL_CODES.has(code);
}
