// Patterns such as "*.mp3" and "**/*.wav", for shells that do not expand them (Windows) and for quoted ones.
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

const MAGIC = /[*?[\]{}]/;
const ANY_FOLDERS = "**";
/** Bounds what `{a,b}{c,d}` becomes. */
const MOST_ALTERNATIVES = 256;
const MOST_LEVELS = 64;

export const isPattern = (source: string) => MAGIC.test(source);

/** The innermost braces with a comma that end first: "{2024}" is part of a name, as in shells. */
function firstBraces(pattern: string): { start: number; end: number } | undefined {
  const open: { start: number; hasComma: boolean }[] = [];
  for (let end = 0; end < pattern.length; end++) {
    const innermost = open.at(-1);
    if (pattern[end] === "{") open.push({ start: end, hasComma: false });
    else if (pattern[end] === "," && innermost) innermost.hasComma = true;
    else if (pattern[end] === "}" && open.pop()?.hasComma && innermost) return { start: innermost.start, end };
  }
  return undefined;
}

/** `{a,b}` becomes one pattern for each alternative; the innermost braces first. */
function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = open.length + done.length < MOST_ALTERNATIVES ? firstBraces(next) : undefined;
    if (!braces) done.push(next);
    else
      for (const one of next.slice(braces.start + 1, braces.end).split(","))
        open.push(next.slice(0, braces.start) + one + next.slice(braces.end + 1));
  }
  return done;
}

/** Whether a character class such as [a-z] or [!0-9] contains a character. */
function inClass(content: string, character: string): boolean {
  const isNegated = content.startsWith("!") || content.startsWith("^");
  const members = isNegated ? content.slice(1) : content;
  let isMember = false;
  for (let at = 0; at < members.length; at++) {
    const isRange = members[at + 1] === "-" && at + 2 < members.length;
    const last = isRange ? (members[at + 2] as string) : (members[at] as string);
    isMember ||= character >= (members[at] as string) && character <= last;
    if (isRange) at += 2;
  }
  return isMember !== isNegated;
}

/** @returns length of the pattern's element at `at` if it matches the character; 0 if not */
function elementLength(pattern: string, at: number, character: string): number {
  const element = pattern[at];
  if (element === "?") return 1;
  const end = element === "[" ? pattern.indexOf("]", at + 2) : -1;
  if (end > 0) return inClass(pattern.slice(at + 1, end), character) ? end + 1 - at : 0;
  return element === character ? 1 : 0;
}

/** Matches one part of a path. Only the last `*` is extended, so that the work is at most the product of both lengths. */
export function matchesName(name: string, pattern: string): boolean {
  let [at, from, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    const length = elementLength(pattern, from, name[at] as string);
    if (pattern[from] === "*") {
      star = from++;
      resume = at;
    } else if (length > 0) {
      at++;
      from += length;
    } else if (star >= 0) {
      from = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[from] === "*") from++;
  return from === pattern.length;
}

const found = (file: string) => stat(file).catch(() => undefined);

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder === "" ? "." : folder).catch(() => [])).sort();
}

interface Expansion {
  found: Set<string>;
  /** Folders that `**` has read: links may lead to folders above them. */
  read: Set<string>;
  /** Whether the pattern is one of the alternatives of its braces. */
  isAlternative: boolean;
}

/** Whether the name itself exists in the folder, and can be followed by the rest of the path. */
async function isLiteral(folder: string, name: string, rest: string): Promise<boolean> {
  if (!isPattern(name)) return true;
  if (name === ANY_FOLDERS) return false;
  const item = await found(path.join(folder, name));
  return item !== undefined && (rest === "" || item.isDirectory());
}

/**
 * Follows the pattern from a folder on. A name that exists is not read as a pattern, at any level: folders have
 * names such as "talks [2024]" and "{old}".
 */
async function expanded(folder: string, pattern: string, level: number, all: Expansion): Promise<void> {
  if (level > MOST_LEVELS) return;
  const [, part = "", rest = ""] = /^([^/]*)\/*(.*)$/s.exec(pattern) ?? [];
  if (part === "") {
    if (folder !== "" && (await found(folder))) all.found.add(folder);
    return;
  }
  if (await isLiteral(folder, part, rest)) return expanded(path.join(folder, part), rest, level + 1, all);
  if (part.includes("{") && !all.isAlternative) {
    for (const one of alternatives(pattern)) await expanded(folder, one, level, { ...all, isAlternative: true });
    return;
  }
  if (part === ANY_FOLDERS) {
    const place = `${pattern} ${await realpath(folder === "" ? "." : folder).catch(() => folder)}`;
    if (all.read.has(place)) return;
    all.read.add(place);
    await expanded(folder, rest, level + 1, all);
  }
  for (const name of await namesIn(folder)) {
    // As shells do: hidden files only for a pattern that begins with a dot.
    if (name.startsWith(".") && !part.startsWith(".")) continue;
    const file = path.join(folder, name);
    if (part === ANY_FOLDERS) {
      if ((await found(file))?.isDirectory()) await expanded(file, pattern, level + 1, all);
    } else if (matchesName(name, part)) await expanded(file, rest, level + 1, all);
  }
}

/** @returns the files and folders that match, in the order of their names; none if nothing does */
export async function expandPattern(pattern: string): Promise<string[]> {
  const all: Expansion = { found: new Set(), read: new Set(), isAlternative: false };
  const given = process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
  const { root } = path.parse(given);
  await expanded(root, given.slice(root.length).replace(/^\/+/, ""), 0, all);
  return [...all.found].sort();
}
