// Transcripts as files, their corrections, and the loudness of a recording.
import type { Static, TSchema } from "typebox";
import * as Type from "typebox";
import { CaptionRows, CueEdit, RowCharacters } from "./cues.ts";
import { DateTime, Enum, FilePart, Name, Nullable, QuerySwitch, Version } from "./fields.ts";
import { SharedQuery, SharedTranscriptBody } from "./shares.ts";
import { FORMATS, type Format } from "./transcript-formats.ts";

const MOST_CHANGES = 1_000;
/** Each merge or split is applied to the whole transcript at every read. */
const MOST_OF_SPEAKERS = 20;
const MOST_CHARACTERS = 20_000;
const MOST_NAME = 100;
const HIGHEST_SPEAKER = 999;

const Speaker = (description: string) => Type.Integer({ minimum: 0, maximum: HIGHEST_SPEAKER, description });
const Seconds = (description: string) => Type.Number({ minimum: 0, description });

const changes = {
  merges: Type.Optional(
    Type.Array(
      Type.Object({
        speaker: Speaker("Gets the number of the other one; its name is dropped"),
        into: Speaker("The other one, with its name"),
      }),
      { maxItems: MOST_OF_SPEAKERS, description: "Two speakers are one person" },
    ),
  ),
  splits: Type.Optional(
    Type.Array(
      Type.Object({
        speaker: Speaker("Two people under one number"),
        start: Seconds("In seconds: words that start here or later are of the other person"),
        into: Speaker("Number of the other person, which no speaker has"),
      }),
      { maxItems: MOST_OF_SPEAKERS, description: "A speaker is somebody else from a time on" },
    ),
  ),
  utterances: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Integer({
          minimum: 0,
          description:
            "Which utterance, counted from 0 in the recognised transcript; of a corrected one, in source_utterances",
        }),
        start: Type.Optional(
          Seconds("In seconds: changes only words whose middle is at this time or later, and divides the utterance"),
        ),
        end: Type.Optional(Seconds("In seconds: changes only words whose middle is at this time or earlier")),
        text: Type.Optional(
          Type.String({ maxLength: MOST_CHARACTERS, description: "As it should read; empty takes it out" }),
        ),
        speaker: Type.Optional(Speaker("Who says it; a number that no speaker has is a new speaker")),
        checked: Type.Optional(
          Type.Literal(true, { description: "A person has checked these words: their confidence becomes 1" }),
        ),
      }),
      { maxItems: MOST_CHANGES },
    ),
  ),
  joins: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: "Its words are appended to those of the other utterance" }),
        into: Type.Integer({
          minimum: 0,
          description:
            "The other utterance, of the same channel, whose words start before; changes name both by this index from then on",
        }),
      }),
      { maxItems: MOST_CHANGES, description: "Two utterances are one" },
    ),
  ),
  breaks: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Integer({ minimum: 0, description: "Which utterance, as in utterances" }),
        start: Seconds(
          "In seconds: the first word whose middle is at this time or later begins the new utterance; not the first word of all",
        ),
        removed: Type.Optional(Type.Literal(true, { description: "Removes a break that was made at this time" })),
      }),
      { maxItems: MOST_CHANGES, description: "An utterance becomes two, and a paragraph begins between them" },
    ),
  ),
  cues: Type.Optional(
    Type.Array(CueEdit, {
      maxItems: MOST_CHANGES,
      description:
        "Which words are one cue of the subtitles, and when it is shown; a later one takes words from others",
    }),
  ),
  speakers: Type.Optional(
    Type.Array(
      Type.Object({
        speaker: Type.Integer({ minimum: 0, maximum: HIGHEST_SPEAKER }),
        name: Type.String({
          maxLength: MOST_NAME,
          description: "A label in this transcript; empty takes the name away",
        }),
      }),
      { maxItems: MOST_CHANGES },
    ),
  ),
};

export const ChangeBody = Type.Object(
  {
    ...changes,
    version: Type.Optional(
      Version("Version of the corrections that the change was made for; if it is not the current one, answered 409"),
    ),
  },
  { title: "TranscriptChange" },
);
export type ChangeBody = Static<typeof ChangeBody>;
/** A set of changes made together, applied in the order of the fields. */
export type TranscriptChange = Omit<ChangeBody, "version">;
export type SpeakerMerge = NonNullable<ChangeBody["merges"]>[number];
export type SpeakerSplit = NonNullable<ChangeBody["splits"]>[number];
export type UtteranceChange = NonNullable<ChangeBody["utterances"]>[number];
export type UtteranceJoin = NonNullable<ChangeBody["joins"]>[number];
export type UtteranceBreak = NonNullable<ChangeBody["breaks"]>[number];

const correction = {
  id: Type.String({ format: "uuid" }),
  created_at: DateTime(),
  made_by: Type.String({ description: "Name of the key" }),
  ...changes,
  undone_at: Nullable(DateTime()),
  undone_by: Nullable(Type.String()),
};

export const CorrectionParams = Type.Object({ id: Name(), correction_id: Name() });
export const UndoQuery = Type.Object({
  version: Type.Optional(Version("As in a correction: if it is not the current version, answered 409")),
});

const CorrectionBody = Type.Object(correction, { title: "Correction" });
export type Correction = Static<typeof CorrectionBody>;
export const ChangedBody = Type.Object(
  { ...correction, version: Version("Version of the corrections after this change") },
  { title: "ChangedCorrection" },
);
export const CorrectionsBody = Type.Object(
  {
    items: Type.Array(CorrectionBody),
    version: Version(
      "Every correction and every undoing increases it by one, and speakers found later that divide the utterances again",
    ),
  },
  { title: "Corrections" },
);

export type Corrections = Static<typeof CorrectionsBody>;

const QuerySeconds = (description: string) =>
  Type.Optional(Type.String({ maxLength: 11, pattern: "^[0-9]{1,7}(\\.[0-9]{1,3})?$", description }));

export const PeaksQuery = Type.Object({
  start: QuerySeconds("In seconds: a stretch of the recording in more detail, with end; absent: the whole recording"),
  end: QuerySeconds("In seconds, after start"),
});

export const PeaksBody = Type.Object(
  {
    duration: Type.Number({ description: "Seconds" }),
    peaks: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { description: "Loudest sample of each part" }),
    start: Type.Optional(Type.Number({ description: "Of a stretch: its start, in seconds" })),
    peaks_per_second: Type.Optional(Type.Number({ description: "Of a stretch" })),
  },
  { title: "Peaks" },
);
export type Peaks = Static<typeof PeaksBody>;

export const CONTENT_TYPES: Record<Format, string> = {
  txt: "text/plain; charset=utf-8",
  srt: "application/x-subrip; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  json: "application/json; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  tsv: "text/tab-separated-values; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

/** `content` of the response: one entry for each format. @param json  of the format json */
const contentOf = (json: TSchema) =>
  Object.fromEntries(
    FORMATS.map((format) => [CONTENT_TYPES[format].split(";")[0], { schema: format === "json" ? json : FilePart() }]),
  );

export const TRANSCRIPT_CONTENT = contentOf(Type.Object({}, { additionalProperties: true }));

const Formats = () => Type.Optional(Enum(FORMATS, { default: "json" }));

/** Parameters of every export. */
const shape = (rowCharacters: number, captionRows: number) => ({
  times: QuerySwitch({ description: "Times of paragraphs: txt has them with true, md and docx unless it is false" }),
  speakers: QuerySwitch({
    default: "true",
    description: "false: without names of speakers, in every format but json",
  }),
  paragraphs: QuerySwitch({
    default: "true",
    description: "false: txt, md and docx have one paragraph for each utterance",
  }),
  maximum_characters_per_row: RowCharacters(rowCharacters),
  maximum_rows_per_caption: CaptionRows(captionRows),
});

/** @param rowCharacters  columns of a row of subtitles where the query names none @param captionRows  rows of a subtitle */
export const transcriptQuery = (rowCharacters: number, captionRows: number) =>
  Type.Object({
    format: Formats(),
    corrected: QuerySwitch({ default: "true", description: "false: as it was recognised" }),
    notes: QuerySwitch({
      default: "true",
      description: "false: without highlights and notes, which txt, json, md and docx have",
    }),
    ...shape(rowCharacters, captionRows),
  });

/** Of a shared transcript. Parameters as those of transcriptQuery. */
export const sharedTranscriptQuery = (rowCharacters: number, captionRows: number) =>
  Type.Object({ ...SharedQuery.properties, format: Formats(), ...shape(rowCharacters, captionRows) });

export const SHARED_TRANSCRIPT_CONTENT = contentOf(SharedTranscriptBody);
