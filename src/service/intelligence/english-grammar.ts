// Loads compromise (English grammar and word lists, 45 MB) on first use: the result process also runs for jobs without add-ons.
// Synchronous, so that its callers need no promise.
import { createRequire } from "node:module";

type Compromise = typeof import("compromise")["default"];

let compromise: Compromise | undefined;

export function parseEnglish(text: string): ReturnType<Compromise> {
  compromise ??= createRequire(import.meta.url)("compromise") as Compromise;
  return compromise(text);
}
