import type { Format } from "../../../contract/transcript-formats.ts";
import type { TranscriptSource } from "./format.ts";
import { writeMarkdown } from "./markdown.ts";
import { writeCues, writeJson, writeSubtitles, writeText, writeTsv } from "./plain.ts";
import { writeShared } from "./shared.ts";

/** Formats of exports, the list of cues, and what readers with a link receive. */
export type WrittenFormat = Format | "cues" | "shared";

const WRITERS: Record<WrittenFormat, (paper: TranscriptSource) => string | Promise<Uint8Array>> = {
  txt: writeText,
  srt: (paper) => writeSubtitles(paper, "srt"),
  vtt: (paper) => writeSubtitles(paper, "vtt"),
  json: writeJson,
  md: writeMarkdown,
  tsv: writeTsv,
  cues: writeCues,
  shared: writeShared,
  // The library is only loaded for documents.
  docx: async (paper) => (await import("./docx.ts")).writeDocument(paper),
};

export async function writeTranscript(paper: TranscriptSource, format: WrittenFormat): Promise<string | Uint8Array> {
  return WRITERS[format](paper);
}
