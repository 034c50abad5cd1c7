// The documentation as pages at /docs, out of the same files that lie in the repository.
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { FastifyRequest } from "fastify";
import { Marked, type RendererObject, type Tokens } from "marked";
import { PageParams } from "../../contract/pages.ts";
import { errors } from "../../platform/errors.ts";
import type { Api } from "../context.ts";
import { DOCS_STYLE } from "./style.ts";

const FOLDER = fileURLToPath(new URL("../../../docs", import.meta.url));

/** In the order in which people need them. */
const PAGES = [
  ["quick-start", "Quick start"],
  ["console", "Console"],
  ["proof-reading", "Proof-reading"],
  ["command-line", "Command line"],
  ["uploads", "Uploads that resume"],
  ["clients", "Existing clients"],
  ["moving-from-openai", "Moving from OpenAI"],
  ["openai-realtime", "OpenAI's Realtime interface"],
  ["telephony", "Telephone calls"],
  ["wyoming", "Home Assistant (Wyoming)"],
  ["moving-from-gladia", "Moving from Gladia"],
  ["moving-from-deepgram", "Moving from Deepgram"],
  ["assemblyai", "AssemblyAI's interface"],
  ["subtitle-tools", "Subtitle tools"],
  ["assistants", "Assistants (MCP)"],
  ["guides", "Guides"],
  ["troubleshooting", "Troubleshooting"],
  ["limits-and-errors", "Limits and errors"],
  ["live", "Live protocol"],
  ["callbacks", "Callbacks"],
  ["features", "Features"],
  ["models", "Models and languages"],
  ["settings", "Settings"],
  ["operating", "Operation"],
  ["many-machines", "Many machines"],
  ["scale", "Scale"],
  ["security", "Security"],
  ["figures", "Figures"],
  ["comparison", "Comparison"],
  ["architecture", "Architecture"],
  ["architecture-service", "Architecture: service"],
  ["architecture-speech", "Architecture: speech"],
  ["architecture-platform", "Architecture: platform"],
  ["architecture-interfaces", "Architecture: interfaces"],
  ["architecture-states", "Architecture: states"],
  ["glossary", "Glossary"],
  ["contributing", "Contributing"],
] as const;

/** Stands in rendered pages where the prefix of the reverse proxy belongs; the rendered text is shared by all requests. */
const PREFIX_MARK = "__PREFIX__";

const NAME = /^[a-z0-9][a-z0-9-]*$/;
const PICTURE = /^[a-z0-9-]+\.png$/;
const POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Names of headings as repositories link to them. */
const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&[a-z]+;/g, "")
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** Addresses between files as addresses between pages. @param folder  of the page that has them, below docs */
function addressOf(href: string, folder: string): string {
  if (/^\/(?!\/)/.test(href)) return `${PREFIX_MARK}${href}`;
  if (/^[a-z]+:|^\/|^#/i.test(href)) return href;
  const [file = "", anchor] = href.split("#");
  const page = PREFIX_MARK + path.posix.join("/docs", folder, file.replace(/^docs\//, "").replace(/\.md$/, ""));
  return anchor === undefined ? page : `${page}#${anchor}`;
}

const renderer: RendererObject = {
  heading({ tokens, depth }: Tokens.Heading): string {
    const inner = this.parser.parseInline(tokens);
    return `<h${depth} id="${escaped(anchorOf(inner))}">${inner}</h${depth}>\n`;
  },
  table(token: Tokens.Table): string {
    const row = (cells: Tokens.TableCell[], name: string) =>
      `<tr>${cells.map(({ tokens }) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`).join("")}</tr>`;
    const body = token.rows.map((cells) => row(cells, "td")).join("");
    return `<div class="table" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
  },
  code({ text }: Tokens.Code): string {
    return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
  },
  // Nothing in these files is HTML; what looks like it is shown.
  html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escaped(text);
  },
};

function render(text: string, folder: string): string | Promise<string> {
  const walkTokens = (token: Tokens.Generic) => {
    if (token.type === "link" || token.type === "image") token["href"] = addressOf(String(token["href"]), folder);
  };
  return new Marked({ renderer, walkTokens }).parse(text);
}

function frame(title: string, current: string, body: string): string {
  const links = PAGES.map(
    ([name, shown]) =>
      `<li><a href="${PREFIX_MARK}/docs/${name}"${name === current ? ' aria-current="page"' : ""}>${shown}</a></li>`,
  ).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Parlance</title>
<link rel="stylesheet" href="${PREFIX_MARK}/docs/style.css">
</head>
<body>
<header><a class="brand" href="${PREFIX_MARK}/">Parlance</a></header>
<div class="columns">
<nav aria-label="Documentation"><ul>${links}<li><a href="${PREFIX_MARK}/docs/api">API reference</a></li></ul></nav>
<main>${body}</main>
</div>
</body>
</html>`;
}

/** @throws request.not_found */
async function pageOf(name: string): Promise<string> {
  const text = await readFile(path.join(FOLDER, `${name}.md`), "utf8").catch(() => {
    throw errors.notFound("Page");
  });
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  return frame(title, name, await render(text, path.posix.dirname(name)));
}

export async function addDocsPages(app: Api): Promise<void> {
  if (!(await stat(FOLDER).catch(() => undefined))) return;
  const made = new Map<string, Promise<string>>();
  const page = (name: string): Promise<string> => {
    const known = made.get(name) ?? pageOf(name);
    // Only what is there is kept.
    known.then(
      () => made.set(name, known),
      () => undefined,
    );
    return known;
  };
  const open = { config: { isOpen: true }, schema: { hide: true } };
  app.get("/docs", open, async (_request, reply) => reply.redirect("/docs/quick-start"));
  app.get("/docs/style.css", open, async (_request, reply) => reply.type("text/css; charset=utf-8").send(DOCS_STYLE));
  const send = async (name: string, { clientView }: FastifyRequest) => {
    if (!name.split("/").every((part) => NAME.test(part))) throw errors.notFound("Page");
    return (await page(name)).replaceAll(PREFIX_MARK, clientView.prefix);
  };
  const html = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
  };
  app.get("/docs/:page", { ...open, schema: { hide: true, params: PageParams } }, async (request, reply) => {
    const { page: name } = request.params;
    const body = await send(name === "decisions" ? "architecture" : name, request);
    return reply.headers(html).type("text/html; charset=utf-8").send(body);
  });
  app.get("/docs/decisions/:page", { ...open, schema: { hide: true, params: PageParams } }, async (request, reply) => {
    const body = await send(`decisions/${request.params.page}`, request);
    return reply.headers(html).type("text/html; charset=utf-8").send(body);
  });
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
