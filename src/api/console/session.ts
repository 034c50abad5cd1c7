// Signing in to the console: the key is kept in a cookie that no script can read, and nowhere else. Browsers do not add the
// cookie to requests of other sites, and the service uses it for the console's own requests only.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { ConsoleSessionBody, SignInBody } from "../../contract/pages.ts";
import { errors } from "../../platform/errors.ts";
import type { RequestOrigins } from "../../platform/net/request-origin.ts";
import type { Api } from "../context.ts";

const COOKIE = "parlance_key";
const YEAR_SECONDS = 31_536_000;

/** Browsers name the page with every request that changes something: one that names none is no page's. */
function isFromConsole(request: FastifyRequest, origins: RequestOrigins): boolean {
  const { origin, "sec-fetch-site": site } = request.headers;
  if (site === undefined ? origin === undefined : site === "none") return false;
  return origins.isOwnPage(request);
}

/** The key of the browser's session, in requests of the service's own pages. */
export function cookieKey(request: FastifyRequest, origins: RequestOrigins): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !origins.isOwnPage(request)) return undefined;
  if (request.method !== "GET" && !isFromConsole(request, origins)) return undefined;
  const found = cookie.split(/; */).find((pair) => pair.startsWith(`${COOKIE}=`));
  try {
    return found && decodeURIComponent(found.slice(COOKIE.length + 1));
  } catch {
    return undefined;
  }
}

function setCookie(request: FastifyRequest, value: string, seconds: number | undefined): string {
  const parts = [
    `${COOKIE}=${encodeURIComponent(value)}`,
    `Path=${request.clientView.prefix}/`,
    "HttpOnly",
    "SameSite=Strict",
  ];
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  // The page's own origin says so, also where the proxy with TLS is not trusted to.
  if (request.clientView.scheme === "https" || request.headers.origin?.startsWith("https:")) parts.push("Secure");
  return parts.join("; ");
}

export interface ConsoleSessions {
  /** Requests without a key are served. */
  isAnonymous: boolean;
  origins: RequestOrigins;
  /** Whether a key opens an account. @throws account.too_many_guesses */
  isKey(key: string, address: string): Promise<boolean>;
}

/** Greatest body of a sign-in, which needs no key. */
const MOST_SIGN_IN_BYTES = 4_096;

export function addConsoleSession(app: Api, { isAnonymous, origins, isKey }: ConsoleSessions): void {
  const open = { isOpen: true };
  app.post(
    "/console/session",
    {
      config: open,
      bodyLimit: MOST_SIGN_IN_BYTES,
      schema: { hide: true, body: SignInBody, response: errorResponses(400, 401, 403, 413, 415) },
    },
    async (request, reply) => {
      origins.checkHost(request);
      if (!isFromConsole(request, origins)) throw errors.notOwnPage();
      const { key, remember } = request.body;
      if (!(await isKey(key.trim(), request.ip))) throw errors.keyUnknown();
      reply.header("set-cookie", setCookie(request, key.trim(), remember ? YEAR_SECONDS : undefined));
      return reply.code(204).send(undefined as never);
    },
  );
  app.get(
    "/console/session",
    { config: open, schema: { hide: true, response: { 200: ConsoleSessionBody, ...errorResponses() } } },
    async (request, reply) => {
      const key = cookieKey(request, origins);
      return reply.send({ needs_key: !isAnonymous && !(key !== undefined && (await isKey(key, request.ip))) });
    },
  );
  app.delete(
    "/console/session",
    { config: open, schema: { hide: true, response: errorResponses(403) } },
    async (request, reply) => {
      if (!isFromConsole(request, origins)) throw errors.notOwnPage();
      return reply
        .header("set-cookie", setCookie(request, "", 0))
        .code(204)
        .send(undefined as never);
    },
  );
}
