// Files of one JSON value a line, appended to during the work. Each line begins with a checksum of its value, so that a
// damaged line is never read as another value: "=" and the CRC-32 in eight hexadecimal digits.
import { createReadStream } from "node:fs";
import { crc32 } from "node:zlib";
import type { Steps } from "../process/steps.ts";

/** Bytes that are parsed in one turn of the event loop, about 5 ms, if no line has more. The words of a recording have up to 50 MB. */
const CHUNK_BYTES = 262_144;
const LINE_END = 0x0a;
const CHECKED = /^=([0-9a-f]{8}) (.*)$/;

const checksumOf = (json: string) => crc32(json).toString(16).padStart(8, "0");

/** @returns the line with its end */
export function printJsonLine(value: unknown): string {
  const json = JSON.stringify(value);
  return `=${checksumOf(json)} ${json}\n`;
}

/** @returns undefined where the line is damaged, or has no checksum and must have one */
function parseLine<Value>(line: string, mustBeChecked: boolean): Value | undefined {
  const checked = CHECKED.exec(line);
  const json = checked?.[2] ?? line;
  if (checked ? checksumOf(json) !== checked[1] : mustBeChecked) return undefined;
  try {
    return (JSON.parse(json) as Value | null) ?? undefined;
  } catch {
    return undefined;
  }
}

/**
 * The value of each line in order; undefined for a line that is damaged or that a kill cut off. Lines of earlier versions, which
 * have no checksum, are read, too: the caller judges their form.
 */
export function* readingJsonLines<Value>(bytes: Buffer): Steps<(Value | undefined)[]> {
  const values: (Value | undefined)[] = [];
  for (let start = 0; start < bytes.length; ) {
    const mark = bytes.indexOf(LINE_END, start);
    const end = mark < 0 ? bytes.length : mark;
    if (end > start) values.push(parseLine<Value>(bytes.toString("utf8", start, end), false));
    start = end + 1;
    yield;
  }
  return values;
}

/**
 * The values in order, without lines that are damaged or have no checksum, and without repeated ones: for files whose lines each name
 * the work that they are of, and whose missing lines are made again.
 */
export function parseJsonLines<Value>(text: string): Value[] {
  return [...new Set(text.split("\n"))]
    .map((line) => parseLine<Value>(line, true))
    .filter((value) => value !== undefined);
}

/** The lines of a file, each once; other work of the event loop runs between the chunks that are read. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const seen = new Set<string>();
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "utf8", highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + (chunk as string)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (seen.has(line)) continue;
      seen.add(line);
      yield line;
    }
  }
  if (!seen.has(rest)) yield rest;
}

/** As `parseJsonLines`, of a file of any length. */
export async function readJsonLinesOf<Value>(file: string): Promise<Value[]> {
  const values: Value[] = [];
  for await (const line of linesOf(file)) {
    const value = parseLine<Value>(line, true);
    if (value !== undefined) values.push(value);
  }
  return values;
}
