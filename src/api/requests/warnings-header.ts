// Warnings of requests whose answers have no place for them, such as text and subtitles.
import type { FastifyReply } from "fastify";
import { beginningOf } from "../../platform/storable.ts";

const HEADER = "x-parlance-warnings";
/** Proxies refuse an answer whose head is larger than one of their buffers, which are 4 KiB by default in nginx. */
const MOST_CHARACTERS = 2_000;

/** Header values are limited to ASCII. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, "?");

/** Whole warnings up to the length of a header, and the number of the others. */
export function warningsHeader(warnings: readonly string[]): string {
  const kept: string[] = [];
  let characters = 0;
  for (const warning of warnings) {
    characters += warning.length + 2;
    if (kept.length > 0 && characters > MOST_CHARACTERS) break;
    kept.push(headerText(beginningOf(warning, MOST_CHARACTERS)));
  }
  const others = warnings.length - kept.length;
  return [...kept, ...(others > 0 ? [`${others} more ${others === 1 ? "warning" : "warnings"}`] : [])].join("; ");
}

/** Without warnings nothing is sent. */
export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length > 0) reply.header(HEADER, warningsHeader(warnings));
}
