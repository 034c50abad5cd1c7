// What the checks of `parlance doctor` report.

export type Level = "good" | "warning" | "bad";

export interface Finding {
  what: string;
  level: Level;
  detail: string;
}

export const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
