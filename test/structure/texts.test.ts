// Runs structure/texts.js on small trees with one violation each, so that no rule can stop working unnoticed.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

const CHECK = path.join(import.meta.dirname, "../../structure/texts.js");

/** @param files  path → source @returns what the checker prints about them */
async function problems(files: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(path.join(os.tmpdir(), "parlance-texts-"));
  const tree = {
    "console/src/language/tables/en.ts": 'export const texts = { page: { title: "Title", states: { on: "On" } } };\n',
    "console/src/page.tsx": "export const Page = () => <h1 title={t.page.title}>{t.page.states[state]}</h1>;\n",
    ...files,
  };
  try {
    for (const [file, source] of Object.entries(tree)) {
      await mkdir(path.dirname(path.join(root, file)), { recursive: true });
      await writeFile(path.join(root, file), source);
    }
    return await new Promise((resolve) => {
      execFile(process.execPath, [CHECK, root], (_error, _output, errorOutput) => {
        resolve(errorOutput.split("\n").filter((line) => line !== ""));
      });
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

const inModule = (source: string) => problems({ "console/src/part.tsx": `${source}\n` });

test("texts of the tables, code, names and punctuation are not reported", async () => {
  expect(
    await inModule(`import { t } from "./language/language.ts";
const ADDRESS = "/v2/some/path";
export const Part = ({ kind, more }: { kind: "one" | "Two"; more: string }) => (
  <section class={\`card wide \${kind}\`} id="part" aria-label={t.page.title}>
    {kind === "Two" ? t.page.title : null} · <code>npx parlance keys</code>
    {" – "}
    <button type="button" onClick={() => notice(t.page.title, "bad")} data-at={ADDRESS}>
      {more}
    </button>
  </section>
);`),
  ).toEqual([]);
});

test.each([
  ["text between elements", "export const a = () => <p>hello</p>;", "hello"],
  ["text in an expression", 'export const a = (is: boolean) => <p>{is ? "yes" : null}</p>;', "yes"],
  ["a template", `export const a = (count: number) => <p>{\`\${count} words\`}</p>;`, "words"],
  ["a title", 'export const a = () => <p title="hello">{1}</p>;', "hello"],
  ["a label for screen readers", `export const a = (n: number) => <p aria-label={\`row \${n}\`}>{n}</p>;`, "row"],
  ["a placeholder", 'export const a = () => <input placeholder={"name" + 1} />;', "name"],
  ["an alternative text", 'export const a = () => <img alt="picture" />;', "picture"],
  ["a property of a component", 'export const a = () => <Bar name="progress" />;', "progress"],
  ["a notice", 'export const a = () => notice("saved");', "saved"],
  ["a question", `export const a = (name: string) => confirm(\`remove \${name}\`);`, "remove"],
  ["the title of a page", 'export const a = () => useTitle("setup");', "setup"],
  ["an error that is shown", 'export const a = () => new ApiError(0, "nothing there");', "nothing there"],
  ["what copying says", 'export const a = () => copy("x", "copied");', "copied"],
  ["an attribute that is set", 'export const a = (e: Element) => e.setAttribute("aria-label", "close");', "close"],
  ["text that is set", 'export const a = (e: Element) => { e.textContent = "corrected"; };', "corrected"],
  ["a name in a list", 'export const NAMES = { on: "Switched", off: 1 };', "Switched"],
  ["a sentence that is kept", 'export const LOST = "the connection is lost";', "the connection is lost"],
  ["letters of another script", "export const a = () => <p>سلام</p>;", "سلام"],
])("%s is reported", async (_, source, text) => {
  expect(await inModule(source)).toEqual([
    expect.stringMatching(new RegExp(`part\\.tsx:1 "${text}" is not in a table`)),
  ]);
});

test("a text that is read when a module is loaded is reported", async () => {
  expect(await inModule("export const TITLE = t.page.title;")).toEqual([
    expect.stringMatching(/part\.tsx:1 t is read once/),
  ]);
});

test("a text that nothing uses is reported", async () => {
  const table = 'export const texts = { page: { title: "Title", lead: "Lead", states: { on: "On" } } };\n';
  expect(await problems({ "console/src/language/tables/en.ts": table })).toEqual([
    expect.stringMatching(/nothing uses the text page\.lead/),
  ]);
});

test.each([
  ["a text in a style sheet", '.words::before {\n  content: "Deleted";\n}\n', /a text in a style sheet/],
  ["a margin on one side", ".card {\n  margin-left: 1rem;\n}\n", /does not follow the direction/],
  ["a place on one side", ".card {\n  right: 0;\n}\n", /does not follow the direction/],
  ["an alignment to one side", ".card {\n  text-align: left;\n}\n", /does not follow the direction/],
])("%s is reported", async (_, css, problem) => {
  expect(await problems({ "console/src/styles/some.css": css })).toEqual([expect.stringMatching(problem)]);
});

test("a place in the timeline, and margins along the text, are not reported", async () => {
  const css =
    '.timeline-wave {\n  left: 0;\n}\n.card {\n  margin-inline-start: 1rem;\n  content: attr(data-x) "…";\n}\n';
  expect(await problems({ "console/src/styles/some.css": css })).toEqual([]);
});
