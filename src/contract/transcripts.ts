// Corrections of transcripts, and the loudness of a recording.
import { type Static, Type } from "@sinclair/typebox";
import { Nullable } from "./fields.ts";

const MOST_CHANGES = 1_000;
const MOST_CHARACTERS = 20_000;
const MOST_NAME = 100;

const changes = {
  utterances: Type.Optional(
    Type.Array(
      Type.Object({
        index: Type.Integer({
          minimum: 0,
          description: "Which utterance, counted from 0 in the recognised transcript",
        }),
        text: Type.Optional(
          Type.String({ maxLength: MOST_CHARACTERS, description: "As it should read; empty takes it out" }),
        ),
        speaker: Type.Optional(Type.Integer({ minimum: 0, maximum: 999 })),
      }),
      { maxItems: MOST_CHANGES },
    ),
  ),
  speakers: Type.Optional(
    Type.Array(
      Type.Object({
        speaker: Type.Integer({ minimum: 0, maximum: 999 }),
        name: Type.String({ maxLength: MOST_NAME, description: "Empty takes the name away" }),
      }),
      { maxItems: MOST_CHANGES },
    ),
  ),
};

export const ChangeBody = Type.Object(changes, { title: "TranscriptChange" });
/** Corrections that are made together. */
export type TranscriptChange = Static<typeof ChangeBody>;

const DateTime = Type.String({ format: "date-time" });
export const CorrectionBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    created_at: DateTime,
    made_by: Type.String({ description: "Name of the key" }),
    ...changes,
    undone_at: Nullable(DateTime),
    undone_by: Nullable(Type.String()),
  },
  { title: "Correction" },
);
export type Correction = Static<typeof CorrectionBody>;

export const PeaksBody = Type.Object(
  {
    duration: Type.Number({ description: "Seconds" }),
    peaks: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), { description: "Loudest sample of each part" }),
  },
  { title: "Peaks" },
);
