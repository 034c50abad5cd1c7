// The bodies of an upload, and its answer.
import { type Static, Type } from "@sinclair/typebox";
import { FilePart, Warnings, WebAddress } from "./fields.ts";

export const UploadForm = Type.Object(
  { audio: FilePart({ description: "The recording; a part named file is accepted, too" }) },
  { title: "UploadForm" },
);
export const UploadBytes = FilePart({ description: "The recording" });
export const UploadFromAddress = Type.Object(
  { audio_url: WebAddress({ description: "Address of any audio or video file" }) },
  { title: "UploadFromAddress" },
);

export const AudioTrackBody = Type.Object(
  {
    number: Type.Integer({ minimum: 0, description: "What audio_track takes" }),
    codec: Type.String(),
    number_of_channels: Type.Integer({ minimum: 0 }),
    is_default: Type.Boolean({ description: "Flagged as the track to play" }),
    language: Type.Optional(Type.String({ description: "As the file states it" })),
    title: Type.Optional(Type.String()),
  },
  { title: "AudioTrack" },
);
export type AudioTrack = Static<typeof AudioTrackBody>;

export const UploadAnswer = Type.Object(
  {
    audio_url: Type.String({ format: "uri" }),
    upload_url: Type.Optional(
      Type.String({ format: "uri", description: "The same, where the body was the file itself" }),
    ),
    audio_metadata: Type.Object({
      id: Type.String({ format: "uuid" }),
      filename: Type.String(),
      source: Type.Optional(Type.String()),
      extension: Type.String(),
      size: Type.Integer(),
      audio_duration: Type.Number(),
      number_of_channels: Type.Integer({ minimum: 1 }),
    }),
    audio_track: Type.Integer({
      minimum: 0,
      description:
        "Extension: the track that is transcribed unless the request names another; audio_metadata is about it",
    }),
    audio_tracks: Type.Array(AudioTrackBody, { description: "Extension: every audio track of the file" }),
    warnings: Warnings(),
  },
  { title: "Upload" },
);
export type Upload = Static<typeof UploadAnswer>;
