// Finds what would show in English only: texts of the console outside the tables of console/src/language/tables, texts that are read once
// when a module is loaded, and positions in style sheets that do not follow the direction of the text. Finds texts of the tables that nothing uses.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import * as rules from "./texts-rules.js";

const root = process.argv[2] ?? path.dirname(import.meta.dirname);
const TABLES = "console/src/language/tables/";
/** Texts of messages of the service, compared with their English forms by console/test/messages.test.ts. */
const MESSAGES = "console/src/language/messages/";
const SOURCE_TABLE = `${TABLES}en.ts`;

const LETTERS = /\p{L}/u;
/** Two words, or one with a capital letter: such a text is hardly for programs. */
const WORDS = /\p{L}{2,}[,;:]?\s+\p{L}{2,}|^\p{Lu}\p{Ll}{2,}/u;

/** @returns every node with those around it, the outermost first */
function* nodesOf(node, ancestors = []) {
  yield { node, ancestors };
  const around = [...ancestors, node];
  for (const [name, value] of Object.entries(node)) {
    if (name === "parent" || value === null || typeof value !== "object") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child !== null && typeof child?.type === "string") yield* nodesOf(child, around);
    }
  }
}

const textOf = (node) => {
  if (node.type === "JSXText") return node.value;
  if (node.type === "TemplateElement") return node.value.cooked;
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
};

/** Expressions whose value is that of one of their parts. */
const PASSING = {
  ConditionalExpression: ["consequent", "alternate"],
  LogicalExpression: ["left", "right"],
  TemplateLiteral: ["quasis", "expressions"],
  BinaryExpression: ["left", "right"],
  ArrayExpression: ["elements"],
  ParenthesizedExpression: ["expression"],
  TSAsExpression: ["expression"],
  TSSatisfiesExpression: ["expression"],
};

const isPassing = (around, node) =>
  (around.type !== "BinaryExpression" || around.operator === "+") &&
  (PASSING[around.type] ?? []).some((name) => [around[name]].flat().includes(node));

/** Where the value of a node goes: `own` is the outermost expression with that value, `around` takes it, `before` and `next` enclose `around`. */
function destinationOf(node, ancestors) {
  let [own, at] = [node, ancestors.length - 1];
  while (at >= 0 && isPassing(ancestors[at], own)) own = ancestors[at--];
  return { own, around: ancestors[at], before: ancestors[at - 1], next: ancestors[at - 2] };
}

const nameOfJsx = ({ name, namespace }) => (namespace ? `${namespace.name}:${name.name}` : (name?.name ?? name));
const elementName = (element) => element?.openingElement?.name?.name ?? element?.name?.name ?? "";
const calleeName = ({ callee }) => callee.name ?? callee.property?.name ?? "";

/** @returns whether a person sees the text; undefined where only its words can decide */
function isSeen(node, ancestors) {
  const parent = ancestors.at(-1);
  if (node.type === "JSXText") return !rules.CODE_ELEMENTS.includes(elementName(parent));
  const { own, around, before, next } = destinationOf(node, ancestors);
  const attribute = around?.type === "JSXAttribute" ? around : before?.type === "JSXAttribute" ? before : undefined;
  if (attribute && [around, before].includes(attribute)) {
    const element = around === attribute ? before : next;
    const isComponent = /^\p{Lu}/u.test(elementName(element));
    return (isComponent ? rules.SEEN_PROPERTIES : rules.SEEN_ATTRIBUTES).includes(nameOfJsx(attribute.name));
  }
  if (around?.type === "JSXExpressionContainer") return !rules.CODE_ELEMENTS.includes(elementName(before));
  if (around?.type === "CallExpression" || around?.type === "NewExpression") {
    const name = calleeName(around);
    if (name === "setAttribute")
      return rules.SEEN_ATTRIBUTES.includes(around.arguments[0]?.value) && around.arguments[1] === own;
    if (rules.TECHNICAL_CALLS.includes(name)) return false;
    return rules.SHOWING_CALLS.includes(name) && isShownArgument(name, around.arguments.indexOf(own), own)
      ? true
      : undefined;
  }
  if (around?.type === "AssignmentExpression" && around.right === own) {
    const name = around.left.property?.name;
    if (name === "className") return false;
    return rules.SHOWN_PROPERTIES.includes(name) ? true : undefined;
  }
  return undefined;
}

/** The kind of a notice, and what is copied, are for programs. */
const isShownArgument = (name, position, own) =>
  position >= 0 &&
  !(name === "copy" && position === 0) &&
  !(name === "notice" && position > 0 && own.type === "Literal");

/** Strings that are no texts, wherever they are: names of modules, types, keys of objects, compared values. */
function isName(node, ancestors) {
  const parent = ancestors.at(-1);
  if (
    ["ImportDeclaration", "ExportNamedDeclaration", "ExportAllDeclaration", "ImportExpression"].includes(parent?.type)
  )
    return true;
  if (ancestors.some(({ type }) => type.startsWith("TS") && !/^TS(As|Satisfies|NonNull|Parameter)/.test(type)))
    return true;
  if (parent?.type === "Property" && parent.key === node) return true;
  if (parent?.type === "MemberExpression" && parent.property === node) return true;
  if (parent?.type === "SwitchCase") return true;
  return parent?.type === "BinaryExpression" && /^[!=]==?$/.test(parent.operator);
}

const isFunction = ({ type }) =>
  ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression", "PropertyDefinition"].includes(type);

/** "group.name" of `t.group.name`, and of `t.group[name]` "group". */
function pathOf(node, ancestors) {
  const names = [];
  let [own, at] = [node, ancestors.length - 1];
  for (; at >= 0; own = ancestors[at--]) {
    const around = ancestors[at];
    if (around.type !== "MemberExpression" || around.object !== own) break;
    const name = around.computed ? around.property.value : around.property.name;
    if (typeof name !== "string") break;
    names.push(name);
  }
  return names.join(".");
}

/** @returns problems of a module, and the texts of the tables that it uses */
function readModule(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const problems = [];
  const uses = new Set();
  const report = ({ start }, text) => problems.push(`${file}:${source.slice(0, start).split("\n").length} ${text}`);
  for (const { node, ancestors } of nodesOf(program)) {
    if (node.type === "Identifier" && ["t", "formats"].includes(node.name) && ancestors.at(-1)?.object === node) {
      if (node.name === "t") uses.add(pathOf(node, ancestors));
      if (!ancestors.some(isFunction))
        report(node, `${node.name} is read once, when the module is loaded: read it in a function`);
    }
    const text = textOf(node);
    if (text === undefined || !LETTERS.test(text) || isName(node, ancestors)) continue;
    const seen = isSeen(node, ancestors);
    if (seen === false || (seen === undefined && !WORDS.test(text))) continue;
    const shown = text.replace(/\s+/gu, " ").trim();
    const isAllowed = rules.ALLOWED.some(
      (one) => (one.file ?? file) === file && (one.text === shown || (one.text === "*" && !(one.isCode && seen))),
    );
    if (!isAllowed) report(node, `"${shown.slice(0, 60)}" is not in a table of languages: add it to ${SOURCE_TABLE}`);
  }
  return { problems, uses };
}

/** Names of the texts of a table: "group.name". */
function namesOf(source) {
  const { program } = parseSync(SOURCE_TABLE, source);
  const names = [];
  const read = (object, before) => {
    for (const { key, value } of object.properties) {
      const name = [...before, key.name ?? key.value];
      if (value.type === "ObjectExpression") read(value, name);
      else names.push(name.join("."));
    }
  };
  for (const { node } of nodesOf(program)) {
    if (node.type === "VariableDeclarator" && node.id.name === "texts") read(node.init, []);
  }
  return names;
}

const SIDE =
  /^\s*(?:(?:margin|padding|border|inset|scroll-(?:margin|padding))-(?:left|right)[\w-]*|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/;

function* problemsOfStyle(file, source) {
  let selector = "";
  for (const [index, line] of source.split("\n").entries()) {
    if (line.trim().endsWith("{") || line.trim().endsWith(",")) selector = line;
    if (/\bcontent\s*:\s*["'][^"']*\p{L}/u.test(line))
      yield `${file}:${index + 1} a text in a style sheet: show an attribute`;
    if (SIDE.test(line) && !rules.LEFT_TO_RIGHT.some((part) => selector.includes(part)))
      yield `${file}:${index + 1} "${line.trim()}" does not follow the direction of the text: use margin-inline-start, inset-inline-end and so on`;
  }
}

const files = readdirSync(path.join(root, "console/src"), { recursive: true, encoding: "utf8" })
  .map((name) => path.posix.join("console/src", name.split(path.sep).join("/")))
  .filter((file) => !file.startsWith(TABLES) && !file.startsWith(MESSAGES));
const read = (file) => readFileSync(path.join(root, file), "utf8");
const problems = [];
const used = new Set();
for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
  const found = readModule(file, read(file));
  problems.push(...found.problems);
  for (const use of found.uses) used.add(use);
}
for (const file of files.filter((name) => name.endsWith(".css"))) problems.push(...problemsOfStyle(file, read(file)));
const names = namesOf(read(SOURCE_TABLE));
for (const name of names) {
  const isUsed = name.split(".").some((_, count, parts) => used.has(parts.slice(0, count + 1).join(".")));
  if (!isUsed) problems.push(`${SOURCE_TABLE} nothing uses the text ${name}: remove it from every table`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${files.length} files of the console, ${names.length} texts: ${problems.length} problems\n`);
if (problems.length > 0) process.exit(1);
