// The only parser of addresses from requests and settings: `new URL` throws on an invalid address, and a request line or a
// header must not be able to throw. A test forbids `new URL` of such text elsewhere.

/** @returns undefined where the text is no URL */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** Text of an address without its percent-encoding. Text that is not validly encoded stays as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A host as it is connected to: in addresses, those of IPv6 are in brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, "");

/** An authority that ends inside of the user name or password: at a / ? # or \\ that is not percent-encoded. */
const CUT_AUTHORITY = /^\s*[a-z][a-z0-9+.-]*:[/\\]+[^/?#\\[]*:[^/?#\\]*[/?#\\].*@/is;

/** For addresses that `hasCutCredentials`, behind the name of the field. */
export const CUT_CREDENTIALS =
  "has a user name or password with a sign that must be percent-encoded: / is %2F, ? is %3F, # is %23, @ is %40 and \\ is %5C";

/**
 * Whether the text is no URL because a / ? # or \ of its user name or password ends the authority: the first part of the password is
 * then read as a port. A password that begins with digits and one of these signs cannot be detected: http://host:80/a@b is a valid address.
 */
export const hasCutCredentials = (text: string): boolean => CUT_AUTHORITY.test(text) && parseUrl(text) === undefined;

/** Whether a source of a recording is an address, and not a file; the address may still be invalid. */
export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

/** Scheme and authority of a request target in absolute form (RFC 9112, 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
/** A path that a proxy or a browser would take for an authority: `//host`, `/\\host`. */
const NETWORK_PATH = /^\/[/\\]/;

/**
 * The request line's target as a path with a query, which a server must also take in absolute form (RFC 9112, 3.2.2).
 * @returns undefined for what is neither: `*`, `//`, `http://[::1`, an authority
 */
export function originForm(target: string): string | undefined {
  const authority = ABSOLUTE_FORM.exec(target)?.[0];
  if (authority !== undefined && !parseUrl(authority)) return undefined;
  const rest = authority === undefined ? target : target.slice(authority.length).replace(/^(?!\/)/, "/");
  return rest.startsWith("/") && !NETWORK_PATH.test(rest) ? rest : undefined;
}

export interface RequestTarget {
  path: string;
  query: URLSearchParams;
}

/** @param target  in origin form @returns its path as it is written, and its query */
export function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf("?");
  return {
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? "" : target.slice(mark + 1)),
  };
}
