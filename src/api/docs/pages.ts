// The documentation as pages at /docs, out of the same files that lie in the repository.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DocsSearchQuery, PageParams } from "../../contract/pages.ts";
import { errors } from "../../platform/errors.ts";
import { type Api, type ApiContext, publicBase } from "../context.ts";
import { LOGO } from "./logo.ts";
import { filled, ICON_PATH, renderPage, SCRIPT_PATH, SEARCH_PATH, STYLE_PATH } from "./render.ts";
import { DOCS_SCRIPT } from "./script.ts";
import { searchIndex, searchPage } from "./search.ts";
import { DOCS_STYLE } from "./style.ts";

const FOLDER = fileURLToPath(new URL("../../../docs", import.meta.url));
const NAME = /^[a-z0-9][a-z0-9-]*$/;
const PICTURE = /^[a-z0-9-]+\.png$/;
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  // Examples have the address of the request.
  "cache-control": "no-cache",
};

/** @throws request.not_found */
const textOf = (name: string): Promise<string> =>
  readFile(path.join(FOLDER, `${name}.md`), "utf8").catch(() => {
    throw errors.notFound("Page");
  });

/** Values by name, each made once. A failure is not kept. */
function keptBy<Value>(make: (name: string) => Promise<Value>): (name: string) => Promise<Value> {
  const made = new Map<string, Promise<Value>>();
  return (name) => {
    const known = made.get(name);
    if (known) return known;
    const value = make(name);
    made.set(name, value);
    value.catch(() => made.delete(name));
    return value;
  };
}

export async function addDocsPages(app: Api, context: Pick<ApiContext, "forwarding">): Promise<void> {
  if (!(await stat(FOLDER).catch(() => undefined))) return;
  const page = keptBy(async (name) => renderPage(name, await textOf(name)));
  const index = keptBy(() => searchIndex(textOf));
  const open = { config: { isOpen: true }, schema: { hide: true } };
  app.get("/docs", open, async (_request, reply) => reply.redirect("/docs/quick-start"));
  app.get(STYLE_PATH, open, async (_request, reply) => reply.type("text/css; charset=utf-8").send(DOCS_STYLE));
  app.get(ICON_PATH, open, async (_request, reply) => reply.type("image/svg+xml").send(LOGO));
  app.get(SCRIPT_PATH, open, async (_request, reply) => reply.type("text/javascript; charset=utf-8").send(DOCS_SCRIPT));
  const send = (html: string, request: FastifyRequest, reply: FastifyReply) =>
    reply
      .headers(HEADERS)
      .type("text/html; charset=utf-8")
      .send(filled(html, request.clientView.prefix, publicBase(request, context)));
  const sendPage = async (name: string, request: FastifyRequest, reply: FastifyReply) => {
    if (!name.split("/").every((part) => NAME.test(part))) throw errors.notFound("Page");
    return send(await page(name), request, reply);
  };
  app.get(SEARCH_PATH, { ...open, schema: { hide: true, querystring: DocsSearchQuery } }, async (request, reply) =>
    send(searchPage(await index("all"), request.query.q ?? ""), request, reply),
  );
  app.get("/docs/:page", { ...open, schema: { hide: true, params: PageParams } }, async (request, reply) => {
    const { page: name } = request.params;
    return sendPage(name === "decisions" ? "architecture" : name, request, reply);
  });
  app.get("/docs/decisions/:page", { ...open, schema: { hide: true, params: PageParams } }, async (request, reply) =>
    sendPage(`decisions/${request.params.page}`, request, reply),
  );
  app.get(
    "/docs/pictures/:page",
    { ...open, schema: { hide: true, params: PageParams } },
    async ({ params }, reply) => {
      if (!PICTURE.test(params.page)) throw errors.notFound("Picture");
      const picture = await readFile(path.join(FOLDER, "pictures", params.page)).catch(() => {
        throw errors.notFound("Picture");
      });
      return reply.type("image/png").send(picture);
    },
  );
}
