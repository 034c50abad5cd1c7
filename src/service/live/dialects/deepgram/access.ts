// Keys of clients of Deepgram's interface: in the header authorization; browsers, which cannot set it, send the key as a subprotocol
// behind its scheme.
import type { IncomingHttpHeaders } from "node:http";

const AUTHORIZATION = /^(?:token|bearer)\s+(\S+)\s*$/i;
/** The first subprotocol of a browser, which the answer repeats. */
export const SCHEMES = ["token", "bearer"];

/** @returns undefined without a key */
export function accessOf(headers: IncomingHttpHeaders): string | undefined {
  const inHeader = AUTHORIZATION.exec(headers.authorization ?? "")?.[1];
  if (inHeader !== undefined) return inHeader;
  const [scheme = "", key] = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  return SCHEMES.includes(scheme.toLowerCase()) && key !== "" ? key : undefined;
}
