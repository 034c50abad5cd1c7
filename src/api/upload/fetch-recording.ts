// A recording that is fetched from an address while the client waits for the answer.
import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import { FetchAddress } from "../../platform/addresses/fetch-address.ts";
import { type ErrorCode, errors, ParlanceError } from "../../platform/errors.ts";
import { refusedUrl } from "../../platform/net/address-rules.ts";
import { fetchWithRetries } from "../../platform/net/retried-fetch.ts";
import { nameOfFetched, retryBounds } from "../../service/jobs/stages/fetch.ts";
import type { ApiContext } from "../context.ts";
import type { Received } from "./stored-file.ts";

export type FetchContext = Pick<ApiContext, "fetches" | "objects" | "settings" | "space">;

export interface RecordingAddress {
  given: string;
  /** Of the field that has the address. */
  name: string;
  /** Under which the recording is stored. */
  key: string;
  limitBytes: number;
  /** Receives the content of each attempt. */
  through?(body: Readable): AsyncIterable<Buffer>;
}

/** A client waits for the answer: the reference client gives an upload five minutes. */
const MOST_RETRY_SECONDS = 30;

function uploadRetries(settings: ApiContext["settings"]) {
  const { most, spanSeconds } = retryBounds(settings);
  return { most, spanSeconds: Math.min(MOST_RETRY_SECONDS, spanSeconds) };
}

/** Errors of the host whose statuses would, in the response, mean the client's own key and limits. */
const OF_HOST = new Set<ErrorCode>(["fetch.unauthorized", "fetch.forbidden", "fetch.rate_limited"]);

/** @throws request.invalid for an address that is not allowed; file.too_large; what the address cannot be fetched for */
export async function fetchRecording(
  request: FastifyRequest,
  { given, name, key, limitBytes, through = (body) => body }: RecordingAddress,
  gone: AbortSignal,
  { objects, space, settings, fetches }: FetchContext,
): Promise<Received> {
  const address = FetchAddress.of(given);
  const refused = refusedUrl(address.shown, settings.allowPrivateAddresses);
  if (refused) throw errors.invalidParameters([`${name} ${refused}`]);
  const options = {
    tenant: request.account.id,
    allowPrivateAddresses: settings.allowPrivateAddresses,
    timeoutMilliseconds: settings.fetchTimeoutSeconds * 1000,
    minimumBytesPerSecond: settings.fetchMinimumRate,
    signal: gone,
    retries: uploadRetries(settings),
  };
  const fetch = () =>
    fetchWithRetries(address, options, async (fetched) => ({
      size: await objects.write(key, space.guarded(through(fetched.body), "new"), limitBytes),
      filename: nameOfFetched(fetched, address.shown),
      source: address.shown,
    }));
  return fetches.run(request.account.id, fetch, gone).catch((thrown: unknown) => {
    throw thrown instanceof ParlanceError && OF_HOST.has(thrown.code) ? errors.uploadNotFetched(thrown) : thrown;
  });
}
