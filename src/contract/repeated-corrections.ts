// Corrections that were made several times: the places of the same words in other transcripts, and their correction.
import type { Static } from "typebox";
import * as Type from "typebox";
import { MOST_CORRECTED_PLACES, MOST_NAME_CHARACTERS } from "./bounds.ts";
import { DateTime, Enum, Name, Nullable, QuerySwitch } from "./fields.ts";
import { WordBody } from "./job.ts";
import { JobName } from "./job-overview.ts";

export const REPEATED_OF_PAGE = 20;
export const PLACES_OF_PAGE = 50;
const MOST_OF_PAGE = 100;
const MOST_PLACE_CHARACTERS = 2_000;

const Limit = (usual: number) => Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_OF_PAGE, default: usual }));
const Cursor = () =>
  Type.Optional(
    Type.String({ maxLength: MOST_NAME_CHARACTERS, description: "next of the page before; absent: the first page" }),
  );

export const RepeatedQuery = Type.Object({
  job_id: Type.Optional(Name({ description: "Those to which this transcript has contributed" })),
  dismissed: QuerySwitch({ default: "false", description: "true: those that were dismissed, in place of the others" }),
  limit: Limit(REPEATED_OF_PAGE),
  cursor: Cursor(),
});

export const RepeatedBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    before: Type.String({ description: "The word or phrase as it was recognised" }),
    after: Type.String({ description: "As people corrected it" }),
    utterances: Type.Integer({ minimum: 2, description: "In so many utterances, of all transcripts" }),
    recordings: Type.Integer({ minimum: 1, description: "In so many transcripts" }),
    changed_at: DateTime(),
    dismissed: Type.Boolean(),
    in_vocabulary: Type.Boolean({ description: "The account's vocabulary has the corrected words" }),
    others: Type.Array(Type.String(), { description: "Up to five other texts that replaced the same words" }),
    further_others: Type.Optional(Type.Integer({ minimum: 1, description: "How many more there are" })),
  },
  { title: "RepeatedCorrection" },
);
export type RepeatedCorrection = Static<typeof RepeatedBody>;

const Next = () => Nullable(Type.String({ description: "cursor of the next page" }));

export const RepeatedPage = Type.Object(
  { items: Type.Array(RepeatedBody), next: Next() },
  { title: "RepeatedCorrections" },
);
export type RepeatedPage = Static<typeof RepeatedPage>;

export const RepeatedParams = Type.Object({ repeated_id: Name() });
export const RepeatedChange = Type.Object({ dismissed: Type.Boolean() }, { title: "RepeatedCorrectionChange" });

export const PlacesQuery = Type.Object({
  limit: Limit(PLACES_OF_PAGE),
  cursor: Cursor(),
});

const Index = () =>
  Type.Integer({ minimum: 0, description: "Which utterance, counted from 0 in the recognised transcript" });
const Seconds = (description: string) => Type.Number({ minimum: 0, description });
const Start = () => Seconds("In seconds: the middle of the first word, as in a correction");
const End = () => Seconds("In seconds: the middle of the last word");

export const PlaceBody = Type.Object(
  {
    job_id: Type.String({ format: "uuid" }),
    name: JobName("Of the job; null for none"),
    filename: Nullable(Type.String()),
    created_at: DateTime(),
    has_audio: Type.Boolean({ description: "The recording is there" }),
    index: Index(),
    start: Start(),
    end: End(),
    channel: Type.Integer({ minimum: 0 }),
    language: Type.String(),
    text: Type.String({ description: "The words as they read" }),
    replacement: Type.String({ description: "As they would read" }),
    text_before: Type.String({ description: "A few words before" }),
    text_after: Type.String({ description: "A few words after" }),
    words: Type.Array(WordBody),
  },
  { title: "CorrectablePlace" },
);
export type CorrectablePlace = Static<typeof PlaceBody>;

export const PlacesPage = Type.Object(
  {
    items: Type.Array(PlaceBody),
    next: Next(),
    unread: Type.Integer({ minimum: 0, description: "Transcripts of this page that could not be read" }),
  },
  { title: "CorrectablePlaces" },
);
export type PlacesPage = Static<typeof PlacesPage>;

const ChosenPlace = Type.Object({
  job_id: Name(),
  index: Index(),
  start: Start(),
  end: End(),
  text: Type.String({
    maxLength: MOST_PLACE_CHARACTERS,
    description: "The words as they read in the list; a place that reads otherwise by now is not changed",
  }),
});
export type ChosenPlace = Static<typeof ChosenPlace>;

export const ChosenPlaces = Type.Object(
  { places: Type.Array(ChosenPlace, { minItems: 1, maxItems: MOST_CORRECTED_PLACES }) },
  { title: "ChosenPlaces" },
);
export type ChosenPlaces = Static<typeof ChosenPlaces>;

export const PLACE_STATES = ["corrected", "changed", "deleted", "refused"] as const;

export const AppliedBody = Type.Object(
  {
    corrected: Type.Integer({ minimum: 0, description: "Number of places that were corrected" }),
    transcripts: Type.Array(
      Type.Object({
        job_id: Type.String(),
        correction_id: Nullable(
          Type.String({ description: "The correction of all its places, by which it is undone; null for none" }),
        ),
        version: Nullable(Type.Integer({ description: "Version of its corrections afterwards" })),
        message: Nullable(Type.String({ description: "Why it was refused" })),
        places: Type.Array(
          Type.Object({
            index: Index(),
            start: Start(),
            end: End(),
            state: Enum(PLACE_STATES, {
              description:
                "corrected; changed: it read otherwise by now; deleted: the job is gone; refused: see the message",
            }),
          }),
        ),
      }),
    ),
  },
  { title: "CorrectedPlaces" },
);
export type AppliedPlaces = Static<typeof AppliedBody>;
