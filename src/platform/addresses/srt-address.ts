// The options in the query of an address of SRT: srt://host:port?streamid=…&passphrase=…. Their names are those of libsrt. The secrets in them are
// neither shown nor logged.
import { percentDecoded } from "./web-url.ts";

/** What an address requests. */
export interface SrtOptions {
  /** Names the stream on the server. */
  streamId: string;
  passphrase: string | undefined;
  /** Bytes of the key of the encryption; undefined if the server decides. */
  keyBytes: 16 | 24 | 32 | undefined;
  /** How long a lost packet may take to arrive. */
  latencyMilliseconds: number;
}

const NAMES = ["streamid", "passphrase", "pbkeylen", "latency", "mode", "transtype"];
/** The longest of SRT. */
const MOST_STREAM_ID_BYTES = 512;
const [LEAST_PASSPHRASE_BYTES, MOST_PASSPHRASE_BYTES] = [10, 79];
const [LEAST_LATENCY, DEFAULT_LATENCY, MOST_LATENCY] = [20, 1_000, 10_000];
const KEY_BYTES: Readonly<Record<string, 16 | 24 | 32 | undefined>> = { "16": 16, "24": 24, "32": 32 };
/** Begins a stream id in the syntax of SRT: `#!::u=user,r=stream,s=password`. */
const STANDARD_ID = "#!::";

const encoded = (text: string) =>
  encodeURIComponent(text).replace(/%(?:3A|2F|2C|3D|21)/g, (found) => decodeURIComponent(found));

/** Names and values. A # does not end a value: stream ids begin with it. */
const pairsOf = (query: string): [name: string, value: string][] =>
  query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const equals = pair.indexOf("=");
      return equals < 0
        ? [percentDecoded(pair), ""]
        : [percentDecoded(pair.slice(0, equals)), percentDecoded(pair.slice(equals + 1))];
    });

/**
 * A stream id without a user name, a password and a query, which has tokens: the syntax of SRT keeps the stream and how it is used, that of
 * MediaMTX (`read:stream:user:password:query`, `read:stream:query`) what precedes them.
 */
function withoutPassword(id: string): string {
  const shown = (part: string) => part.replace(/\?.*$/s, "");
  if (id.startsWith(STANDARD_ID)) {
    const parts = id.slice(STANDARD_ID.length).split(",");
    return (
      STANDARD_ID +
      parts
        .filter((part) => /^[rmth]=/.test(part))
        .map(shown)
        .join(",")
    );
  }
  const parts = id.split(":");
  const isMediaMtx = parts.length > 3 || /^(?:read|publish)$/.test(parts[0] ?? "");
  // A password may contain a question mark: the query is removed last.
  return shown((isMediaMtx ? parts.slice(0, 2) : parts).join(":"));
}

/** The query without passphrase, user name and password. */
export function shownSrtQuery(query: string): string {
  return pairsOf(query)
    .filter(([name]) => name !== "passphrase")
    .map(([name, value]) => `${encoded(name)}=${encoded(name === "streamid" ? withoutPassword(value) : value)}`)
    .join("&");
}

function problemsOf(options: ReadonlyMap<string, string>): string | undefined {
  const { length: idBytes } = Buffer.from(options.get("streamid") ?? "");
  if (idBytes > MOST_STREAM_ID_BYTES) return `must have a streamid of at most ${MOST_STREAM_ID_BYTES} bytes`;
  const passphrase = options.get("passphrase");
  const { length } = Buffer.from(passphrase ?? "");
  if (passphrase !== undefined && (length < LEAST_PASSPHRASE_BYTES || length > MOST_PASSPHRASE_BYTES))
    return `must have a passphrase of ${LEAST_PASSPHRASE_BYTES} to ${MOST_PASSPHRASE_BYTES} bytes`;
  const keyBytes = options.get("pbkeylen");
  if (keyBytes !== undefined && !Object.hasOwn(KEY_BYTES, keyBytes))
    return "must have a pbkeylen of 16, 24 or 32 bytes";
  if (keyBytes !== undefined && passphrase === undefined) return "must have a passphrase if it has pbkeylen";
  const latency = options.get("latency") ?? `${DEFAULT_LATENCY}`;
  const isLatency = /^\d{1,9}$/.test(latency) && Number(latency) >= LEAST_LATENCY && Number(latency) <= MOST_LATENCY;
  if (!isLatency) return `must have a latency of ${LEAST_LATENCY} to ${MOST_LATENCY} milliseconds`;
  if ((options.get("mode") ?? "caller") !== "caller")
    return "must not have a mode other than caller: the service connects to the server";
  return (options.get("transtype") ?? "live") === "live" ? undefined : "must not have a transtype other than live";
}

/** @returns the options, or what is wrong with them */
export function srtOptions(query: string): SrtOptions | { problem: string } {
  const pairs = pairsOf(query);
  const options = new Map(pairs);
  // The name may contain a secret by mistake; the message does not repeat it.
  if (pairs.some(([name]) => !NAMES.includes(name)))
    return { problem: `must not have options of SRT other than ${NAMES.join(", ")}` };
  if (options.size < pairs.length) return { problem: "must have each option of SRT once" };
  const problem = problemsOf(options);
  if (problem !== undefined) return { problem };
  return {
    streamId: options.get("streamid") ?? "",
    passphrase: options.get("passphrase"),
    keyBytes: KEY_BYTES[options.get("pbkeylen") ?? ""],
    latencyMilliseconds: Number(options.get("latency") ?? DEFAULT_LATENCY),
  };
}
