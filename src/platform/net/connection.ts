// Connections to addresses from requests: a name is resolved once, every resolved address is checked, and the connection
// goes to the address that was judged, so that a second look-up cannot lead elsewhere (DNS rebinding).
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { errors, ParlanceError, shortageError } from "../errors.ts";
import { PRIVATE_ADVICE, refusedAddress } from "./address-rules.ts";
import { addressesOf } from "./name-lookup.ts";

export const CONNECT_TIMEOUT_MILLISECONDS = 10_000;
const HEADERS_TIMEOUT_MILLISECONDS = 30_000;

/** A look-up of names that refuses those of private networks unless allowed. */
export function judgingLookup(allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    addressesOf(hostname, (error, all) => {
      if (error) return callback(error, "", 0);
      const refused = allowPrivate ? undefined : all.find(({ address }) => refusedAddress(address));
      if (refused)
        return callback(errors.addressNotAllowed(`its host lies in a private network; ${PRIVATE_ADVICE}`), "", 0);
      const { family } = options;
      const addresses = family === 4 || family === 6 ? all.filter((one) => one.family === family) : all;
      const first = addresses[0];
      if (!first) return callback(errors.remoteFailed("its host has no address"), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

const agents = new Map<boolean, Agent>();

/** Connections that refuse private, loopback and link-local addresses unless allowed. */
export function agentFor(allowPrivate: boolean): Agent {
  let agent = agents.get(allowPrivate);
  if (!agent) {
    agent = new Agent({
      connect: { lookup: judgingLookup(allowPrivate), timeout: CONNECT_TIMEOUT_MILLISECONDS },
      headersTimeout: HEADERS_TIMEOUT_MILLISECONDS,
    });
    agents.set(allowPrivate, agent);
  }
  return agent;
}

/** Codes of undici and zlib for answers that ended too early; which of them it was is in the log. */
const BROKEN_OFF = new Set(["UND_ERR_SOCKET", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "UND_ERR_RES_EXCEEDED_MAX_SIZE"]);

/**
 * The catalogue's error for a failed request. Its text does not distinguish a refused connection from an unreachable or unknown host, because an answer
 * would disclose the network; the log does.
 */
export function translateNetworkError(
  thrown: unknown,
  failed: (...parameters: Parameters<typeof errors.remoteFailed>) => ParlanceError = errors.remoteFailed,
): ParlanceError {
  if (thrown instanceof ParlanceError) return thrown;
  const { name, code, cause } = thrown as { name?: string; code?: string; cause?: unknown };
  if (cause instanceof ParlanceError) return cause;
  // Without a free descriptor no host can be reached: the error is not the host's.
  const shortage = shortageError(thrown);
  if (shortage) return shortage;
  // The time of the whole exchange is over, so that no attempt could follow.
  if (name === "TimeoutError") return failed("its host was too slow", thrown, { isPassing: false });
  if (code === "UND_ERR_HEADERS_TIMEOUT" || code === "UND_ERR_BODY_TIMEOUT") {
    return failed("its host was too slow", thrown);
  }
  // The name does not exist; a name server that did not answer (EAI_AGAIN) may do so later.
  if (code === "ENOTFOUND") return failed("its host could not be reached", thrown, { isPassing: false });
  return failed(BROKEN_OFF.has(code ?? "") ? "its host broke the answer off" : "its host could not be reached", thrown);
}

/**
 * A signal that is aborted after some time or by another one. Made of plain timers, see platform/process/waker.ts.
 * @returns the signal, and what frees it when it is no longer needed
 */
export function deadline(milliseconds: number, outer?: AbortSignal): { signal: AbortSignal; clear(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort(outer?.reason);
  const timer = setTimeout(() => controller.abort(new DOMException("it took too long", "TimeoutError")), milliseconds);
  timer.unref();
  if (outer?.aborted) abort();
  outer?.addEventListener("abort", abort);
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}

export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** @throws Error when there is more */
export async function limitedText(body: AsyncIterable<Uint8Array>, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error("the answer is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
