// PARLANCE_CORS_ORIGINS in the form in which browsers send the Origin header: scheme, host and port, without a final slash.
import { parseUrl } from "../addresses/web-url.ts";

/** Stands for every origin. */
export const ANY_ORIGIN = "*";

/** Pages of extensions and packaged applications have a scheme of their own, such as capacitor://localhost. */
const OWN_SCHEME = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(:\d+)?$/;

const wordsOf = (value: string) =>
  value
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/** @returns the origin that a browser sends; undefined when the text is none */
function originOf(word: string): string | undefined {
  if (word === ANY_ORIGIN) return word;
  // A wildcard, or a user name and password.
  if (/[*@]/.test(word)) return undefined;
  const url = parseUrl(word);
  if (!url) return undefined;
  if (/^https?:$/.test(url.protocol)) {
    return url.pathname === "/" && !/[?#]/.test(word) && word.includes("://") ? url.origin : undefined;
  }
  const plain = word.toLowerCase().replace(/\/$/, "");
  return OWN_SCHEME.test(plain) && url.protocol !== "file:" ? plain : undefined;
}

/** @returns what is wrong with the setting, or undefined */
export function corsOriginsProblem(value: string): string | undefined {
  const wrong = wordsOf(value).find((word) => originOf(word) === undefined);
  return wrong === undefined
    ? undefined
    : `must be origins such as https://app.example.org (scheme and host, with the port if it is not the usual one, without path or wildcard), comma-separated, or *; it has "${wrong}"`;
}

/** @param value  of the setting, valid */
export function corsOriginsOf(value: string): string[] {
  return [...new Set(wordsOf(value).flatMap((word) => originOf(word) ?? []))];
}
