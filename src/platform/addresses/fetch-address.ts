// An address to fetch, which may contain a user name and a password (https://user:password@host/). They are kept apart
// from the address: printing, logging and serialising the object give the address without them.
import { shownSrtQuery } from "./srt-address.ts";
import { hasCutCredentials, parseUrl, percentDecoded } from "./web-url.ts";

/** Up to the end of a user name and password: the authority ends at the first of / ? # and \ (WHATWG URL, 4.4). */
const USER_INFORMATION = /(\/\/)[^\s/?#\\]*@/g;

/** In addresses of SRT. */
const PASSPHRASE = /\bpassphrase=[^\s&#"']*/gi;

/** Removes user names, passwords and passphrases from the addresses in a text. */
export const withoutCredentials = (text: string): string =>
  text.replace(USER_INFORMATION, "$1").replace(PASSPHRASE, "passphrase=…");

/** RFC 7617, with UTF-8. */
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${percentDecoded(user)}:${percentDecoded(password)}`).toString("base64")}`;

export class FetchAddress {
  /** Without user name and password. */
  readonly shown: string;
  readonly #whole: string;
  readonly #origin: string | undefined;
  readonly #authorization: string | undefined;

  private constructor(shown: string, whole: string, origin?: string, authorization?: string) {
    this.shown = shown;
    this.#whole = whole;
    this.#origin = origin;
    this.#authorization = authorization;
  }

  /** @param text  what cannot be parsed becomes an address that every fetch refuses */
  static of(text: string): FetchAddress {
    const url = parseUrl(text);
    // A part of the password is behind the authority.
    if (!url && hasCutCredentials(text))
      return FetchAddress.refused(`${text.slice(0, text.indexOf(":") + 1)}//${text.slice(text.lastIndexOf("@") + 1)}`);
    if (!url) return FetchAddress.refused(withoutCredentials(text));
    const { username, password, origin, href } = url;
    if (url.protocol === "srt:" && username === "" && password === "") return FetchAddress.srt(url);
    if (username === "" && password === "") return new FetchAddress(text, text);
    url.username = "";
    url.password = "";
    return new FetchAddress(url.href, href, origin, basic(username, password));
  }

  private static refused(shown: string): FetchAddress {
    return new FetchAddress(shown, shown);
  }

  /**
   * Secrets of SRT are in the query. In the stored form, the whole query is the user name: what removes user names removes it, too, and
   * the query that is shown stays.
   */
  private static srt(url: URL): FetchAddress {
    const query = `${url.search}${url.hash}`.slice(1);
    const shown = shownSrtQuery(query);
    const place = `${url.host}${url.pathname}${shown === "" ? "" : `?${shown}`}`;
    return new FetchAddress(
      `srt://${place}`,
      query === "" ? `srt://${place}` : `srt://${encodeURIComponent(query)}@${place}`,
    );
  }

  get hasCredentials(): boolean {
    return this.#authorization !== undefined;
  }

  /** @returns value of the header for requests to this origin; undefined for any other origin */
  authorizationFor(origin: string): string | undefined {
    return origin === this.#origin ? this.#authorization : undefined;
  }

  /** With user name and password, for the column from which the job fetches; it is cleared after the fetch. */
  forStorage(): string {
    return this.#whole;
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }
}
