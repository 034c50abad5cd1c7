// The web console: one page and its files, made by `npm run build`. The content security policy allows only files of this service.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Api } from "../context.ts";

/** Beside the compiled code; also when this runs from its source. */
const FOLDER = fileURLToPath(new URL("../../../dist/console", import.meta.url));

/** Shows the captions of a session to people without a key. */
export const CAPTIONS_PAGE = "/captions/:id";
/** Shows a transcript to people with a link; the token is the fragment. */
export const SHARED_PAGE = "/shared";
const PAGES = [
  "/",
  "/live",
  "/jobs",
  "/jobs/:id",
  "/setup/account",
  "/setup/models",
  "/setup/machine",
  CAPTIONS_PAGE,
  SHARED_PAGE,
];
/** The address of the three pages when they were one. */
const FORMER_SETUP = "/setup";
/** Files carry a hash of their content in their names. */
const ASSET_SECONDS = 31_536_000;
const NONCE_BYTES = 16;
/** Placeholder of the nonce in index.html. */
const NONCE_MARK = "__NONCE__";
/** Placeholder of the reverse proxy's prefix in index.html. */
const PREFIX_MARK = "__PREFIX__";
/** How the build refers to its files, which are next to the page. */
const RELATIVE_ASSETS = '"./assets/';

/** The waveform's library brings a style element, which the nonce lets through; scripts come from files alone. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self' ws: wss:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Sends the page, which shows what belongs to the address. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** @returns undefined if the console was not built */
export async function consolePage(): Promise<SendPage | undefined> {
  const index = path.join(FOLDER, "index.html");
  if (!existsSync(index)) return undefined;
  const page = (await readFile(index, "utf8")).replaceAll(RELATIVE_ASSETS, `"${PREFIX_MARK}/assets/`);
  return ({ clientView }, reply) => {
    const nonce = randomBytes(NONCE_BYTES).toString("base64");
    return reply
      .type("text/html; charset=utf-8")
      .header("content-security-policy", contentSecurityPolicy(nonce))
      .header("cache-control", "no-cache")
      .header("referrer-policy", "no-referrer")
      .header("x-content-type-options", "nosniff")
      .header("permissions-policy", "microphone=(self), display-capture=(self), camera=(), geolocation=()")
      .send(page.replaceAll(NONCE_MARK, nonce).replaceAll(PREFIX_MARK, clientView.prefix));
  };
}

export async function addConsole(app: Api, sendPage: SendPage): Promise<void> {
  await app.register(fastifyStatic, {
    root: path.join(FOLDER, "assets"),
    prefix: "/assets/",
    index: false,
    decorateReply: false,
    cacheControl: false,
    // The build compresses the files once: a browser requests more of them at once than the service compresses at a time.
    preCompressed: true,
    acceptRanges: false,
    setHeaders: (reply) => {
      reply.setHeader("cache-control", `public, max-age=${ASSET_SECONDS}, immutable`);
      reply.setHeader("x-content-type-options", "nosniff");
    },
  });
  for (const route of PAGES) {
    app.get(route, { config: { isOpen: true }, schema: { hide: true } }, async (request, reply) =>
      sendPage(request, reply),
    );
  }
  app.get(FORMER_SETUP, { config: { isOpen: true }, schema: { hide: true } }, async (_request, reply) =>
    reply.redirect("/setup/account"),
  );
}
