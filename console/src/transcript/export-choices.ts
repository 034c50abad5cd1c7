// The choices of an export, and the address of the file that they describe.
import type { Format } from "../../../src/contract/transcript-formats.ts";

/** In the order of the list: for readers, for players, for programs. */
export const EXPORT_FORMATS = ["txt", "md", "docx", "srt", "vtt", "tsv", "json"] as const satisfies readonly Format[];

export interface ExportChoices {
  format: Format;
  times: boolean;
  speakers: boolean;
  paragraphs: boolean;
  notes: boolean;
  corrected: boolean;
  /** Columns; undefined for the default of the service. */
  rowCharacters?: number | undefined;
  rows?: number | undefined;
}

export const FIRST_CHOICES: ExportChoices = {
  format: "txt",
  times: false,
  speakers: true,
  paragraphs: true,
  notes: true,
  corrected: true,
};

type Choice = Exclude<keyof ExportChoices, "format">;

const PAPER: readonly Choice[] = ["corrected", "times", "speakers", "paragraphs", "notes"];
const SUBTITLES: readonly Choice[] = ["corrected", "speakers", "rowCharacters", "rows"];

/** The choices that have an effect on a format. */
const CHOICES: Record<Format, readonly Choice[]> = {
  txt: PAPER,
  md: PAPER,
  docx: PAPER,
  srt: SUBTITLES,
  vtt: SUBTITLES,
  tsv: ["corrected", "speakers"],
  json: ["corrected", "notes"],
};

export const hasChoice = (format: Format, choice: Choice): boolean => CHOICES[format].includes(choice);

/** Query parameters of the operation, by choice. */
const PARAMETERS: Record<Choice, string> = {
  corrected: "corrected",
  times: "times",
  speakers: "speakers",
  paragraphs: "paragraphs",
  notes: "notes",
  rowCharacters: "maximum_characters_per_row",
  rows: "maximum_rows_per_caption",
};

/** @param path  of the job @returns the address of the file, with the parameters that have an effect */
export function exportAddress(path: string, choices: ExportChoices): string {
  const query = new URLSearchParams({ format: choices.format });
  for (const choice of CHOICES[choices.format]) {
    const { [choice]: value } = choices;
    if (value !== undefined) query.set(PARAMETERS[choice], String(value));
  }
  return `${path}/transcript?${query}`;
}
