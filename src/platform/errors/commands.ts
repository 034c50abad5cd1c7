// The command line: its files, and the service that it sends requests to.
import { ParlanceError } from "./parlance-error.ts";

export const commandErrors = {
  outputExists: (file: string) =>
    new ParlanceError(
      `${file} exists already and was not written by this call. It stays as it is; --force replaces it`,
      { code: "file.exists", status: 409 },
    ),
  /** @param exists  whether something else has this name */
  fileMissing: (file: string, exists: boolean) =>
    new ParlanceError(exists ? `${file} is not a file` : `there is no file ${file}`, {
      code: "file.missing",
      status: 404,
    }),
  fileChanged: (file: string) =>
    new ParlanceError(`${file} changed during the upload; repeat the command when it is complete`, {
      code: "file.changed",
      status: 409,
    }),
  browserMissing: (program: string) =>
    new ParlanceError(`${program} is not installed; open the address in a browser, or use --print`, {
      code: "browser.missing",
      status: 500,
    }),
  serviceUnreachable: (base: string, cause: unknown) =>
    new ParlanceError(`no service answers at ${base}; is it running? Name another one with --server`, {
      code: "service.unreachable",
      status: 503,
      cause,
    }),
  /** @param location  where the service of the redirect may be */
  serviceRedirects: (base: string, location: string) =>
    new ParlanceError(`${base} redirects to ${location}; name that address with --server`, {
      code: "service.redirects",
      status: 421,
    }),
  /** @param message  of the service's answer, as for the others below */
  serviceRefused: (message: string, status: number) => new ParlanceError(message, { code: "service.refused", status }),
  /** The service considers the request invalid. */
  serviceRefusedRequest: (message: string, status: number) =>
    new ParlanceError(message, { code: "service.refused_request", status }),
  serviceJobFailed: (message: string) => new ParlanceError(message, { code: "service.job_failed", status: 422 }),
  microphoneFailed: (reason: string) =>
    new ParlanceError(
      `recording from the microphone stopped early: ${reason}. See the lines above for the cause; to use another microphone, pass --device`,
      { code: "microphone.failed", status: 400 },
    ),
  administrationFailed: (message: string, status: number) =>
    new ParlanceError(message, { code: "administration.failed", status }),
  /** @param reason  for which the service ended a live session */
  liveEnded: (reason: string) => new ParlanceError(reason, { code: "live.ended", status: 400 }),
};
