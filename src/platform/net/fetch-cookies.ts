// Cookies of one fetch: some hosts of recordings set them on a redirect and require them at its target. They are kept for one
// chain of redirects; nothing is shared between fetches. Source: RFC 6265, 5.3 and 5.4.
import ipaddr from "ipaddr.js";
import { withoutBrackets } from "../addresses/web-url.ts";
import { errors } from "../errors.ts";

interface Cookie {
  name: string;
  value: string;
  domain: string;
  /** Only for the host that set it. */
  isHostOnly: boolean;
  path: string;
  isSecure: boolean;
}

/**
 * As in browsers; a fetch with more cookies fails. Their length is bounded elsewhere: the headers of an answer have at most 16 KiB, and a fetch
 * has at most 21 answers. All cookies are sent, however long they are together: a host that refuses them answers so, and that is reported.
 */
const MOST_COOKIES = 180;
/** What may stand in a header. */
const PRINTABLE = /^[ -~]*$/;

const isAddress = (host: string) => ipaddr.isValid(withoutBrackets(host));

/** RFC 6265, 5.1.3. */
function matchesDomain(host: string, { domain, isHostOnly }: Pick<Cookie, "domain" | "isHostOnly">): boolean {
  return host === domain || (!isHostOnly && host.endsWith(`.${domain}`) && !isAddress(host));
}

/** RFC 6265, 5.1.4. */
function matchesPath(path: string, prefix: string): boolean {
  return path === prefix || (path.startsWith(prefix) && (prefix.endsWith("/") || path[prefix.length] === "/"));
}

function defaultPath({ pathname }: URL): string {
  const last = pathname.lastIndexOf("/");
  return last > 0 ? pathname.slice(0, last) : "/";
}

/** @returns name and value, without the spaces around them */
function pairOf(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  return equals < 0 ? [text.trim(), ""] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}

/** Max-Age has precedence over Expires; without a number it is ignored (RFC 6265, 5.2.2 and 5.3). */
function isExpired(attributes: ReadonlyMap<string, string>): boolean {
  const age = attributes.get("max-age") ?? "";
  return /^-?\d+$/.test(age) ? Number(age) <= 0 : Date.parse(attributes.get("expires") ?? "") <= Date.now();
}

export class FetchCookies {
  private cookies: Cookie[] = [];

  /**
   * @param headers  Set-Cookie of an answer from `url`; what is not valid is ignored
   * @throws fetch.failed if there are too many: a host may refuse a request without one of them
   */
  keep(headers: string | string[] | undefined, url: URL): void {
    for (const header of [headers ?? []].flat()) this.keepOne(header, url);
    if (this.cookies.length > MOST_COOKIES) {
      const reason = `its hosts set more than ${MOST_COOKIES} cookies; upload the recording instead`;
      throw errors.remoteFailed(reason, undefined, { isPassing: false });
    }
  }

  /** @returns the header Cookie; undefined if there is none for this address */
  headerFor({ hostname, pathname, protocol }: URL): string | undefined {
    const matching = this.cookies.filter(
      (cookie) =>
        matchesDomain(hostname, cookie) &&
        matchesPath(pathname, cookie.path) &&
        (!cookie.isSecure || protocol === "https:"),
    );
    // Longer paths first.
    const ordered = matching.toSorted((left, right) => right.path.length - left.path.length);
    const header = ordered.map(({ name, value }) => `${name}=${value}`).join("; ");
    return header === "" ? undefined : header;
  }

  private keepOne(header: string, url: URL): void {
    if (!PRINTABLE.test(header)) return;
    const [first = "", ...attributes] = header.split(";");
    const [name, value] = pairOf(first);
    if (name === "") return;
    const given = new Map(attributes.map(pairOf).map(([key, text]) => [key.toLowerCase(), text]));
    const domain = (given.get("domain") ?? "").replace(/^\./, "").toLowerCase();
    const isHostOnly = domain === "" || domain === url.hostname;
    const isSecure = given.has("secure");
    if (isSecure && url.protocol !== "https:") return;
    const path = given.get("path") ?? "";
    const cookie = {
      name,
      value,
      domain: isHostOnly ? url.hostname : domain,
      isHostOnly: domain === "" || isAddress(url.hostname),
      path: path.startsWith("/") ? path : defaultPath(url),
      isSecure,
    };
    // A host sets cookies for itself and for domains above it, but for no whole top-level domain.
    if (!isHostOnly && (!domain.includes(".") || !matchesDomain(url.hostname, cookie))) return;
    const isSame = (one: Cookie) => one.name === name && one.domain === cookie.domain && one.path === cookie.path;
    this.cookies = this.cookies.filter((one) => !isSame(one));
    if (!isExpired(given)) this.cookies.push(cookie);
  }
}
