// Without TypeBox, whose import takes longer than a command that only prints a message.

/** Export formats of a transcript. */
export const FORMATS = ["txt", "srt", "vtt", "json", "md", "docx", "tsv"] as const;
export type Format = (typeof FORMATS)[number];
