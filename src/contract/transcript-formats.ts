// Separate from transcripts.ts, so that the command line lists the formats without importing TypeBox, which is slow to load.

/** Export formats of a transcript. */
export const FORMATS = ["txt", "srt", "vtt", "json", "md", "docx", "tsv"] as const;
export type Format = (typeof FORMATS)[number];
