import type { Format, Paper } from "./format.ts";
import { writeMarkdown } from "./markdown.ts";
import { writeJson, writeSrtFile, writeText, writeVttFile } from "./plain.ts";

const WRITERS: Record<Format, (paper: Paper) => string | Promise<Uint8Array>> = {
  txt: writeText,
  srt: writeSrtFile,
  vtt: writeVttFile,
  json: writeJson,
  md: writeMarkdown,
  // The library is loaded by those who want a document.
  docx: async (paper) => (await import("./docx.ts")).writeDocument(paper),
};

export async function writeTranscript(paper: Paper, format: Format): Promise<string | Uint8Array> {
  return WRITERS[format](paper);
}
