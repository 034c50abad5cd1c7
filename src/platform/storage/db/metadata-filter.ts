// custom_metadata in the form that list filters look into: every scalar as text, so that 5 and "5" are the same.
import { createHash } from "node:crypto";

export function metadataFilter(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(metadataFilter);
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, metadataFilter(inner)]));
  }
  return String(value);
}

const HASH_BYTES = 8;

function* leaves(value: unknown, path: string): Generator<[path: string, text: string]> {
  if (Array.isArray(value)) for (const inner of value) yield* leaves(inner, `${path}[]`);
  else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) yield* leaves(inner, `${path}${JSON.stringify(key)}`);
  } else yield [path, String(value)];
}

function pairOf(leaf: readonly [path: string, text: string]): string {
  const hash = createHash("sha256").update(JSON.stringify(leaf)).digest();
  return hash.subarray(0, HASH_BYTES).readBigInt64BE().toString();
}

/**
 * Numbers that stand for the scalars of a filter, each at its place: what contains the filter has all of them. Signed
 * 64-bit, in decimal.
 */
export function metadataPairs(filter: unknown): string[] {
  return [...new Set([...leaves(filter, "")].map(pairOf))];
}

/** The number that stands for a tag. No scalar of metadata has it: their paths are empty, or begin with a bracket or a quotation mark. */
export const tagPair = (key: string): string => pairOf(["tag", key]);

/** Whether a job can have all pairs of a filter and still not contain it: arrays tie pairs together, empty ones have none. */
export function needsComparison(filter: unknown): boolean {
  if (typeof filter !== "object" || filter === null) return false;
  const inner = Object.values(filter);
  return Array.isArray(filter) || inner.length === 0 || inner.some(needsComparison);
}
