// Addresses of live streams over RTSP and RTMP. `new URL` reads hosts of these schemes as plain text: it neither lower-cases them nor
// reads forms of IPv4 such as 0x7f000001, so that the host comes from the same address with http.
import { parseUrl, withoutBrackets } from "./web-url.ts";

const PORTS: Readonly<Record<string, number>> = { "rtsp:": 554, "rtsps:": 322, "rtmp:": 1935, "rtmps:": 443 };

export interface StreamAddress {
  protocol: "rtsp" | "rtmp";
  isSecure: boolean;
  /** A name, or an IP address without brackets. */
  host: string;
  port: number;
  /** Without user name and password. */
  href: string;
  credentials: { user: string; password: string } | undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not valid percent-encoding: sent as it is written.
    return text;
  }
}

/** @returns undefined for what is no address of RTSP or RTMP, or has no host */
export function streamAddress(text: string, base?: string): StreamAddress | undefined {
  const url = parseUrl(text, base);
  const standardPort = url && PORTS[url.protocol];
  if (!url || standardPort === undefined) return undefined;
  const host = withoutBrackets(parseUrl(`http://${url.host}/`)?.hostname ?? "");
  if (host === "") return undefined;
  const { username, password, port, protocol } = url;
  url.username = "";
  url.password = "";
  return {
    protocol: protocol.startsWith("rtsp") ? "rtsp" : "rtmp",
    isSecure: protocol.endsWith("s:"),
    ...{ host, port: port === "" ? standardPort : Number(port), href: url.href },
    credentials:
      username === "" && password === "" ? undefined : { user: decoded(username), password: decoded(password) },
  };
}

/** Whether credentials for one address may be sent to another one. */
export const isSameServer = (one: StreamAddress, other: StreamAddress): boolean =>
  one.protocol === other.protocol &&
  one.isSecure === other.isSecure &&
  one.host === other.host &&
  one.port === other.port;
