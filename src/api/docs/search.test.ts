import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { filled, renderPage } from "./render.ts";
import { search, searchIndex, searchPage, sectionsOf, wordsOf } from "./search.ts";

const PAGE = `# Uploads

Begins here.

## A part & \`curl\`

Send the **file** with [curl](other.md). <b>Not HTML</b>

\`\`\`sh no-run
curl -T "naïve.mp3" http://localhost:8080/v2/upload # comment
\`\`\`

| name | means |
| --- | --- |
| \`limit\` | bytes at most |
`;
const sections = sectionsOf("uploads", PAGE);
const titles = (query: string) => search(sections, query).map(({ title }) => title);

test("a section has its words without markup, and the anchor that the page gives its heading", async () => {
  expect(sections.map(({ title, text }) => [title, text])).toEqual([
    ["Uploads", "Begins here."],
    [
      "A part & curl",
      'Send the file with curl. <b>Not HTML</b> curl -T "naïve.mp3" http://localhost:8080/v2/upload # comment name means limit bytes at most',
    ],
  ]);
  const html = await renderPage("uploads", PAGE);
  for (const { anchor } of sections.slice(1)) expect(html).toContain(`id="${anchor}"`);
});

test("every word must be there, in any case, with or without accents; headings come first", () => {
  expect(titles("CURL naive limit")).toEqual(["A part & curl"]);
  expect(titles("curl nothing")).toEqual([]);
  expect(titles("")).toEqual([]);
  expect(titles("uploads")).toEqual(["Uploads", "A part & curl"]);
});

test("the query and the texts are shown as text", () => {
  const html = searchPage(sections, '<script>alert("1")</script> not html');
  expect(html).not.toContain("<script>alert");
  expect(searchPage(sections, "not html")).toContain("&lt;b&gt;<mark>Not</mark> HTML&lt;/b&gt;");
});

test("a query has at most eight words, and takes time that its words bound", () => {
  expect(wordsOf("a ".repeat(100))).toEqual({ first: Array(8).fill("a"), rest: 92 });
  expect(wordsOf("!!! ???").first).toEqual([]);
  expect(searchPage(sections, "curl ".repeat(9))).toContain("Only the first 8 words count.");
});

test("the real pages are searched; every result links to a heading of its page", async () => {
  const folder = path.join(import.meta.dirname, "../../../docs");
  const read = (page: string) => readFile(path.join(folder, `${page}.md`), "utf8");
  const all = await searchIndex(read);
  expect(search(all, "home assistant wyoming")[0]?.page).toBe("wyoming");
  const lost = [];
  for (const page of new Set(all.map((section) => section.page))) {
    const html = await renderPage(page, await read(page));
    for (const { anchor } of all.filter((section) => section.page === page && section.anchor !== "")) {
      if (!html.includes(`id="${anchor}"`)) lost.push(`${page}#${anchor}`);
    }
  }
  expect(lost).toEqual([]);
});

test("examples have the address of the request, escaped; other addresses of this machine stay", async () => {
  const html = await renderPage(
    "x",
    "# X\n\n```sh\ncurl http://localhost:8080/a ws://localhost:8080 http://localhost:11434\n```\n",
  );
  expect(filled(html, "/p", "https://speech.example.com/p")).toContain(
    "curl https://speech.example.com/p/a wss://speech.example.com/p http://localhost:11434",
  );
  expect(filled(html, "", "http://10.0.0.1:9000")).toContain("curl http://10.0.0.1:9000/a ws://10.0.0.1:9000 ");
});

test("a page with several sections has a table of contents", async () => {
  const long = await renderPage("x", "# X\n\n## One\n\n## Two `a`\n\n## Three\n");
  expect(long).toContain('<li><a href="#two-a">Two <code>a</code></a></li>');
  expect(await renderPage("x", "# X\n\n## One\n")).not.toContain("On this page");
});
