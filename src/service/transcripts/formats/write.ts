import type { Format } from "../../../contract/transcript-formats.ts";
import type { TranscriptSource } from "./format.ts";
import { writeMarkdown } from "./markdown.ts";
import { writeJson, writeSubtitles, writeText, writeTsv } from "./plain.ts";

const WRITERS: Record<Format, (paper: TranscriptSource) => string | Promise<Uint8Array>> = {
  txt: writeText,
  srt: (paper) => writeSubtitles(paper, "srt"),
  vtt: (paper) => writeSubtitles(paper, "vtt"),
  json: writeJson,
  md: writeMarkdown,
  tsv: writeTsv,
  // The library is only loaded for documents.
  docx: async (paper) => (await import("./docx.ts")).writeDocument(paper),
};

export async function writeTranscript(paper: TranscriptSource, format: Format): Promise<string | Uint8Array> {
  return WRITERS[format](paper);
}
