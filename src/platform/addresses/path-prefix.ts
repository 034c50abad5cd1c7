// The path below which a reverse proxy publishes the service, such as /transcripts. Proxies either remove it from the path of a
// request or leave it there; both forms of a path are accepted.

/** Unreserved characters of RFC 3986 only: a prefix is written into pages, cookies and headers without escaping. */
const SEGMENT = /^[A-Za-z0-9._~-]+$/;
const DOT_SEGMENT = /^\.{1,2}$/;
/** Bounds what a forwarded header adds to every link of a page. */
const MOST_CHARACTERS = 200;

/** First segments of this service's own routes. Below one of them, `/live` could be the prefix or the page. */
const OWN_SEGMENTS: ReadonlySet<string> = new Set([
  "assets",
  "asyncapi.json",
  "console",
  "docs",
  "file",
  "health",
  "jobs",
  "live",
  "metrics",
  "openapi.json",
  "ready",
  "setup",
  "v1",
  "v2",
]);

/**
 * @param text  path with or without trailing slashes
 * @returns the prefix without trailing slash, "" for the root, undefined when the text cannot be a prefix
 */
export function pathPrefixOf(text: string): string | undefined {
  const path = text.trim().replace(/(?<!\/)\/+$/, "");
  if (path === "") return "";
  if (path.length > MOST_CHARACTERS || !path.startsWith("/")) return undefined;
  const isValid = path
    .slice(1)
    .split("/")
    .every((segment) => SEGMENT.test(segment) && !DOT_SEGMENT.test(segment));
  return isValid ? path : undefined;
}

/** @param prefix  as `pathPrefixOf` returns it @returns whether a path below it could also be one of the service's own routes */
export function isOwnPath(prefix: string): boolean {
  return OWN_SEGMENTS.has(prefix.split("/")[1] ?? "");
}

/**
 * @param target  path and query of a request
 * @param prefix  as `pathPrefixOf` returns it
 * @returns the target below the prefix; undefined when the target is not below it
 */
export function withoutPrefix(target: string, prefix: string): string | undefined {
  if (prefix === "" || !target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : undefined;
}
