import { formats } from "./language/language.ts";

export { clock } from "../../src/service/transcripts/formats/paragraphs.ts";

export const moment = (text: string) => formats.moment(new Date(text));

/** Minutes, seconds and milliseconds: 1:02.340. */
export function exactClock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const part = (value: number, width: number) => String(value).padStart(width, "0");
  const [hours, minutes] = [Math.floor(milliseconds / 3_600_000), Math.floor(milliseconds / 60_000) % 60];
  const rest = `${part(Math.floor(milliseconds / 1000) % 60, 2)}.${part(milliseconds % 1000, 3)}`;
  return hours > 0 ? `${hours}:${part(minutes, 2)}:${rest}` : `${minutes}:${rest}`;
}

const TIMES = /^(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,6}(?:[.,]\d{1,6})?)$/;

/** @returns seconds of a typed time, such as 1:02.34 or 62.34; undefined if it is none */
export function parseClock(text: string): number | undefined {
  const found = TIMES.exec(text.trim());
  if (!found) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0"] = found;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}

export function median(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}
