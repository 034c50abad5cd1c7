// Checks the regular expressions of the source: text of clients must not take more than linear time. Prints every violation. A cache
// keeps the linear ones, because the search for a text that takes long is the greatest part of npm run check.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { parseSync, Visitor } from "oxc-parser";
import { attackOn } from "./attacks.js";
import { BOUNDED } from "./bounded-expressions.js";

const FOLDERS = ["bin", "console", "src"];
const SOURCE = /\.(?:js|ts|tsx)$/;
const TEST = /\.test\.ts$|\/test\//;
/** Of a text for an unbounded expression. A quadratic one takes 50 ms or more for it. */
const TRIED_CHARACTERS = 8_000;
/** Linear expressions take less than 1 ms. */
const MOST_MILLISECONDS = 15;
const MOST_BOUNDED_MILLISECONDS = 50;

const CACHE_FILE = "node_modules/.cache/expressions.json";
/** The results hold for the code that searches and for the engine that runs the expressions. */
const VERSION = createHash("sha256")
  .update(process.versions.v8)
  .update(readFileSync(new URL("./attacks.js", import.meta.url)))
  .digest("hex");

/** Linear expressions, each with its bounds. */
function readLinear() {
  try {
    const { version, linear } = JSON.parse(readFileSync(CACHE_FILE, "utf8"));
    return version === VERSION ? linear : [];
  } catch {
    return [];
  }
}

/** Values of constants of a module that consist of texts. */
class Constants {
  values = new Map();

  constructor(program, source) {
    for (const statement of program.body) {
      const declaration = statement.declaration ?? statement;
      if (declaration.type !== "VariableDeclaration") continue;
      for (const { id, init } of declaration.declarations) {
        if (init && id.type === "Identifier") this.values.set(id.name, source.slice(init.start, init.end));
      }
    }
  }

  /** @throws if the text depends on more than constants of its module */
  evaluate(text, depth = 0) {
    if (depth > 20) throw new Error("too deep");
    const names = [...this.values.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
    const values = names.map((name) => [name, this.tryToEvaluate(name, depth)]);
    const context = Object.fromEntries(values.filter(([, value]) => value !== undefined));
    return vm.runInNewContext(`(${text})`, { ...context, String }, { timeout: 1_000 });
  }

  tryToEvaluate(name, depth) {
    try {
      return this.evaluate(this.values.get(name).replace(/ as const$/, ""), depth + 1);
    } catch {
      return undefined;
    }
  }
}

function expressionsOf(file) {
  const source = readFileSync(file, "utf8");
  const { program } = parseSync(file, source);
  const constants = new Constants(program, source);
  const found = [];
  const at = ({ start }) => `${file}:${source.slice(0, start).split("\n").length}`;
  new Visitor({
    Literal: (node) => {
      if (node.regex) found.push({ place: at(node), source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: (node) => {
      if (node.callee.name !== "RegExp") return;
      const [text, flags] = node.arguments.map((one) => source.slice(one.start, one.end));
      try {
        const made = constants.evaluate(`[${text}, ${flags ?? '""'}]`);
        found.push({ place: at(node), source: String(made[0]), flags: made[1] });
      } catch {
        found.push({ place: at(node), made: text.replace(/\s+/g, " ") });
      }
    },
  }).visit(program);
  return found;
}

const files = FOLDERS.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => `${folder}/${name}`))
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => SOURCE.test(file) && !TEST.test(file) && !file.includes("/dist/"));

const places = new Map();
for (const file of files) {
  for (const { place, source, flags, made } of expressionsOf(file)) {
    const key = made === undefined ? `/${source}/${flags}` : `new RegExp(${made})`;
    const known = places.get(key) ?? { source, flags, places: [] };
    places.set(key, known);
    known.places.push(place);
  }
}

const violations = [];
const used = new Set();
const cached = new Set(readLinear());
const linear = [];
/** The entry for an expression. */
function entryOf(key, where) {
  const found = BOUNDED.filter(
    ({ file, part }) => key.includes(part) && where.some((place) => place.startsWith(`${file}:`)),
  );
  for (const entry of found) used.add(entry);
  return found[0];
}

for (const [key, { source, flags, places: where }] of places) {
  const entry = entryOf(key, where);
  const shown = `${where.join(", ")}: ${key}`;
  if (source === undefined) {
    if (!entry)
      violations.push(`${shown}\n  is made at run time; list it in structure/bounded-expressions.js with its bound`);
    continue;
  }
  const [most, limit] = entry ? [entry.characters, MOST_BOUNDED_MILLISECONDS] : [TRIED_CHARACTERS, MOST_MILLISECONDS];
  const bounded = `${key} ${most} ${limit}`;
  const attack = cached.has(bounded) ? undefined : attackOn(source, flags, most, limit);
  if (!attack) {
    linear.push(bounded);
    continue;
  }
  const { beginning, pump, ending, characters } = attack;
  const text = `${JSON.stringify(beginning)} + ${JSON.stringify(pump)} repeated + ${JSON.stringify(ending)}`;
  violations.push(`${shown}\n  takes more than ${limit} ms for ${characters} characters: ${text}`);
}
for (const entry of BOUNDED) {
  if (!used.has(entry))
    violations.push(`structure/bounded-expressions.js: no expression of ${entry.file} has ${entry.part}`);
}
mkdirSync(path.dirname(CACHE_FILE), { recursive: true });
writeFileSync(CACHE_FILE, JSON.stringify({ version: VERSION, linear }));
for (const violation of violations) process.stderr.write(`${violation}\n`);
if (violations.length > 0) {
  process.stderr.write(
    `\n${violations.length} regular expressions can take long. Rewrite them: (?<!x)x+$ instead of x+$, a search for the end of a part instead of a repetition in a repetition.\n`,
  );
  process.exit(1);
}
