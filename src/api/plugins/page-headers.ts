// What a browser may do with an answer, on every answer: nothing, unless it is a page that says otherwise. A file that
// somebody uploaded, or a result, runs nothing on this origin even when it is opened as a page.
import { corsOriginsOf } from "../../platform/config/cors-origins.ts";
import type { Settings } from "../../platform/config/settings.ts";
import type { Api } from "../context.ts";

const NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
/** The reference page (Swagger UI): its own files alone. It makes style elements, and draws signs from data addresses. */
const REFERENCE = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
const REFERENCE_PREFIX = "/docs/api";
/** The policy of a worker's script is the worker's own; the console's pages have one that allows these files. */
const ASSETS_PREFIX = "/assets/";

function policyFor(url: string): string | undefined {
  if (url.startsWith(ASSETS_PREFIX)) return undefined;
  return url === REFERENCE_PREFIX || url.startsWith(`${REFERENCE_PREFIX}/`) ? REFERENCE : NOTHING;
}

export function addPageHeaders(app: Api, { corsOrigins }: Pick<Settings, "corsOrigins">): void {
  // Pages of other origins embed nothing from here, unless some of them may call the interface.
  const resources = corsOriginsOf(corsOrigins).length === 0 ? "same-origin" : "cross-origin";
  app.addHook("onSend", async (request, reply) => {
    reply
      .header("x-content-type-options", "nosniff")
      .header("x-frame-options", "DENY")
      .header("cross-origin-resource-policy", resources);
    // No cache may keep recordings, transcripts and keys: neither that of a shared browser nor that of a proxy.
    if (request.account && !reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
    if (!reply.hasHeader("referrer-policy")) reply.header("referrer-policy", "no-referrer");
    const policy = policyFor(request.routeOptions.url ?? "");
    if (policy !== undefined && !reply.hasHeader("content-security-policy")) {
      reply.header("content-security-policy", policy);
    }
  });
}
