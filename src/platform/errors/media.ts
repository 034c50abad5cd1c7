// Uploaded files, and the recordings in them.
import { listed } from "../../contract/first-of.ts";
import type { AudioRange } from "../../contract/pre-recorded.ts";
import { megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

/** `1 (eng, "Commentary", 2 channels)` */
function trackText(track: { number: number; channels: number; language?: string; title?: string }): string {
  const title = track.title === undefined ? undefined : `"${track.title}"`;
  const channels = track.channels === 1 ? "1 channel" : `${track.channels} channels`;
  return `${track.number} (${[track.language, title, channels].filter((part) => part !== undefined).join(", ")})`;
}

const MOST_LISTED_TRACKS = 20;

const listedTracks = (tracks: readonly Parameters<typeof trackText>[0][]) =>
  listed(tracks.map(trackText), MOST_LISTED_TRACKS, "; ");

/** In milliseconds at most. */
const seconds = (value: number) => Math.round(value * 1000) / 1000;

const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

export const mediaErrors = {
  fileInUse: () =>
    new ParlanceError("A job that has not ended needs this file. Wait for its end, or delete the job", {
      code: "file.in_use",
      status: 403,
    }),
  unknownFile: () =>
    new ParlanceError("audio_url names an uploaded file that does not exist; upload it again", {
      code: "file.unknown",
      status: 422,
    }),
  fileTooLarge: (limitBytes: number) =>
    new ParlanceError(`The file is larger than the ${megabytes(limitBytes)} allowed`, {
      code: "file.too_large",
      status: 413,
    }),
  notDecodable: (reason: string) =>
    new ParlanceError(`The file cannot be decoded as audio or video: ${reason}`, {
      code: "media.not_decodable",
      status: 400,
    }),
  encrypted: (scheme: string) =>
    new ParlanceError(
      `The file's audio is encrypted (${scheme}). Use a recording without copy protection, or decrypt the file before sending it`,
      { code: "media.encrypted", status: 400 },
    ),
  emptyFile: () => new ParlanceError("The file is empty: it holds no bytes", { code: "media.empty", status: 400 }),
  noAudioTrack: () => new ParlanceError("The file holds no audio track", { code: "media.no_audio_track", status: 400 }),
  noSuchTrack: (
    requested: number,
    tracks: readonly { number: number; channels: number; language?: string; title?: string }[],
  ) =>
    new ParlanceError(
      `audio_track is ${requested}, but the file has ${tracks.length === 1 ? "1 audio track" : `${tracks.length} audio tracks`}: ${listedTracks(tracks)}`,
      { code: "media.no_such_track", status: 400 },
    ),
  emptyRange: ({ start = 0, end }: AudioRange, audioSeconds: number) =>
    new ParlanceError(
      end === undefined
        ? `audio_range contains no audio: it starts at ${seconds(start)} s, and the recording ends at ${seconds(audioSeconds)} s`
        : `audio_range contains no audio: the recording has none from ${seconds(start)} to ${seconds(end)} s`,
      { code: "media.empty_range", status: 400 },
    ),
  noAudio: () => new ParlanceError("The file's audio track holds no samples", { code: "media.no_audio", status: 400 }),
  audioTooLong: (limitSeconds: number) =>
    new ParlanceError(`The audio is longer than the ${minutes(limitSeconds)} allowed`, {
      code: "media.too_long",
      status: 413,
    }),
  decodingTooSlow: (spent: number, decoded: number) =>
    new ParlanceError(
      `Decoding was stopped after ${Math.round(spent)} s: only ${Math.round(decoded)} s of the file's audio were decoded by then`,
      {
        code: "media.time_limit",
        status: 400,
      },
    ),
  decodersBusy: () =>
    new ParlanceError("Too many uploaded files wait to be read; try again in a moment", {
      code: "decode.queue_full",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
};
