import type { Format } from "../../../contract/transcript-formats.ts";
import type { TranscriptSource } from "./format.ts";
import { writeMarkdown } from "./markdown.ts";
import { writeCues, writeJson, writeSubtitles, writeText, writeTsv } from "./plain.ts";

/** Formats of exports, and the list of cues. */
export type WrittenFormat = Format | "cues";

const WRITERS: Record<WrittenFormat, (paper: TranscriptSource) => string | Promise<Uint8Array>> = {
  txt: writeText,
  srt: (paper) => writeSubtitles(paper, "srt"),
  vtt: (paper) => writeSubtitles(paper, "vtt"),
  json: writeJson,
  md: writeMarkdown,
  tsv: writeTsv,
  cues: writeCues,
  // The library is only loaded for documents.
  docx: async (paper) => (await import("./docx.ts")).writeDocument(paper),
};

export async function writeTranscript(paper: TranscriptSource, format: WrittenFormat): Promise<string | Uint8Array> {
  return WRITERS[format](paper);
}
