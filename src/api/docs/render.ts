// Markdown as pages: the frame with the navigation, headings that can be linked, a table of contents, and marks for what each request fills in.
import path from "node:path";
import { Marked, type RendererObject, type Tokens } from "marked";
import { MOST_DOCS_QUERY_CHARACTERS } from "../../contract/pages.ts";
import { PAGES } from "./page-list.ts";

/** `filled` replaces these marks for each request. The prefix of the reverse proxy: */
export const PREFIX_MARK = "__PREFIX__";
/** Host and path of this service in examples: */
const ADDRESS_MARK = "__ADDRESS__";
/** The "s" of https and wss, or nothing: */
const SECURE_MARK = "__SECURE__";

/** Address of the service in the examples of the files. */
const EXAMPLE_ADDRESS = /\b(http|ws):\/\/((?:[\w-]+:[\w-]+@)?)localhost:8080/g;
/** A page with fewer sections needs no table of contents. */
const LEAST_CONTENTS = 3;
/** Depth of the headings in the table of contents. */
const SECTION_DEPTH = 2;

export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Names of headings as repositories link to them. @param text  with its markup */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/<[^>]*>|&#?[a-z0-9]+;/g, "")
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

const example = (text: string) => escaped(text).replace(EXAMPLE_ADDRESS, `$1${SECURE_MARK}://$2${ADDRESS_MARK}`);

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
  // The page's script adds the button to the block.
  code({ text }: Tokens.Code): string {
    return `<div class="code"><pre tabindex="0"><code>${example(text)}</code></pre></div>\n`;
  },
  codespan({ text }: Tokens.Codespan): string {
    return `<code>${example(text)}</code>`;
  },
  // Nothing in these files is HTML; what looks like it is shown.
  html({ text }: Tokens.HTML | Tokens.Tag): string {
    return escaped(text);
  },
};

interface Section {
  anchor: string;
  /** With its markup. */
  title: string;
}

/** @returns the text as HTML, and its sections @param folder  of the page, below docs */
async function render(text: string, folder: string): Promise<{ html: string; sections: Section[] }> {
  const headings: Tokens.Heading[] = [];
  const walkTokens = (token: Tokens.Generic) => {
    if (token.type === "link" || token.type === "image") token["href"] = addressOf(String(token["href"]), folder);
    if (token.type === "heading" && token["depth"] === SECTION_DEPTH) headings.push(token as Tokens.Heading);
  };
  const marked = new Marked({ renderer, walkTokens });
  const html = await marked.parse(text);
  const sections = headings.map(({ text: written }) => {
    const title = String(marked.parseInline(written));
    // A link in a link is invalid.
    return { anchor: anchorOf(title), title: title.replace(/<\/?a\b[^>]*>/g, "") };
  });
  return { html, sections };
}

/** The table of contents in two forms: beside the text, and before it. The style sheet shows the one for the width of the window. */
function contentsOf(sections: readonly Section[]): { beside: string; before: string } {
  if (sections.length < LEAST_CONTENTS) return { beside: "", before: "" };
  const items = sections.map(({ anchor, title }) => `<li><a href="#${escaped(anchor)}">${title}</a></li>`).join("");
  const name = "On this page";
  return {
    beside: `<nav class="contents" aria-label="${name}"><h2>${name}</h2><ul>${items}</ul></nav>`,
    before: `<details class="contents"><summary>${name}</summary><ul>${items}</ul></details>`,
  };
}

/** The policy of the pages allows scripts and style sheets of files alone. */
export const STYLE_PATH = "/docs/style.css";
export const SCRIPT_PATH = "/docs/page.js";
export const ICON_PATH = "/docs/icon.svg";
export const SEARCH_PATH = "/docs/search";

interface Frame {
  title: string;
  /** Name of the page in the navigation; "" for none of them. */
  current: string;
  main: string;
  beside?: string;
  query?: string;
}

export function frame({ title, current, main, beside = "", query = "" }: Frame): string {
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
<link rel="icon" type="image/svg+xml" href="${PREFIX_MARK}${ICON_PATH}">
<link rel="stylesheet" href="${PREFIX_MARK}${STYLE_PATH}">
<script src="${PREFIX_MARK}${SCRIPT_PATH}" defer></script>
</head>
<body>
<header>
<a class="skip" href="#main">Skip to the content</a>
<a class="brand" href="${PREFIX_MARK}/">Parlance</a>
<a class="to-start" href="${PREFIX_MARK}/docs">Documentation</a>
<a href="${PREFIX_MARK}/docs/api">API reference</a>
<a class="to-pages" href="#pages">All pages</a>
<form role="search" action="${PREFIX_MARK}${SEARCH_PATH}">
<input type="search" name="q" aria-label="Search the documentation" placeholder="Search" maxlength="${MOST_DOCS_QUERY_CHARACTERS}" value="${escaped(query)}">
<button>Search</button>
</form>
</header>
<div class="columns">
<main id="main">${main}</main>
<nav id="pages" aria-label="Documentation"><ul>${links}<li><a href="${PREFIX_MARK}/docs/api">API reference</a></li></ul></nav>
${beside}
</div>
</body>
</html>`;
}

/** @param name  of the page, with its folder below docs */
export async function renderPage(name: string, text: string): Promise<string> {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const { html, sections } = await render(text, path.posix.dirname(name));
  const { beside, before } = contentsOf(sections);
  // The table of contents follows the title.
  const main = html.replace("</h1>\n", () => `</h1>\n${before}`);
  return frame({ title, current: name, main, beside });
}

/**
 * Fills in what depends on the request.
 * @param base  of this service in the addresses of clients, without trailing slash
 */
export function filled(page: string, prefix: string, base: string): string {
  const [scheme = "", address = ""] = base.split("://");
  return page
    .replaceAll(PREFIX_MARK, () => prefix)
    .replaceAll(SECURE_MARK, scheme === "https" ? "s" : "")
    .replaceAll(ADDRESS_MARK, () => escaped(address));
}
