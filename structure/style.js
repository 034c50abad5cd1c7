// Checks the wording of documentation, comments, messages and the console's texts against style-rules.js. Prints every violation.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { CheckedFiles } from "./checked-files.js";
import { LIST_ITEMS, MOST_SENTENCE_WORDS, OPENINGS, WORDING } from "./style-rules.js";

const root = process.argv[2] ?? path.dirname(import.meta.dirname);
const filesBelow = (folder, pattern) =>
  (existsSync(path.join(root, folder))
    ? readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    : []
  )
    .map((name) => path.posix.join(folder, name.split(path.sep).join("/")))
    .filter((file) => pattern.test(file));

/** Code becomes one word, a link its text; emphasis goes. */
const plain = (text) =>
  text
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/`[^`]*`/g, "CODE")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, "CODE")
    .replace(/\*\*|\*|<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim();

/**
 * Paragraphs, list items, headings and table cells of a page, without its code blocks.
 * @returns {{line: number, text: string}[]}
 */
function passagesOf(markdown) {
  const passages = [];
  let current;
  let isCode = false;
  for (const [index, line] of markdown.split("\n").entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode;
    if (isCode || /^\s*```|^\s*$|^\|[\s:|-]+\|$/.test(line)) {
      current = undefined;
      continue;
    }
    if (line.startsWith("|")) {
      for (const cell of line.split(/(?<!\\)\|/)) if (cell.trim()) passages.push({ line: index + 1, text: cell });
      continue;
    }
    const begins = /^\s*([-*]|\d+\.|#+)\s+/.exec(line);
    if (!current || begins) {
      current = { line: index + 1, text: "" };
      passages.push(current);
    }
    current.text += `${begins ? line.slice(begins[0].length) : line}\n`;
    if (line.startsWith("#")) current = undefined;
  }
  return passages.map(({ line, text }) => ({ line, text: plain(text) }));
}

/** Ends at . ? ! before a space and a capital, a digit or a quote; not after an abbreviation. */
const sentencesOf = (text) => text.split(/(?<=(?<!\b(?:e\.g|i\.e|vs|No))[.?!]["”)]?)\s+(?=["“(]?[A-Z0-9])|[:;]\s+/);
const wordCount = (sentence) => (sentence.match(/[\p{L}\p{N}]+(?:[.,'’–-][\p{L}\p{N}]+)*/gu) ?? []).length;

/** Names after each other: longer than a sentence, and no harder to read. */
const isList = (sentence) => sentence.split(", ").length >= LIST_ITEMS;

function* problemsOf(text, isCode) {
  for (const { find, instead, inCode } of WORDING) {
    const found = (!isCode || inCode) && find.exec(text);
    if (found) yield `"${found[0]}": write instead: ${instead}`;
  }
  if (isCode) return;
  for (const sentence of sentencesOf(text)) {
    for (const { find, instead } of OPENINGS) {
      if (find.test(sentence)) yield `"${sentence.slice(0, 60)}…": ${instead}`;
    }
    const words = wordCount(sentence);
    if (words > MOST_SENTENCE_WORDS && !isList(sentence))
      yield `${words} words, more than ${MOST_SENTENCE_WORDS}: "${sentence.slice(0, 60)}…"`;
  }
}

/** Comments; those on lines that follow each other are one text. */
function commentsIn(source, comments) {
  const passages = [];
  for (const { value, start, end } of comments) {
    const last = passages.at(-1);
    const text = value.replace(/^\s*\*+ ?/gm, "");
    if (last && /^\s*$/.test(source.slice(last.end, start)) && !source.slice(last.end, start).includes("\n\n")) {
      last.text += ` ${text}`;
      last.end = end;
    } else passages.push({ start, end, text });
  }
  return passages;
}

/** Comments, and strings of more than one word. */
function passagesOfSource(file, source) {
  const lineOf = (offset) => source.slice(0, offset).split("\n").length;
  const { program, comments } = parseSync(file, source);
  const passages = commentsIn(source, comments);
  const add = (start, text) => void (/[a-z] [a-z]/i.test(text) && passages.push({ start, text }));
  new Visitor({
    Literal: ({ value, start }) => void (typeof value === "string" && add(start, value)),
    TemplateLiteral: ({ quasis, start }) => add(start, quasis.map(({ value }) => value.cooked).join(" X ")),
    JSXText: ({ value, start }) => add(start, value),
  }).visit(program);
  return passages.map(({ start, text }) => ({ line: lineOf(start), text: plain(text) }));
}

const callee = (node) => (node?.type === "Identifier" ? node.name : node && callee(node.object ?? node.callee));

/** Comments, and titles of tests and of their groups. Strings of tests and benches are also inputs. */
function commentsAndTitlesOf(file, source) {
  const lineOf = (offset) => source.slice(0, offset).split("\n").length;
  const { program, comments } = parseSync(file, source);
  const titles = commentsIn(source, comments).map(({ start, text }) => ({ line: lineOf(start), text: plain(text) }));
  new Visitor({
    CallExpression(call) {
      const [title] = call.arguments;
      if (!["test", "describe"].includes(callee(call.callee)) || !title) return;
      const text = title.quasis?.map(({ value }) => value.cooked).join(" X ") ?? title.value;
      if (typeof text === "string") titles.push({ line: lineOf(title.start), text: plain(text) });
    },
  }).visit(program);
  return titles;
}

const pages = ["README.md", "SECURITY.md", "CHANGELOG.md", ...filesBelow("docs", /\.md$/)];
const sources = ["src", "console/src"]
  .flatMap((folder) => filesBelow(folder, /(?<!\.d)\.tsx?$/))
  .filter((file) => !/\.test\.ts$/.test(file));
const others = [
  ...filesBelow("src", /\.test\.ts$/),
  ...["test", "console/test", "bench", "bin", "deploy", "structure"].flatMap((folder) =>
    filesBelow(folder, /(?<!\.d)\.(tsx?|m?js)$/),
  ),
];
const OWN = ["style.js", "style-rules.js", "checked-files.js", "../package-lock.json"].map((name) =>
  path.join(import.meta.dirname, name),
);
const checked = new CheckedFiles(path.join(root, "node_modules/.cache/style.json"), OWN);
let count = 0;
/** @param passagesOfFile  of its name and content */
function check(file, passagesOfFile, isCode) {
  const content = readFileSync(path.join(root, file), "utf8");
  count += checked.violations(file, content, () => {
    const problems = passagesOfFile(file, content).flatMap(({ line, text }) =>
      [...problemsOf(text, isCode)].map((problem) => `${file}:${line} ${problem}\n`),
    );
    process.stderr.write(problems.join(""));
    return problems.length;
  });
}
for (const file of pages) check(file, (_, content) => passagesOf(content), false);
for (const file of sources) check(file, passagesOfSource, true);
for (const file of others) check(file, commentsAndTitlesOf, true);
checked.store();
process.stdout.write(
  `${pages.length} pages and ${sources.length} modules and the comments and titles in ${others.length} other files: ${count} violations of structure/style-rules.js\n`,
);
if (count > 0) process.exit(1);
