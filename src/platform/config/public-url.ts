// PARLANCE_PUBLIC_URL: the address under which clients reach the service, with the path of a reverse proxy if it has one.
import { isOwnPath, pathPrefixOf } from "../addresses/path-prefix.ts";
import { parseUrl } from "../addresses/web-url.ts";

export interface PublicAddress {
  /** Such as `https://example.org:8443`. */
  origin: string;
  /** Path without trailing slash; "" for the root. */
  prefix: string;
  /** Both together. */
  base: string;
}

/** @returns what is wrong with the setting, or undefined */
export function publicUrlProblem(value: string): string | undefined {
  if (value === "") return undefined;
  const url = parseUrl(value);
  if (!url || !/^https?:$/.test(url.protocol)) return `must be an http or https address; it is "${value}"`;
  if (value.includes("?")) return "must not have a query string; end it before the ?";
  if (value.includes("#")) return "must not have a fragment; end it before the #";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  const prefix = pathPrefixOf(url.pathname);
  if (prefix === undefined) {
    return `must have a path of letters, digits and . _ ~ - only, such as /transcripts; it has "${url.pathname}"`;
  }
  if (isOwnPath(prefix)) {
    return `must not have a path that begins like a route of the service, such as /v2, /live or /docs; it has "${prefix}"`;
  }
  return undefined;
}

/** @param value  of the setting, valid @returns undefined when it is not set */
export function publicAddressOf(value: string): PublicAddress | undefined {
  const url = value === "" ? undefined : parseUrl(value);
  if (!url) return undefined;
  const prefix = pathPrefixOf(url.pathname) ?? "";
  return { origin: url.origin, prefix, base: `${url.origin}${prefix}` };
}
