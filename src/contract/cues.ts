// Cues of the subtitles of a transcript, and the changes that people make to them.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_CAPTION_ROWS, MOST_ROW_CHARACTERS } from "./bounds.ts";
import { Enum, QuerySwitch } from "./fields.ts";

const HIGHEST_CHANNEL = 255;
/** 277 hours: later than the end of any recording. */
const MOST_SECONDS = 1_000_000;
/** Times at which rows of one cue begin. */
const MOST_ROWS = 20;

const Seconds = (description: string) => Type.Number({ minimum: 0, maximum: MOST_SECONDS, description });

export const CueEdit = Type.Object({
  channel: Type.Integer({ minimum: 0, maximum: HIGHEST_CHANNEL, description: "Channel of the words" }),
  words_start: Seconds("In seconds: the words of the channel whose middle is at this time or later are one cue"),
  words_end: Seconds("In seconds: until the word whose middle is at this time or earlier"),
  start: Type.Optional(Seconds("When the cue appears, in seconds; absent: with its first word")),
  end: Type.Optional(Seconds("When it disappears, in seconds; absent: as the layout decides")),
  rows: Type.Optional(
    Type.Array(Seconds("In seconds: the first word whose middle is at this time or later begins a row"), {
      maxItems: MOST_ROWS,
      description: "Where its further rows begin; absent: as the layout decides",
    }),
  ),
  automatic: Type.Optional(
    Type.Literal(true, { description: "The words are laid out automatically again, without the other fields" }),
  ),
});
export type CueEdit = Static<typeof CueEdit>;

export const CUE_WARNINGS = ["fast", "short", "long", "wide", "rows", "overlap", "gap"] as const;
export type CueWarning = (typeof CUE_WARNINGS)[number];

const CueBody = Type.Object(
  {
    start: Type.Number({ description: "Seconds" }),
    end: Type.Number({ description: "Seconds" }),
    rows: Type.Array(Type.String(), { description: "Its text, without the label" }),
    label: Type.String({
      description: "Name of the speaker, where the speaker changes; srt prints it before the text; empty otherwise",
    }),
    speaker: Type.Optional(Type.Integer({ minimum: 0 })),
    channel: Type.Integer({ minimum: 0 }),
    words_start: Type.Number({ description: "For an edit of this cue: words_start" }),
    words_end: Type.Number({ description: "For an edit of this cue: words_end" }),
    edited: Type.Boolean({ description: "A person set it" }),
    warnings: Type.Array(Enum(CUE_WARNINGS), {
      description:
        "fast: more columns a second than reading_speed; short, long: beyond the durations; wide: a row of too many columns; rows: too many of them; overlap: begins before the one before it ends; gap: begins so soon after the one before it that the picture flickers",
    }),
  },
  { title: "Cue" },
);
export type Cue = Static<typeof CueBody>;

export const CuesBody = Type.Object(
  {
    cues: Type.Array(CueBody, { description: "In the order of their starts" }),
    limits: Type.Object(
      {
        minimum_duration: Type.Number({ description: "Seconds" }),
        maximum_duration: Type.Number({ description: "Seconds" }),
        maximum_characters_per_row: Type.Number({ description: "Columns; a wide character fills two" }),
        maximum_rows_per_caption: Type.Number(),
        reading_speed: Type.Number({ description: "Columns a second" }),
        minimum_gap: Type.Number({ description: "Seconds; cues without a gap do not flicker" }),
      },
      { description: "The layout keeps them where the words allow it; warnings name the cues that do not" },
    ),
  },
  { title: "Cues" },
);
export type Cues = Static<typeof CuesBody>;

/** @param rowCharacters  columns of a row where the query names none */
export const RowCharacters = (rowCharacters: number) =>
  Type.Optional(
    Type.String({
      maxLength: String(MOST_ROW_CHARACTERS).length,
      pattern: "^[1-9][0-9]{0,3}$",
      default: String(rowCharacters),
      description: "Columns of a row",
    }),
  );

/** @param rows  of a subtitle where the query names none */
export const CaptionRows = (rows: number) =>
  Type.Optional(
    Type.String({
      maxLength: 1,
      pattern: `^[1-${MOST_CAPTION_ROWS}]$`,
      default: String(rows),
      description: `Rows of a subtitle, 1 to ${MOST_CAPTION_ROWS}`,
    }),
  );

/** @param rowCharacters  columns of a row where the query names none */
export const cuesQuery = (rowCharacters: number) =>
  Type.Object({
    corrected: QuerySwitch({ default: "true", description: "false: as it was recognised" }),
    maximum_characters_per_row: RowCharacters(rowCharacters),
  });
