// Addresses of live streams over RTSP, RTMP and SRT. `new URL` reads hosts of these schemes as plain text: it neither lower-cases them nor
// reads forms of IPv4 such as 0x7f000001, so that the host comes from the same address with http.
import { parseUrl, percentDecoded, withoutBrackets } from "./web-url.ts";

const SCHEMES: Readonly<Record<string, Pick<StreamAddress, "protocol" | "port"> | undefined>> = {
  "rtsp:": { protocol: "rtsp", port: 554 },
  "rtsps:": { protocol: "rtsp", port: 322 },
  "rtmp:": { protocol: "rtmp", port: 1935 },
  "rtmps:": { protocol: "rtmp", port: 443 },
  // Without a standard port.
  "srt:": { protocol: "srt", port: 0 },
};

export interface StreamAddress {
  protocol: "rtsp" | "rtmp" | "srt";
  isSecure: boolean;
  /** A name, or an IP address without brackets. */
  host: string;
  /** 0 if an address of SRT has none. */
  port: number;
  /** Without user name and password. */
  href: string;
  credentials: { user: string; password: string } | undefined;
}

/** @returns undefined for what is no address of RTSP, RTMP or SRT, or has no host */
export function streamAddress(text: string, base?: string): StreamAddress | undefined {
  const url = parseUrl(text, base);
  const scheme = url && SCHEMES[url.protocol];
  if (!url || !scheme) return undefined;
  const host = withoutBrackets(parseUrl(`http://${url.host}/`)?.hostname ?? "");
  if (host === "") return undefined;
  const { username, password, port, protocol } = url;
  url.username = "";
  url.password = "";
  return {
    protocol: scheme.protocol,
    isSecure: protocol.endsWith("s:"),
    ...{ host, port: port === "" ? scheme.port : Number(port), href: url.href },
    credentials:
      username === "" && password === ""
        ? undefined
        : { user: percentDecoded(username), password: percentDecoded(password) },
  };
}

/** Whether credentials for one address may be sent to another one. */
export const isSameServer = (one: StreamAddress, other: StreamAddress): boolean =>
  one.protocol === other.protocol &&
  one.isSecure === other.isSecure &&
  one.host === other.host &&
  one.port === other.port;
