// Which network addresses the service may connect to for a client. Resolved addresses are checked, never
// strings, so that decimal, octal and mapped spellings make no difference.
import ipaddr from "ipaddr.js";
import { parseUrl } from "../addresses/web-url.ts";

/** Ranges by ipaddr.js's names; everything that is not plain public unicast is refused. */
const PUBLIC_RANGE = "unicast";

/** @returns why the address is refused, or undefined when it is public */
export function refusedAddress(address: string): string | undefined {
  if (!ipaddr.isValid(address)) return "it is no IP address";
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  return range === PUBLIC_RANGE ? undefined : `it belongs to a ${range} network`;
}

export function isWebAddress(text: string): boolean {
  return /^https?:$/.test(parseUrl(text)?.protocol ?? "");
}

/** Checks what can be checked without a look-up. @returns what is wrong with the address, or undefined */
export function refusedUrl(text: string, allowPrivate: boolean): string | undefined {
  const url = parseUrl(text);
  if (!url || !isWebAddress(text)) return "must be a URL address with http or https";
  if (url.username !== "" || url.password !== "") return "must be a URL address without a user name or password";
  if (allowPrivate) return undefined;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (ipaddr.isValid(host) && refusedAddress(host)) return "must be a URL address in a public network";
  if (host === "localhost" || host.endsWith(".localhost")) return "must be a URL address in a public network";
  return undefined;
}
