// Errors of connections to sources.
import { withoutCredentials } from "../../../../platform/addresses/fetch-address.ts";
import { errors, type ParlanceError } from "../../../../platform/errors.ts";
import { translateNetworkError } from "../../../../platform/net/connection.ts";

/** Translates what a connection failed at: the messages of the network are about `audio_url`. */
export function asSourceError(thrown: unknown): ParlanceError {
  const error = translateNetworkError(thrown);
  if (error.code.startsWith("live.source")) return error;
  const reason = error.message.replace(/^audio_url could not be fetched: /, "").replace(/audio_url/g, "its address");
  if (error.code === "fetch.address_not_allowed") return errors.liveSourceRefused(reason);
  return error.retryable || error.code === "fetch.failed"
    ? errors.liveSourceFailed(reason, thrown)
    : errors.liveSourceRefused(reason);
}

const MOST_SHOWN_CHARACTERS = 120;

/** Text of a server for a message: its printable characters, without credentials. A cut text ends in …. */
export function shownText(text: string): string {
  const shown = withoutCredentials(text.slice(0, MOST_SHOWN_CHARACTERS).replace(/[^\x20-\x7e]/g, "?")).trim();
  return text.length > MOST_SHOWN_CHARACTERS ? `${shown}…` : shown;
}
