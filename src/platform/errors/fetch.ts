// Requests of the service to other hosts: recordings at audio_url, receivers of callbacks.
import { ParlanceError } from "./parlance-error.ts";

export const fetchErrors = {
  addressNotAllowed: (reason: string) =>
    new ParlanceError(`The address is not allowed: ${reason}`, { code: "fetch.address_not_allowed", status: 403 }),
  remoteUnauthorized: () =>
    new ParlanceError(
      "audio_url cannot be fetched without signing in: its host answered 401. Check the user name and password in the address, use one that carries its permission, such as a signed one, or upload the file",
      { code: "fetch.unauthorized", status: 401 },
    ),
  remoteForbidden: () =>
    new ParlanceError(
      "audio_url must not be fetched: its host answered 403. The file is private, or the address has expired; sign it again, or upload the file",
      { code: "fetch.forbidden", status: 403 },
    ),
  remoteNotFound: () =>
    new ParlanceError("Nothing to fetch at audio_url: its host answered 404. Check the address", {
      code: "fetch.not_found",
      status: 404,
    }),
  remoteGone: () =>
    new ParlanceError("The file at audio_url was removed for good: its host answered 410", {
      code: "fetch.gone",
      status: 410,
    }),
  remoteRateLimited: (retryAfterSeconds?: number) =>
    new ParlanceError(
      `The host of audio_url currently refuses further requests: it answered 429${
        retryAfterSeconds === undefined ? "" : ` and requests a pause of ${Math.ceil(retryAfterSeconds)} s`
      }`,
      {
        code: "fetch.rate_limited",
        status: 429,
        retryable: true,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      },
    ),
  /** @param isPassing  whether the same fetch may succeed a moment later */
  remoteFailed: (
    reason: string,
    cause?: unknown,
    { isPassing = true, retryAfterSeconds }: { isPassing?: boolean; retryAfterSeconds?: number | undefined } = {},
  ) =>
    new ParlanceError(`audio_url could not be fetched: ${reason}`, {
      code: "fetch.failed",
      status: 424,
      retryable: isPassing,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
      cause,
    }),
  receiverFailed: (reason: string, cause?: unknown) =>
    new ParlanceError(`The callback could not be sent: ${reason}`, {
      code: "callback.failed",
      status: 424,
      retryable: true,
      cause,
    }),
  fetchesBusy: () =>
    new ParlanceError("Too many addresses of this account wait to be fetched; try again in a moment", {
      code: "fetch.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 15,
    }),
};
