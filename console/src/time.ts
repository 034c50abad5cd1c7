export { clock } from "../../src/service/transcripts/formats/paragraphs.ts";

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export const moment = (text: string) => whole.format(new Date(text));

/** An approximate duration for display. */
export function approximateDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

export const bytes = (count: number) =>
  count < 1e9 ? `${Math.round(count / 1e6)} MB` : `${(count / 1e9).toFixed(1)} GB`;

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
