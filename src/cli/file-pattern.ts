// Patterns such as "*.mp3" and "**/*.wav", for shells that do not expand them (Windows) and for quoted ones.
import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";

const MAGIC = /[*?[\]{}]/;
const ANY_FOLDERS = "**";
/** Bounds what `{a,b}{c,d}` becomes. */
const MOST_ALTERNATIVES = 256;
const MOST_LEVELS = 64;

export const isPattern = (source: string) => MAGIC.test(source);

/** `{a,b}` becomes one pattern for each alternative; the innermost braces first. */
function alternatives(pattern: string): string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const end = next.indexOf("}");
    const start = next.lastIndexOf("{", end);
    const isOpen = start >= 0 && end > start && open.length + done.length < MOST_ALTERNATIVES;
    if (!isOpen) done.push(next);
    else
      for (const one of next.slice(start + 1, end).split(","))
        open.push(next.slice(0, start) + one + next.slice(end + 1));
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

const isFolder = async (name: string) => (await stat(name).catch(() => undefined))?.isDirectory() === true;

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder === "" ? "." : folder).catch(() => [])).sort();
}

/** What was found, and the folders that `**` has read: links may lead to folders above them. */
interface Expansion {
  found: Set<string>;
  read: Set<string>;
}

async function expanded(folder: string, parts: readonly string[], level: number, all: Expansion): Promise<void> {
  const { found, read } = all;
  const [part, ...others] = parts;
  if (part === undefined) {
    if (folder !== "" && (await stat(folder).catch(() => undefined))) found.add(folder);
    return;
  }
  if (level > MOST_LEVELS) return;
  if (part !== ANY_FOLDERS && !isPattern(part)) return expanded(path.join(folder, part), others, level + 1, all);
  if (part === ANY_FOLDERS) {
    const place = `${parts.length} ${await realpath(folder === "" ? "." : folder).catch(() => folder)}`;
    if (read.has(place)) return;
    read.add(place);
    await expanded(folder, others, level + 1, all);
  }
  for (const name of await namesIn(folder)) {
    // As shells do: hidden files only for a pattern that begins with a dot.
    if (name.startsWith(".") && !part.startsWith(".")) continue;
    const file = path.join(folder, name);
    if (part === ANY_FOLDERS) {
      if (await isFolder(file)) await expanded(file, parts, level + 1, all);
    } else if (matchesName(name, part)) await expanded(file, others, level + 1, all);
  }
}

/** @returns the files and folders that match, in the order of their names; none if nothing does */
export async function expandPattern(pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for (const one of alternatives(process.platform === "win32" ? pattern.replaceAll("\\", "/") : pattern)) {
    const { root } = path.parse(one);
    const parts = one
      .slice(root.length)
      .split("/")
      .filter((part) => part !== "" && part !== ".");
    await expanded(root, parts, 0, { found, read: new Set() });
  }
  return [...found].sort();
}
