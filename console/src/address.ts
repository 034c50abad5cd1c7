// Addresses of this service below the path at which a reverse proxy publishes it.

/** Without trailing slash; "" for the root. The service writes it into the page. */
export const prefix = document.querySelector<HTMLMetaElement>('meta[name="path-prefix"]')?.content ?? "";

/** Base of the service's addresses, without trailing slash. */
export const base = `${location.origin}${prefix}`;

/** @param path  of the service, beginning with a slash @returns path as the browser requests it */
export function at(path: string): string {
  return `${prefix}${path}`;
}

/** @returns a path of the browser without the prefix */
export function withoutPrefix(path: string): string {
  return path === prefix || path.startsWith(`${prefix}/`) ? path.slice(prefix.length) || "/" : path;
}

/** Only these characters of a prefix mean something in a regular expression. */
export const PAGE_ADDRESS = new RegExp(
  `^${prefix.replace(/[.]/g, "\\.")}/(live|jobs(/[\\w-]+)?|setup/(account|models|machine)|captions/[\\w-]+|shared)?/?$`,
);
