// Requests that carry no key of their own: a browser adds the console's cookie to them, or the service serves everybody
// (PARLANCE_ANONYMOUS). A page of another site can make the user's browser send such requests, so their host and origin are checked.
// Requests with a key in a header pass: a page of another site does not have the key.
import type { IncomingHttpHeaders } from "node:http";
import { parseUrl } from "../addresses/web-url.ts";
import { ANY_ORIGIN, corsOriginsOf } from "../config/cors-origins.ts";
import { hostJudge } from "../config/host-names.ts";
import type { Settings } from "../config/settings.ts";
import { errors } from "../errors.ts";
import type { ClientView } from "./forwarding.ts";

/** The parts of a request that the checks need; Fastify's requests have them. */
export interface OriginRequest {
  method: string;
  headers: IncomingHttpHeaders;
  raw: { headers: IncomingHttpHeaders };
  clientView: Pick<ClientView, "host">;
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

export class RequestOrigins {
  private readonly isOwnHost: (host: string | undefined) => boolean;
  private readonly others: ReadonlySet<string>;
  private readonly publicOrigin: string | undefined;

  constructor({ allowedHosts, publicUrl, corsOrigins }: Pick<Settings, "allowedHosts" | "publicUrl" | "corsOrigins">) {
    this.isOwnHost = hostJudge(allowedHosts, publicUrl);
    this.others = new Set(corsOriginsOf(corsOrigins));
    this.publicOrigin = parseUrl(publicUrl)?.origin;
  }

  /** For requests without a key. @throws request.foreign_host, request.other_page */
  check(request: OriginRequest): void {
    this.checkHost(request);
    this.checkPage(request);
  }

  /** For requests that a browser may have completed with a password. @throws request.other_page */
  checkPage(request: OriginRequest): void {
    if (!READING.has(request.method) && !this.isOwnPage(request) && !this.isAllowedPage(request)) {
      throw errors.notOwnPage();
    }
  }

  /**
   * The Host header itself and, behind a proxy, the one that the proxy forwards: a page that reaches this port under a name
   * of its own (DNS rebinding) can set X-Forwarded-Host, and never Host.
   */
  checkHost(request: OriginRequest): void {
    const { host } = request.raw.headers;
    for (const one of [host, request.clientView.host]) if (!this.isOwnHost(one)) throw errors.foreignHost(one ?? "");
  }

  /**
   * Whether a browser says that a page of this service makes the request, or nothing says that a browser makes it.
   * Browsers send Sec-Fetch-Site over TLS and to this machine; elsewhere they send Origin with all but GET and HEAD.
   */
  isOwnPage(request: OriginRequest): boolean {
    const site = request.headers["sec-fetch-site"];
    if (site !== undefined) return site === "same-origin" || site === "none";
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (origin === this.publicOrigin) return true;
    return parseUrl(origin)?.host === request.clientView.host;
  }

  /** PARLANCE_CORS_ORIGINS has the page. */
  private isAllowedPage({ headers: { origin } }: OriginRequest): boolean {
    return this.others.has(ANY_ORIGIN) || (origin !== undefined && origin !== "null" && this.others.has(origin));
  }
}
