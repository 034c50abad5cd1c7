// Keys of clients of OpenAI's Realtime interface: in the header authorization; browsers, which cannot set it, send the key as a
// subprotocol.
import type { IncomingHttpHeaders } from "node:http";

const BEARER = /^bearer\s+(\S+)\s*$/i;
const KEY_PROTOCOL = "openai-insecure-api-key.";
const BETA_PROTOCOL = "openai-beta.realtime-v1";
const BETA_HEADER = "realtime=v1";

const protocolsOf = (headers: IncomingHttpHeaders) =>
  (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());

/** @returns account key or client secret; undefined without one */
export function accessOf(headers: IncomingHttpHeaders): string | undefined {
  const inHeader = BEARER.exec(headers.authorization ?? "")?.[1];
  const ofAzure = headers["api-key"];
  const offered = protocolsOf(headers).find((name) => name.startsWith(KEY_PROTOCOL));
  return inHeader ?? (typeof ofAzure === "string" && ofAzure !== "" ? ofAzure : offered?.slice(KEY_PROTOCOL.length));
}

export const isBetaClient = (headers: IncomingHttpHeaders) =>
  String(headers["openai-beta"] ?? "").includes(BETA_HEADER) || protocolsOf(headers).includes(BETA_PROTOCOL);
