// The bodies of an upload, and its answer.
import type { Static } from "typebox";
import * as Type from "typebox";
import { DateTime, FilePart, Nullable, Warnings, WebAddress } from "./fields.ts";
import { TUS_VERSION } from "./tus.ts";

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

// --- uploads that resume, after the protocol tus 1.0.0 ---

/** Header that names the file, once it is complete. */
export const AUDIO_URL_HEADER = "Parlance-Audio-Url";
export const MOST_UPLOAD_METADATA_CHARACTERS = 4_096;
const MOST_NUMBER_CHARACTERS = 20;
const MOST_CHECKSUM_CHARACTERS = 200;

const Header = (description: string, maxLength = MOST_NUMBER_CHARACTERS) =>
  Type.Optional(Type.String({ maxLength, description }));
const VersionHeader = { "tus-resumable": Header(`Required: ${TUS_VERSION}`) };
const ChecksumHeader = {
  "upload-checksum": Header(
    "sha1 or sha256, a space, and the checksum of the body in base64. A body with another one is not stored",
    MOST_CHECKSUM_CHARACTERS,
  ),
};

export const ResumableHeaders = Type.Object(VersionHeader);
export const ResumableCreationHeaders = Type.Object({
  ...VersionHeader,
  ...ChecksumHeader,
  "upload-length": Header("Required without upload-defer-length: bytes of the whole file"),
  "upload-defer-length": Header("1 where a later request has the length, such as the end of a recording"),
  "upload-metadata": Header(
    "Pairs of a name and its value in base64, with commas between them; filename names the file",
    MOST_UPLOAD_METADATA_CHARACTERS,
  ),
});
export const ResumableAppendHeaders = Type.Object({
  ...VersionHeader,
  ...ChecksumHeader,
  "upload-offset": Header("Required: bytes that are stored, as HEAD reports them"),
  "upload-length": Header(
    "Bytes of the whole file, if the upload was begun with upload-defer-length; the body may be empty",
  ),
});

export const ResumableBytes = FilePart({ description: "The next bytes of the file, as many as the client chooses" });

export const ResumableUploadBody = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    filename: Type.String(),
    length: Nullable(
      Type.Integer({ minimum: 0, description: "Bytes of the whole file; null until a request has the length" }),
    ),
    offset: Type.Integer({ minimum: 0, description: "Bytes that are stored" }),
    created_at: DateTime(),
    expires_at: Type.String({ format: "date-time", description: "Deferred by every byte that comes" }),
    upload: Nullable(UploadAnswer),
  },
  { title: "ResumableUpload" },
);
export type ResumableUpload = Static<typeof ResumableUploadBody>;
