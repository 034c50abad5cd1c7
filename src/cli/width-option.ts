import { UsageError } from "./usage-error.ts";

const LEAST = 10;
const MOST = 1_000;

/** @returns columns of a row of subtitles @throws UsageError */
export function widthOption(text: string): number {
  const columns = Number(text);
  if (/^\d+$/.test(text) && columns >= LEAST && columns <= MOST) return columns;
  throw new UsageError(`--max-line-width must be a whole number from ${LEAST} to ${MOST}; it is ${text}`);
}
