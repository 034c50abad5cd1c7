// Warnings of requests whose answers have no place for them, such as text and subtitles.
import type { FastifyReply } from "fastify";

const HEADER = "x-parlance-warnings";

/** Header values are limited to ASCII. Without warnings nothing is sent. */
export function sendWarnings(reply: FastifyReply, warnings: readonly string[]): void {
  if (warnings.length > 0) reply.header(HEADER, warnings.join("; ").replace(/[^\x20-\x7e]/g, "?"));
}
