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
