// What reverse proxies report about the request that their client made: scheme, host and path prefix. Only headers of trusted
// proxies count, and of a list only the entry that the outermost trusted proxy wrote: entries before it are the client's own.
import type { IncomingMessage } from "node:http";
import { isOwnPath, pathPrefixOf, withoutPrefix } from "../addresses/path-prefix.ts";
import { originForm } from "../addresses/web-url.ts";
import { type PublicAddress, publicAddressOf } from "../config/public-url.ts";
import { trustOf } from "../config/trusted-proxies.ts";

/** How the client addressed the service. */
export interface ClientView {
  scheme: "http" | "https";
  /** Host with port; undefined when the request names none (HTTP/1.0). Not validated. */
  host: string | undefined;
  /** Path in front of the service's own paths, without trailing slash; "" for none. */
  prefix: string;
}

type Proxied = "x-forwarded-for" | "x-forwarded-proto" | "x-forwarded-host" | "x-forwarded-prefix";

function entriesOf({ headers }: IncomingMessage, name: Proxied): string[] {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(",") : (value ?? "");
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

export class Forwarding {
  /** Address of PARLANCE_PUBLIC_URL. */
  readonly published: PublicAddress | undefined;
  private readonly isTrusted: (address: string | undefined) => boolean;

  /** @param settings  values of PARLANCE_PUBLIC_URL and PARLANCE_TRUST_PROXY, valid */
  constructor({ publicUrl, trustProxy }: { publicUrl: string; trustProxy: string }) {
    this.published = publicAddressOf(publicUrl);
    this.isTrusted = trustOf(trustProxy) ?? (() => false);
  }

  viewOf(request: IncomingMessage): ClientView {
    const proxies = this.trustedProxies(request);
    const entry = (name: Proxied) => {
      const entries = proxies === 0 ? [] : entriesOf(request, name);
      return entries[Math.max(0, entries.length - proxies)];
    };
    return {
      scheme: entry("x-forwarded-proto")?.toLowerCase() === "https" ? "https" : "http",
      host: entry("x-forwarded-host") ?? request.headers.host,
      prefix: this.forwardedPrefix(request) ?? this.published?.prefix ?? "",
    };
  }

  /** @returns path and query of a request below the prefix, where the request has it; undefined for what is no path */
  routeTarget(request: IncomingMessage): string | undefined {
    const target = originForm(request.url ?? "");
    if (target === undefined) return undefined;
    const published = withoutPrefix(target, this.published?.prefix ?? "");
    if (published !== undefined) return originForm(published);
    const forwarded = this.forwardedPrefix(request) ?? "";
    // Below a path of the service's own, the proxy must have removed the prefix.
    if (isOwnPath(forwarded)) return target;
    return originForm(withoutPrefix(target, forwarded) ?? target);
  }

  /** IP address of the client, as the outermost trusted proxy reports it. */
  addressOf(request: IncomingMessage): string {
    const proxies = this.trustedProxies(request);
    const entries = proxies === 0 ? [] : entriesOf(request, "x-forwarded-for");
    return entries[Math.max(0, entries.length - proxies)] ?? request.socket.remoteAddress ?? "";
  }

  /** @returns whether a trusted proxy names a prefix that is ignored because of its characters */
  hasUnusablePrefix(request: IncomingMessage): boolean {
    const entries = this.trustedProxies(request) === 0 ? [] : entriesOf(request, "x-forwarded-prefix");
    return entries.length > 0 && this.forwardedPrefix(request) === undefined;
  }

  /** Each proxy removes its own prefix from the path, so that those of several form one, the outermost first. */
  private forwardedPrefix(request: IncomingMessage): string | undefined {
    if (request.headers["x-forwarded-prefix"] === undefined) return undefined;
    const proxies = this.trustedProxies(request);
    const entries = proxies === 0 ? [] : entriesOf(request, "x-forwarded-prefix").slice(-proxies);
    if (entries.length === 0) return undefined;
    const parts = entries.map(pathPrefixOf);
    return parts.includes(undefined) ? undefined : pathPrefixOf(parts.join(""));
  }

  /**
   * The peer wrote the last entry of X-Forwarded-For. When that entry is itself a trusted proxy, it wrote the one before, and so on.
   * @returns number of trusted proxies that the request came through
   */
  private trustedProxies(request: IncomingMessage): number {
    if (!this.isTrusted(request.socket.remoteAddress)) return 0;
    const addresses = entriesOf(request, "x-forwarded-for");
    let count = 1;
    while (count < addresses.length && this.isTrusted(addresses[addresses.length - count])) count++;
    return count;
  }
}
