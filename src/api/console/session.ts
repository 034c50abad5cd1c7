// Signing in to the console: the key goes into a cookie that no script can read, and nowhere else. Requests of other pages
// do not carry it, and where a browser tells whose request it is, only the console's own count.
import { Type } from "@sinclair/typebox";
import type { FastifyRequest } from "fastify";
import { errors } from "../../errors.ts";
import type { Api } from "../context.ts";
import { errorResponses } from "../schemas/errors.ts";

const COOKIE = "parlance_key";
const YEAR_SECONDS = 31_536_000;

/** Sec-Fetch-Site is told on https and on this machine; elsewhere Origin has to do. */
function isOwnPage(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || (site === "none" && request.method === "GET");
  const { origin } = request.headers;
  if (origin === undefined) return request.method === "GET";
  return URL.canParse(origin) && new URL(origin).host === request.host;
}

/** The key of whoever is signed in on this browser. */
export function cookieKey(request: FastifyRequest): string | undefined {
  const { cookie } = request.headers;
  if (cookie === undefined || !isOwnPage(request)) return undefined;
  const found = cookie.split(/; */).find((pair) => pair.startsWith(`${COOKIE}=`));
  try {
    return found && decodeURIComponent(found.slice(COOKIE.length + 1));
  } catch {
    return undefined;
  }
}

function setCookie(request: FastifyRequest, value: string, seconds: number | undefined): string {
  const parts = [`${COOKIE}=${encodeURIComponent(value)}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  if (seconds !== undefined) parts.push(`Max-Age=${seconds}`);
  if (request.protocol === "https") parts.push("Secure");
  return parts.join("; ");
}

const SignInBody = Type.Object(
  { key: Type.String({ minLength: 1, maxLength: 500 }), remember: Type.Optional(Type.Boolean({ default: false })) },
  { title: "SignIn" },
);

/**
 * @param isAnonymous  requests without a key are served
 * @param isKey        whether a key opens an account
 */
export function addConsoleSession(
  app: Api,
  isAnonymous: boolean,
  isKey: (key: string, address: string) => Promise<boolean>,
): void {
  const open = { isOpen: true };
  app.post(
    "/console/session",
    { config: open, schema: { hide: true, body: SignInBody, response: errorResponses(400, 401, 403, 413, 415) } },
    async (request, reply) => {
      if (!isOwnPage(request)) throw errors.notOwnPage();
      const { key, remember } = request.body;
      if (!(await isKey(key.trim(), request.ip))) throw errors.keyUnknown();
      reply.header("set-cookie", setCookie(request, key.trim(), remember ? YEAR_SECONDS : undefined));
      return reply.code(204).send(undefined as never);
    },
  );
  app.get(
    "/console/session",
    { config: open, schema: { hide: true, response: errorResponses() } },
    async (request, reply) => {
      const key = cookieKey(request);
      return reply.send({ needs_key: !isAnonymous && !(key !== undefined && (await isKey(key, request.ip))) } as never);
    },
  );
  app.delete("/console/session", { config: open, schema: { hide: true } }, async (request, reply) =>
    reply
      .header("set-cookie", setCookie(request, "", 0))
      .code(204)
      .send(),
  );
}
