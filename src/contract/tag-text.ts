// Tags as they are stored and compared. Separate from tags.ts, so that the console does not load TypeBox.
import { normalized } from "./normalized.ts";

/** Controls, changes of direction and spaces, of any number. */
const SPACES_AND_CONTROLS = /[\s\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

/** A tag as it is stored: composed, in one line. @returns "" if nothing of it is visible */
export const tidyTag = (tag: string): string => normalized(tag, "NFC").replace(SPACES_AND_CONTROLS, " ").trim();

/** Two tags with equal keys are one. */
export const tagKey = (tag: string): string => tidyTag(tag).toLowerCase();

/** The tags, each once, as it was spelled first. */
export function distinctTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags.map(tidyTag)) if (!byKey.has(tagKey(tag))) byKey.set(tagKey(tag), tag);
  return [...byKey.values()];
}
