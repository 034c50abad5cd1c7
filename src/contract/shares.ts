// Links with which people without a key read a transcript: their making and listing, and what a reader receives.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DateTime, Name, Nullable } from "./fields.ts";

/** Links of one transcript that are open at a time. */
export const MOST_SHARES = 100;
const DAY_SECONDS = 86_400;
/** A week. */
export const SHARE_SECONDS = 7 * DAY_SECONDS;
const MOST_SHARE_SECONDS = 90 * DAY_SECONDS;

export const NewShare = Type.Object(
  {
    expires_in: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_SHARE_SECONDS,
        default: SHARE_SECONDS,
        description: "Seconds until the link ends; a week by default, 90 days at most",
      }),
    ),
    audio: Type.Optional(
      Type.Boolean({ default: false, description: "Whether readers may play and download the recording" }),
    ),
  },
  { title: "NewShare" },
);
export type NewShare = Static<typeof NewShare>;

const IsAudioShared = (description: string) => Type.Boolean({ description });

export const ShareBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    created_at: DateTime(),
    made_by: Type.String({ description: "Name of the key" }),
    expires_at: DateTime(),
    audio: IsAudioShared("Whether readers may play and download the recording"),
    opened_at: Nullable(
      Type.String({ format: "date-time", description: "When it was last opened, to the minute; null: not yet" }),
    ),
  },
  { title: "Share" },
);
export type Share = Static<typeof ShareBody>;

export const MadeShareBody = Type.Object(
  {
    ...ShareBody.properties,
    token: Type.String({ description: "Reads the transcript and does nothing else. It is shown this once" }),
    page: Type.Optional(
      Type.String({ format: "uri", description: "The link: a page that shows the transcript. It is shown this once" }),
    ),
  },
  { title: "MadeShare" },
);
export type MadeShare = Static<typeof MadeShareBody>;

export const SharesBody = Type.Object(
  { items: Type.Array(ShareBody, { description: "Links that are open, newest first" }) },
  { title: "Shares" },
);
export type Shares = Static<typeof SharesBody>;

export const ShareParams = Type.Object({ id: Name(), share_id: Name() });

export const SharedQuery = Type.Object({
  token: Type.Optional(
    Name({ description: "Of the link, for players; other clients send it as Authorization: Bearer TOKEN" }),
  ),
});
export type SharedQuery = Static<typeof SharedQuery>;

export const SharedBody = Type.Object(
  {
    title: Nullable(Type.String({ description: "Name of the recording, or of its file without the ending" })),
    created_at: DateTime(),
    duration: Nullable(Type.Number({ description: "Of the recording, in seconds" })),
    expires_at: Type.String({ format: "date-time", description: "When the link ends" }),
    audio: IsAudioShared("Whether GET /v2/shared/audio has the recording"),
  },
  { title: "Shared" },
);
export type Shared = Static<typeof SharedBody>;

const speech = {
  start: Type.Number({ description: "Seconds" }),
  end: Type.Number({ description: "Seconds" }),
  speaker: Nullable(Type.Integer({ minimum: 0, description: "Null without diarization" })),
  language: Type.String(),
  text: Type.String(),
};

export const SharedTranscriptBody = Type.Object(
  {
    languages: Type.Array(Type.String()),
    speakers: Type.Array(Type.Object({ speaker: Type.Integer({ minimum: 0 }), name: Nullable(Type.String()) })),
    paragraphs: Type.Array(Type.Object(speech), { description: "With the corrections that were made" }),
    summary: Nullable(Type.String()),
    chapters: Type.Array(
      Type.Object({ start: Type.Number(), end: Type.Number(), headline: Type.String(), summary: Type.String() }),
    ),
    translations: Type.Array(Type.Object({ language: Type.String(), utterances: Type.Array(Type.Object(speech)) })),
  },
  { title: "SharedTranscript" },
);
export type SharedTranscript = Static<typeof SharedTranscriptBody>;
