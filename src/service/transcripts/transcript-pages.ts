// A transcript as text in pages, for assistants, which read a part of a long one at a time.
import type { AddonResult, TranscriptionResult } from "../../contract/transcript/transcript.ts";
import type { Format } from "../../contract/transcript-formats.ts";
import { answerWarnings } from "./answer-parts.ts";

/** Characters of one page: about 8,000 tokens, less than the limits that assistants have for one answer. */
const PAGE_CHARACTERS = 30_000;
/** Formats that may end with further sections: subtitles and tables may not. */
const READABLE: readonly Format[] = ["md", "txt"];

export interface TranscriptPage {
  /** From the offset on. */
  text: string;
  /** Offset of the next page. */
  end: number;
  /** Characters of the transcript; an offset beyond it has an empty page. */
  length: number;
  warnings: string[];
}

export interface PageRequest {
  format: Format;
  offset: number;
  /** Names of parameters of an interface, by the add-on that does what they request. */
  names: Readonly<Record<string, string>>;
}

/** At the end of a line where there is one in the second half of the page; never inside a surrogate pair. */
function pageEnd(text: string, offset: number): number {
  const most = offset + PAGE_CHARACTERS;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf("\n", most);
  if (line > offset + PAGE_CHARACTERS / 2) return line + 1;
  return /[\uDC00-\uDFFF]/.test(text.charAt(most)) ? most - 1 : most;
}

interface Translated {
  languages: string[];
  full_transcript: string;
  error: { message: string } | null;
}

/** A section for each target language, with the reason where a translation failed. */
function translationsOf(result: TranscriptionResult): string {
  const { success, results } = (result["translation"] ?? {}) as Partial<AddonResult<Translated[]>>;
  const sections = (success && results) || [];
  return sections
    .map(({ languages, full_transcript, error }) => {
      const text = error ? `The translation failed: ${error.message}` : full_transcript;
      return `\n\n## Translation (${languages.join(", ")})\n\n${text}`;
    })
    .join("");
}

/** @param written  the transcript in the format */
export function transcriptPage(
  result: TranscriptionResult,
  written: string,
  { format, offset, names }: PageRequest,
): TranscriptPage {
  const translations = READABLE.includes(format) ? translationsOf(result) : "";
  const text = translations === "" ? written : written.trimEnd() + translations;
  const end = pageEnd(text, offset);
  return { text: text.slice(offset, end), end, length: text.length, warnings: answerWarnings(result, names) };
}
