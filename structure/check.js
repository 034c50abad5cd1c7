// Checks rules.js against the source: which module imports what, cycles between folders, length. Prints every violation.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import * as rules from "./rules.js";

/** @param {string} place  a file, or a folder that ends in / */
const isIn = (file, place) => (place.endsWith("/") ? file.startsWith(place) : file === place);
const isInOne = (file, places) => places.some((place) => isIn(file, place));

/** `@scope/name/sub` → `@scope/name`; `node:dns/promises` stays as it is. */
const packageOf = (specifier) =>
  specifier.startsWith("node:")
    ? specifier
    : specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");

const ROOMS = Object.keys(rules.ROOMS);
/** Number of the room, lowest first. */
const levelOf = (file) => ROOMS.findIndex((room) => file.startsWith(room));

const text = (node) => (node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined);
const isNamed = (node, name) => node?.type === "Identifier" && node.name === name;

const CONSTANT = /^[A-Z][A-Z0-9_]+$/;
/** Shorter cuts with a literal number are of dates, ids and names. */
const LONGEST_LITERAL_CUT = 32;

/** The bound of `list.slice(0, MOST)`, `list.slice(-MOST)` and `list.splice(MOST)`; undefined for other calls. */
function cutOf(callee, args) {
  const method = callee?.property?.name;
  const [first, second] = args;
  const isSlice = method === "slice" && args.length === 2 && first.type === "Literal" && first.value === 0;
  const isEnd = method === "slice" && args.length === 1 && first.type === "UnaryExpression";
  const isSplice = method === "splice" && args.length === 1;
  const bound = isSlice ? second : isEnd ? first.argument : isSplice ? first : undefined;
  if (bound?.type === "Identifier" && CONSTANT.test(bound.name)) return bound.name;
  return bound?.type === "Literal" && bound.value > LONGEST_LITERAL_CUT ? String(bound.value) : undefined;
}

/**
 * Facts of one module.
 * @param {string} file    path from the root, with /
 * @param {string} source  TypeScript
 */
function factsOf(file, source) {
  const { program, module, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
  ];
  const staticSpecifiers = [...specifiers];
  const facts = { file, lines: source.split("\n").length - 1, readsEnvironment: false, callsFetch: false };
  facts.castsTime = false;
  facts.errorClasses = [];
  facts.functions = [];
  facts.avoidedNames = new Set();
  facts.cuts = new Set();
  const lineStarts = [...source.matchAll(/\n/g)].map(({ index }) => index);
  /** Lines up to an offset. */
  const lineOf = (offset) => {
    let low = 0;
    for (let high = lineStarts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (lineStarts[middle] < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
  const measure = ({ id, start, end }) =>
    facts.functions.push({ name: id?.name ?? `of line ${lineOf(start)}`, lines: lineOf(end) - lineOf(start) + 1 });
  facts.awaitsTimer = false;
  new Visitor({
    ImportExpression: ({ source: specifier }) => void (text(specifier) && specifiers.push(text(specifier))),
    TSImportType: ({ source: specifier }) => void (text(specifier) && specifiers.push(text(specifier))),
    Identifier({ name }) {
      const words = name
        .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
        .toLowerCase()
        .split(/[ _$]/);
      if (words.some((word) => rules.AVOIDED_NAMES.includes(word))) facts.avoidedNames.add(name);
    },
    TSAsExpression({ typeAnnotation }) {
      if (isNamed(typeAnnotation.typeName, "DatabaseTime")) facts.castsTime = true;
    },
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
    MemberExpression({ object, property }) {
      if (isNamed(object, "Intl") && isNamed(property, "Segmenter")) facts.dividesText = true;
      if (isNamed(object, "process") && (isNamed(property, "env") || text(property) === "env"))
        facts.readsEnvironment = true;
    },
    ClassDeclaration({ id, superClass }) {
      if (superClass?.type === "Identifier" && superClass.name.endsWith("Error"))
        facts.errorClasses.push(id?.name ?? "(unnamed)");
    },
    CallExpression({ callee, arguments: args }) {
      const [first] = args;
      const cut = cutOf(callee, args);
      if (cut !== undefined) facts.cuts.add(cut);
      if (isNamed(callee, "fetch") || (isNamed(callee?.object, "globalThis") && isNamed(callee?.property, "fetch")))
        facts.callsFetch = true;
      if (isNamed(callee?.property, "normalize") && typeof first?.value === "string") facts.normalizesText = true;
      if (isNamed(callee, "setTimeout") && isNamed(first, "resolve")) facts.awaitsTimer = true;
    },
  }).visit(program);
  const importsTypes = ({ entries }) => entries.length > 0 && entries.every(({ isType }) => isType);
  const types = new Set(module.staticImports.filter(importsTypes).map(({ moduleRequest }) => moduleRequest.value));
  // A module may import types of a package in one statement, and values of it in another.
  for (const statement of module.staticImports)
    if (!importsTypes(statement)) types.delete(statement.moduleRequest.value);
  const isRelative = (specifier) => specifier.startsWith(".");
  const resolved = (specifier) => path.posix.normalize(path.posix.join(path.posix.dirname(file), specifier));
  return {
    ...facts,
    packages: specifiers.filter((specifier) => !isRelative(specifier)).map(packageOf),
    runtimePackages: specifiers.filter((one) => !isRelative(one) && !types.has(one)).map(packageOf),
    modules: specifiers.filter(isRelative).map(resolved),
    staticImports: staticSpecifiers
      .filter((one) => !types.has(one))
      .map((one) => (isRelative(one) ? resolved(one) : packageOf(one))),
  };
}

function* importProblems({ file, packages, runtimePackages, modules }) {
  for (const name of packages) {
    const places = rules.PACKAGES[name] ?? rules.PACKAGES[name.replace(/\/.*/, "/*")];
    if (places && !isInOne(file, places)) yield `imports ${name}; only ${places.join(", ")} may`;
  }
  for (const name of runtimePackages) {
    const places = rules.RUNTIME_PACKAGES[name];
    if (places && !isInOne(file, places.by))
      yield `imports more than types from ${name}; only ${places.by.join(", ")} may: ${places.why}`;
  }
  for (const imported of modules) {
    for (const { of, by, why } of rules.MODULES) {
      if (isIn(imported, of) && !isIn(file, of) && !isInOne(file, by))
        yield `imports ${imported}; only ${[of, ...by].join(", ")} may: ${why}`;
    }
  }
}

function* contentProblems(facts) {
  const { file, readsEnvironment, callsFetch, errorClasses, awaitsTimer, avoidedNames, castsTime, cuts } = facts;
  if (facts.normalizesText && file !== rules.NORMALIZED)
    yield `calls normalize, which takes quadratic time for many marks; use ${rules.NORMALIZED}`;
  if (facts.dividesText && file !== rules.WORD_SEGMENTS)
    yield `uses Intl.Segmenter, which takes quadratic memory for long texts; use ${rules.WORD_SEGMENTS}`;
  if (readsEnvironment && !isInOne(file, rules.ENVIRONMENT))
    yield `reads process.env; only ${rules.ENVIRONMENT.join(", ")} may: add a setting to src/platform/config/sections/`;
  if (callsFetch && !isInOne(file, rules.FETCH)) yield "calls fetch; use src/platform/net/safe-fetch.ts";
  if (awaitsTimer && !isInOne(file, rules.TIMERS)) yield `awaits a timer; use ${rules.TIMERS.join(", ")}`;
  if (castsTime && !isInOne(file, rules.DATABASE_TIMES))
    yield "makes a time of the database from another one; use src/platform/storage/db/database-time.ts";
  for (const name of avoidedNames) {
    if (!rules.KEPT_NAMES[name])
      yield `names something ${name}, as a person would be described; say what the program does`;
  }
  for (const bound of cuts) {
    if (rules.CUTS[`${file} ${bound}`] === undefined)
      yield `cuts a list at ${bound}; use firstOf or listed of src/contract/first-of.ts, and say how many are left out`;
  }
  for (const name of errorClasses) {
    if (!rules.ERROR_CLASSES[file]) yield `declares the error class ${name}; add a factory to src/platform/errors/`;
  }
}

function* lengthProblems({ file, lines, functions }) {
  const allowed = rules.LONG_FILES[file]?.lines ?? rules.MOST_LINES;
  if (lines > allowed) yield `has ${lines} lines, more than ${allowed}; split it by responsibility`;
  for (const { name, lines: count } of functions) {
    const most = rules.LONG_FUNCTIONS[`${file} ${name}`]?.lines ?? rules.MOST_FUNCTION_LINES;
    if (count > most) yield `has the function ${name} of ${count} lines, more than ${most}; split it`;
  }
}

/**
 * Groups of nodes that reach each other (Tarjan 1972).
 * @param {Map<string, Map<string, string[]>>} edges
 */
function cyclesIn(edges) {
  const index = new Map();
  const low = new Map();
  const stack = [];
  const groups = [];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of edges.get(node)?.keys() ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const group = stack.splice(stack.indexOf(node));
    if (group.length > 1) groups.push(group);
  };
  for (const node of edges.keys()) if (!index.has(node)) visit(node);
  return groups;
}

/** Modules that import each other, types included. */
function moduleCycles(all) {
  const edges = new Map(all.map(({ file, modules }) => [file, new Map(modules.map((one) => [one, []]))]));
  return cyclesIn(edges).map((group) => `modules import each other: ${group.sort().join(", ")}`);
}

/** Import against the order of the rooms, and modules outside of all rooms. */
function* roomProblems({ file, modules }) {
  const level = levelOf(file);
  if (level < 0) yield `is in none of the rooms ${ROOMS.join(", ")}`;
  for (const imported of modules.filter((one) => one.startsWith("src/") && levelOf(one) > level))
    yield `imports ${imported} from a higher room; ${ROOMS[level]} may import only ${ROOMS.slice(0, level + 1).join(", ")}`;
}

/** Every folder of these files, `src` included. */
function foldersOf(files) {
  const folders = new Set();
  for (const file of files)
    for (let folder = path.posix.dirname(file); folder !== "."; folder = path.posix.dirname(folder))
      folders.add(folder);
  return [...folders].sort();
}

/** Items of one folder (its folders and files) that import each other, with up to five of the modules for each direction. */
function cyclesInFolder(folder, imports) {
  const itemOf = (file) => (file.startsWith(`${folder}/`) ? file.slice(folder.length + 1).split("/")[0] : undefined);
  const edges = new Map();
  for (const [file, imported] of imports) {
    const [from, to] = [itemOf(file), itemOf(imported)];
    if (from === undefined || to === undefined || from === to) continue;
    if (!edges.has(from)) edges.set(from, new Map());
    edges.get(from).set(to, [...(edges.get(from).get(to) ?? []), file]);
  }
  return cyclesIn(edges).flatMap((group) => {
    // moduleCycles reports those of files alone.
    if (group.every((item) => /\.tsx?$/.test(item))) return [];
    const lines = group.flatMap((from) =>
      group.flatMap((to) => {
        const files = edges.get(from)?.get(to);
        return files ? [`${from} → ${to}: ${[...new Set(files)].slice(0, 5).join(", ")}`] : [];
      }),
    );
    return [`items of ${folder} import each other:\n    ${lines.join("\n    ")}`];
  });
}

/** Rings of imports, types included, between the items of any folder. */
function folderCycles(all) {
  const imports = all.flatMap(({ file, modules }) => modules.map((imported) => [file, imported]));
  return foldersOf(all.map(({ file }) => file)).flatMap((folder) => cyclesInFolder(folder, imports));
}

/** Import chains from an entry to what rules.START_IMPORTS forbids. */
function* startProblems(all) {
  const byFile = new Map(all.map((facts) => [facts.file, facts]));
  for (const { entries, never, why } of rules.START_IMPORTS) {
    for (const entry of entries) {
      const chains = new Map([[entry, entry]]);
      for (const [module, chain] of chains) {
        for (const imported of byFile.get(module)?.staticImports ?? []) {
          if (never.includes(imported)) yield `${chain} loads ${imported} at the start: ${why}`;
          if (!chains.has(imported)) chains.set(imported, `${chain} → ${imported}`);
        }
      }
    }
  }
}

/** Exceptions that no longer apply. */
function* staleProblems(all) {
  const lines = new Map(all.map((one) => [one.file, one.lines]));
  for (const file of Object.keys(rules.LONG_FILES)) {
    if ((lines.get(file) ?? 0) <= rules.MOST_LINES) yield `structure/rules.js: LONG_FILES need not list ${file}`;
  }
  for (const place of Object.keys(rules.LONG_FUNCTIONS)) {
    const isLong = ({ file, functions }) =>
      functions.some(({ name, lines: count }) => `${file} ${name}` === place && count > rules.MOST_FUNCTION_LINES);
    if (!all.some(isLong)) yield `structure/rules.js: LONG_FUNCTIONS need not list ${place}`;
  }
  for (const file of rules.START_IMPORTS.flatMap(({ entries, never }) => [...entries, ...never])) {
    if (file.startsWith("src/") && !lines.has(file))
      yield `structure/rules.js: START_IMPORTS lists ${file}, which does not exist`;
  }
  const places = [
    ...Object.values(rules.PACKAGES).flat(),
    ...Object.values(rules.RUNTIME_PACKAGES).flatMap(({ by }) => by),
    ...rules.MODULES.flatMap(({ of, by }) => [of, ...by]),
    ...[...ROOMS, ...rules.ENVIRONMENT, ...rules.FETCH, ...rules.TIMERS],
  ];
  for (const place of new Set(places)) {
    if (!all.some(({ file }) => isIn(file, place))) yield `structure/rules.js: there is no ${place}`;
  }
  for (const place of Object.keys(rules.CUTS)) {
    if (!all.some(({ file, cuts }) => [...cuts].some((bound) => `${file} ${bound}` === place)))
      yield `structure/rules.js: CUTS need not list ${place}`;
  }
  for (const file of Object.keys(rules.ERROR_CLASSES)) {
    if (!all.some((one) => one.file === file && one.errorClasses.length > 0))
      yield `structure/rules.js: ERROR_CLASSES need not list ${file}`;
  }
}

/** @returns {string[]} one sentence per violation */
function problemsIn(all) {
  const service = all.filter(({ file }) => file.startsWith("src/"));
  return [
    ...service.flatMap((facts) =>
      [...importProblems(facts), ...roomProblems(facts)].map((problem) => `${facts.file} ${problem}`),
    ),
    ...all.flatMap((facts) =>
      [...contentProblems(facts), ...lengthProblems(facts)].map((problem) => `${facts.file} ${problem}`),
    ),
    ...folderCycles(all),
    ...moduleCycles(all),
    ...startProblems(all),
    ...staleProblems(all),
  ];
}

/** Modules of the service and the console, without tests. */
function readSources(root) {
  return ["src", "console/src"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.split(path.sep).join("/")}`)
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
      .map((file) => factsOf(file, readFileSync(path.join(root, file), "utf8"))),
  );
}

/** The first argument is the folder to check, by default the repository. */
const sources = readSources(process.argv[2] ?? path.dirname(import.meta.dirname));
const problems = problemsIn(sources);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`${sources.length} modules, ${problems.length} violations of structure/rules.js\n`);
if (problems.length > 0) process.exit(1);
