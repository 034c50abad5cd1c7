import type { Format } from "../contract/transcript-formats.ts";
import { UsageError } from "./usage-error.ts";

const LEAST = 10;
const MOST = 1_000;

const WITH_ROWS: readonly Format[] = ["srt", "vtt"];

/** A warning, if the option is given and no format has rows. */
export const unusedWidth = (columns: number | undefined, formats: readonly Format[]): string[] =>
  columns === undefined || formats.some((format) => WITH_ROWS.includes(format))
    ? []
    : [`--max-line-width has no effect: it is for the formats ${WITH_ROWS.join(" and ")}`];

/** @returns columns of a row of subtitles @throws UsageError */
export function widthOption(text: string): number {
  const columns = Number(text);
  if (/^\d+$/.test(text) && columns >= LEAST && columns <= MOST) return columns;
  throw new UsageError(`--max-line-width must be a whole number from ${LEAST} to ${MOST}; it is ${text}`);
}
