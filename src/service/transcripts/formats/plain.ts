// Text, JSON, subtitles and their cues.

import type { Cues } from "../../../contract/cues.ts";
import type { Note } from "../../../contract/notes.ts";
import { speakerName } from "../../../contract/transcript/transcript.ts";
import { cuesOf, MINIMUM_GAP_SECONDS } from "../../../speech/subtitles/cues.ts";
import { type SubtitleFormat, subtitleFile } from "../../../speech/subtitles/subtitles.ts";
import { captionSource } from "./caption-source.ts";
import { correctedResult } from "./corrected-result.ts";
import type { TranscriptSource } from "./format.ts";
import { notesAlone, notesByParagraph } from "./noted.ts";
import { clock, shownParagraphs } from "./paragraphs.ts";

/** Paragraphs with a blank line between them. */
export function writeText(source: TranscriptSource): string {
  const { notes = [], times = false } = source;
  const paragraphs = shownParagraphs(source);
  const noted = notesByParagraph(paragraphs, notes);
  const texts = paragraphs.flatMap(({ start, speaker, text }, at) => [
    `${times ? `[${clock(start)}] ` : ""}${speaker === undefined ? "" : `${speaker}: `}${text}`,
    ...(noted[at] ?? []).map(noteText),
  ]);
  return `${[...texts, ...notesAlone(paragraphs, notes).map(noteText)].join("\n\n")}\n`;
}

const noteText = ({ start, quote, text }: Note) =>
  `[${clock(start)} “${quote}”${text === "" ? "" : `: ${oneLine(text)}`}]`;

/** The whole result, without the messages of a live session. */
export function writeJson(source: TranscriptSource): string {
  const { result, notes = [], isCorrected = false } = source;
  const { messages: _, ...rest } = result;
  const now = isCorrected ? correctedResult(source) : undefined;
  const transcription = {
    ...source.transcription,
    ...now?.transcription,
    ...(notes.length > 0 ? { notes } : {}),
  };
  return `${JSON.stringify({ ...rest, ...now?.result, transcription }, null, 2)}\n`;
}

/** A value of a column has no tabs and line breaks (IANA text/tab-separated-values). */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
/** Spreadsheets compute a cell that begins like this, with full-width forms of the characters, too; an apostrophe marks it as text. */
const FORMULA = /^[=+\-@＝＋－＠]/;
const cell = (text: string) => oneLine(text).replace(FORMULA, "'$&");

/** One utterance with text a line: start and end in milliseconds, the speaker where there are speakers, and the text. */
export function writeTsv({ transcription, speakers = true }: TranscriptSource): string {
  const { speaker_names: names } = transcription;
  const utterances = transcription.utterances.filter(({ text }) => text.trim() !== "");
  const hasSpeakers = speakers && utterances.some(({ speaker }) => speaker !== undefined);
  const speakerOf = (speaker: number | undefined) => (speaker === undefined ? "" : cell(speakerName(speaker, names)));
  const rows = utterances.map(({ start, end, speaker, text }) => [
    String(Math.round(start * 1000)),
    String(Math.round(end * 1000)),
    ...(hasSpeakers ? [speakerOf(speaker)] : []),
    cell(text),
  ]);
  const headings = ["start", "end", ...(hasSpeakers ? ["speaker"] : []), "text"];
  return `${[headings, ...rows].map((row) => row.join("\t")).join("\n")}\n`;
}

export function writeSubtitles(source: TranscriptSource, format: SubtitleFormat): string {
  return subtitleFile(format, captionSource(source), limitsOf(source));
}

const limitsOf = ({ maximumCharactersPerRow, maximumRowsPerCaption }: TranscriptSource) => ({
  ...(maximumCharactersPerRow === undefined ? {} : { maximumCharactersPerRow }),
  ...(maximumRowsPerCaption === undefined ? {} : { maximumRowsPerCaption }),
});

/** The answer of the operation that lists cues. */
export function writeCues(source: TranscriptSource): string {
  const { cues, options } = cuesOf(captionSource(source), limitsOf(source));
  const answer: Cues = {
    cues,
    limits: {
      minimum_duration: options.minimumDuration,
      maximum_duration: options.maximumDuration,
      maximum_characters_per_row: options.maximumCharactersPerRow,
      maximum_rows_per_caption: options.maximumRowsPerCaption,
      reading_speed: options.readingSpeed,
      minimum_gap: MINIMUM_GAP_SECONDS,
    },
  };
  return JSON.stringify(answer);
}
